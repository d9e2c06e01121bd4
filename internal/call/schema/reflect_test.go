package schema_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/reflection"
	reflectionv1 "google.golang.org/grpc/reflection/grpc_reflection_v1"
	reflectionv1alpha "google.golang.org/grpc/reflection/grpc_reflection_v1alpha"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"rpcbench/internal/call/schema"
	"rpcbench/internal/test/sockettest"
)

func TestReflectionOfEitherVersionTellsTheSchema(t *testing.T) {
	t.Parallel()
	options := shop(t)
	for version, register := range map[string]func(server *grpc.Server){
		"v1": func(s *grpc.Server) { reflectionv1.RegisterServerReflectionServer(s, reflection.NewServerV1(options)) },
		"v1alpha": func(s *grpc.Server) {
			reflectionv1alpha.RegisterServerReflectionServer(s, reflection.NewServer(options))
		},
	} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			conn := serve(t, register)
			method, err := schema.Reflect(t.Context(), conn, "shop:443", place)
			if err != nil {
				t.Fatal(err)
			}
			wantPlace(t, method)
			wantAny(t, method)

			// The server's answer is sufficient elsewhere.
			again, err := schema.OpenSet(set(t, method), place)
			if err != nil {
				t.Fatal(err)
			}
			wantPlace(t, again)
			wantAny(t, again)

			for call, want := range map[string]string{
				"shop.v1.Orders/Watsh": `the service shop.v1.Orders has no method "Watsh"; did you mean "Watch"?`,
				"shop.v1.Ordres/Watch": `the server at shop:443 has no service "shop.v1.Ordres"; did you mean "shop.v1.Orders"?`,
				"Stock/Count":          `the server at shop:443 has no service "Stock"; did you mean "shop.v1.Stock"?`,
				"shop.v1.Order/Watch":  `shop.v1.Order is not a service; did you mean "shop.v1.Orders"?`,
				"shop.v1.Stock":        "shop.v1.Stock is a service, not a method; known: shop.v1.Stock/Count",
			} {
				name, err := schema.ParseName(call)
				if err != nil {
					t.Fatal(err)
				}
				_, err = schema.Reflect(t.Context(), conn, "shop:443", name)
				wantError(t, err, want)
			}
		})
	}
}

func TestAMessageOfAnotherFileIsAskedForWhenItIsNamed(t *testing.T) {
	t.Parallel()
	options := shop(t)
	conn := serve(t, func(s *grpc.Server) {
		reflectionv1.RegisterServerReflectionServer(s, reflection.NewServerV1(options))
	})
	method, err := schema.Reflect(t.Context(), conn, "here", place)
	if err != nil {
		t.Fatal(err)
	}
	if message, err := method.Types.FindMessageByURL("type.example/legacy.Record"); err != nil ||
		message.Descriptor().FullName() != "legacy.Record" {
		t.Errorf("got %v, %v", message, err)
	}
	if extension, err := method.Types.FindExtensionByName("legacy.shelf"); err != nil ||
		extension.TypeDescriptor().Number() != 100 {
		t.Errorf("got %v, %v", extension, err)
	}
	for range 2 {
		if _, err := method.Types.FindMessageByURL("type.example/none.Such"); !errors.Is(err, protoregistry.NotFound) {
			t.Errorf("got %v", err)
		}
	}
	if again, err := schema.OpenSet(set(t, method), place); err != nil {
		t.Error(err)
	} else if _, err := again.Types.FindMessageByName("legacy.Record"); err != nil {
		t.Error(err)
	}
}

func TestAServerThatCantTellItsSchemaIsOneSentence(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		register func(server *grpc.Server)
		want     string
	}{
		"none": {func(*grpc.Server) {}, "the server at here does not offer reflection; give --proto or --protoset"},
		"refuses": {
			scripted(func(reflectionv1.ServerReflection_ServerReflectionInfoServer) error {
				return status.Error(codes.Unauthenticated, "who are you?")
			}),
			"cannot get the schema of the server at here: who are you? (Unauthenticated)",
		},
		"says too much": {
			scripted(func(reflectionv1.ServerReflection_ServerReflectionInfoServer) error {
				return status.Error(codes.Internal, strings.Repeat("why ", 1000))
			}),
			"cannot get the schema of the server at here: " + strings.Repeat("why ", 50) + "… (Internal)",
		},
		"lists only": {
			answering(func(request *reflectionv1.ServerReflectionRequest) *reflectionv1.ServerReflectionResponse {
				if request.GetListServices() == "" {
					return failure(codes.NotFound)
				}
				return listed("shop.v1.Orders")
			}),
			"the server at here lists the service shop.v1.Orders but has no schema of it; give --proto or --protoset",
		},
		"error": {
			answering(func(*reflectionv1.ServerReflectionRequest) *reflectionv1.ServerReflectionResponse {
				return failure(codes.Internal)
			}),
			"the server at here refuses reflection: no (Internal)",
		},
		"error with lines and escapes": {
			answering(func(*reflectionv1.ServerReflectionRequest) *reflectionv1.ServerReflectionResponse {
				return failing(codes.Internal, "\x1b]0;x\x07no\nrpcbench: "+strings.Repeat("why ", 1000))
			}),
			"the server at here refuses reflection: ]0;x no rpcbench: " + strings.Repeat("why ", 45) + "wh… (Internal)",
		},
		"names with lines": {
			answering(func(request *reflectionv1.ServerReflectionRequest) *reflectionv1.ServerReflectionResponse {
				if request.GetListServices() == "" {
					return failure(codes.NotFound)
				}
				return listed("shop\nrpcbench: done")
			}),
			`the server at here has no service "shop.v1.Orders"; there is none`,
		},
		"a long name": {
			answering(func(*reflectionv1.ServerReflectionRequest) *reflectionv1.ServerReflectionResponse {
				return descriptors(append(field(1, []byte(strings.Repeat("a", 1000))), field(2, []byte("-"))...))
			}),
			`the server at here: the descriptor of "` + strings.Repeat("a", 200) + `…" is invalid: invalid package: "-"`,
		},
		"rubbish": {
			answering(func(*reflectionv1.ServerReflectionRequest) *reflectionv1.ServerReflectionResponse {
				return descriptors([]byte("\x0a\x05a"))
			}),
			"the server at here answers reflection with an invalid descriptor: cannot parse invalid wire-format data",
		},
		"a cycle": {
			answering(func(*reflectionv1.ServerReflectionRequest) *reflectionv1.ServerReflectionResponse {
				return descriptors(importing(t, "a.proto", "b.proto"), importing(t, "b.proto", "a.proto"))
			}),
			`the server at here has no service "shop.v1.Orders"; there is none`,
		},
		"without end": {
			answering(func(request *reflectionv1.ServerReflectionRequest) *reflectionv1.ServerReflectionResponse {
				first, _ := strconv.Atoi(request.GetFileByFilename()) // 0 for the symbol
				// Of few files, so that no machine is too slow to send them in time.
				place := field(9, field(1, field(3, make([]byte, 1<<20))))
				var chain [][]byte
				for i := range 3 {
					chain = append(chain, append(importing(t, strconv.Itoa(first+i), strconv.Itoa(first+i+1)), place...))
				}
				return descriptors(chain...)
			}),
			"the server at here: the schema of the server at here is longer than 64 MiB",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := schema.Reflect(t.Context(), serve(t, c.register), "here", place)
			if name == "without end" && err != nil && strings.HasSuffix(err.Error(), "did not answer reflection in time") {
				return // of a machine so slow, time is the limit that holds
			}
			wantError(t, err, c.want)
		})
	}
}

func TestAFileThatOnlyAnotherMethodNeedsMayBeMissing(t *testing.T) {
	t.Parallel()
	message := descriptorpb.FieldDescriptorProto_TYPE_MESSAGE
	encoded, err := proto.Marshal(&descriptorpb.FileDescriptorProto{
		Name: new("a.proto"), Package: new("a"), Syntax: new("proto3"), Dependency: []string{"gone.proto"},
		MessageType: []*descriptorpb.DescriptorProto{
			{Name: new("Whole")},
			{Name: new("Torn"), Field: []*descriptorpb.FieldDescriptorProto{
				{Name: new("part"), Number: new(int32(1)), Type: &message, TypeName: new(".gone.Part")},
			}},
		},
		Service: []*descriptorpb.ServiceDescriptorProto{{Name: new("Shop"), Method: []*descriptorpb.MethodDescriptorProto{
			{Name: new("Open"), InputType: new(".a.Whole"), OutputType: new(".a.Whole")},
			{Name: new("Close"), InputType: new(".a.Torn"), OutputType: new(".a.Torn")},
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	conn := serve(t, answering(func(request *reflectionv1.ServerReflectionRequest) *reflectionv1.ServerReflectionResponse {
		if request.GetFileByFilename() != "" {
			return failure(codes.NotFound)
		}
		return descriptors(encoded)
	}))
	if _, err := schema.Reflect(t.Context(), conn, "here", schema.Name{Service: "a.Shop", Method: "Open"}); err != nil {
		t.Error(err)
	}
	_, err = schema.Reflect(t.Context(), conn, "here", schema.Name{Service: "a.Shop", Method: "Close"})
	wantError(t, err, "the server at here does not contain all of a.Torn: the type of its field a.Torn.part is "+
		`in none of the files, and "a.proto" imports "gone.proto", which is missing`)
}

// A server may list a service of which it has other files only.
func TestAServiceWithoutItsFileIsNotListed(t *testing.T) {
	t.Parallel()
	conn := serve(t, answering(func(request *reflectionv1.ServerReflectionRequest) *reflectionv1.ServerReflectionResponse {
		if request.GetListServices() != "" {
			return listed("shop.v1.Orders")
		}
		return descriptors(importing(t, "a.proto", "b.proto"))
	}))
	methods, err := schema.List(t.Context(), conn, "here")
	if err != nil || len(methods) != 0 {
		t.Errorf("%v, %v", methods, err)
	}
}

func TestAServerThatNeverAnswersIsGivenUp(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	conn := serve(t, scripted(func(stream reflectionv1.ServerReflection_ServerReflectionInfoServer) error {
		close(asked)
		<-stream.Context().Done()
		return nil
	}))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	_, err := schema.Reflect(ctx, conn, "here", place)
	wantError(t, err, "cannot get the schema of the server at here: context canceled (Canceled)")
	late, stop := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer stop()
	_, err = schema.Reflect(late, conn, "here", place)
	wantError(t, err, "the server at here did not answer reflection in time")
}

func TestATargetThatIsNoGRPCServerIsOneSentence(t *testing.T) {
	t.Parallel()
	http1 := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(http1.Close)
	_, err := schema.Reflect(t.Context(), dial(t, http1.Listener.Addr().String(), insecure.NewCredentials()), "here", place)
	wantError(t, err, "the server at here speaks only HTTP/1, and gRPC needs HTTP/2")

	closed := sockettest.ClosedPort(t)
	_, err = schema.Reflect(t.Context(), dial(t, closed, insecure.NewCredentials()), "here", place)
	wantError(t, err, fmt.Sprintf("cannot get the schema of the server at here: connection error: desc = "+
		`"transport: Error while dialing: dial tcp %s: connect: connection refused" (Unavailable)`, closed))

	encrypted := httptest.NewUnstartedServer(http.NotFoundHandler())
	encrypted.EnableHTTP2 = true
	encrypted.Config.ErrorLog = log.New(io.Discard, "", 0)
	encrypted.StartTLS()
	t.Cleanup(encrypted.Close)
	strict := credentials.NewTLS(&tls.Config{ServerName: "example.com"})
	_, err = schema.Reflect(t.Context(), dial(t, encrypted.Listener.Addr().String(), strict), "here", place)
	if err == nil || !strings.Contains(err.Error(), "x509: certificate signed by unknown authority") {
		t.Errorf("got %v", err)
	}
}

func TestMetadataReachesTheServerLaterToo(t *testing.T) {
	t.Parallel()
	options := shop(t)
	conn := serve(t, func(s *grpc.Server) {
		reflectionv1.RegisterServerReflectionServer(s, locked{reflection.NewServerV1(options)})
	})
	_, err := schema.Reflect(t.Context(), conn, "here", place)
	wantError(t, err, "cannot get the schema of the server at here: locked (PermissionDenied)")
	ctx := metadata.AppendToOutgoingContext(t.Context(), "key", "sesame")
	method, err := schema.Reflect(ctx, conn, "here", place)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := method.Types.FindMessageByName("legacy.Record"); err != nil {
		t.Error(err)
	}
}

// locked answers those who have the key.
type locked struct {
	reflectionv1.ServerReflectionServer
}

func (l locked) ServerReflectionInfo(stream reflectionv1.ServerReflection_ServerReflectionInfoServer) error {
	if got := metadata.ValueFromIncomingContext(stream.Context(), "key"); len(got) != 1 || got[0] != "sesame" {
		return status.Error(codes.PermissionDenied, "locked")
	}
	return l.ServerReflectionServer.ServerReflectionInfo(stream)
}

// shop is a server's view of the files in testdata.
func shop(t *testing.T) reflection.ServerOptions {
	t.Helper()
	files := &protoregistry.Files{}
	legacy, err := schema.Compile(t.Context(), []string{"legacy/legacy.proto"}, []string{"testdata"},
		schema.Name{Service: "legacy.Archive", Method: "Store"})
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []*schema.Method{compiled(t), legacy} {
		var all descriptorpb.FileDescriptorSet
		if err := proto.Unmarshal(set(t, method), &all); err != nil {
			t.Fatal(err)
		}
		for _, file := range all.File {
			linked, err := protodesc.NewFile(file, files)
			if err != nil {
				t.Fatal(err)
			}
			if err := files.RegisterFile(linked); err != nil {
				t.Fatal(err)
			}
		}
	}
	return reflection.ServerOptions{Services: services{"shop.v1.Orders", "shop.v1.Stock"}, DescriptorResolver: files}
}

type services []string

func (s services) GetServiceInfo() map[string]grpc.ServiceInfo {
	info := map[string]grpc.ServiceInfo{}
	for _, name := range s {
		info[name] = grpc.ServiceInfo{}
	}
	return info
}

// scripted registers a reflection service of version 1 that calls handle.
func scripted(handle func(stream reflectionv1.ServerReflection_ServerReflectionInfoServer) error) func(*grpc.Server) {
	return func(s *grpc.Server) { reflectionv1.RegisterServerReflectionServer(s, handler(handle)) }
}

func answering(answer func(*reflectionv1.ServerReflectionRequest) *reflectionv1.ServerReflectionResponse) func(*grpc.Server) {
	return scripted(func(stream reflectionv1.ServerReflection_ServerReflectionInfoServer) error {
		for {
			request, err := stream.Recv()
			if err != nil {
				return nil //nolint:nilerr // the client has ended
			}
			if err := stream.Send(answer(request)); err != nil {
				return err
			}
		}
	})
}

type handler func(stream reflectionv1.ServerReflection_ServerReflectionInfoServer) error

func (h handler) ServerReflectionInfo(stream reflectionv1.ServerReflection_ServerReflectionInfoServer) error {
	return h(stream)
}

func failure(code codes.Code) *reflectionv1.ServerReflectionResponse { return failing(code, "no") }

func failing(code codes.Code, message string) *reflectionv1.ServerReflectionResponse {
	return &reflectionv1.ServerReflectionResponse{MessageResponse: &reflectionv1.ServerReflectionResponse_ErrorResponse{
		ErrorResponse: &reflectionv1.ErrorResponse{ErrorCode: int32(code), ErrorMessage: message},
	}}
}

func listed(service string) *reflectionv1.ServerReflectionResponse {
	return &reflectionv1.ServerReflectionResponse{
		MessageResponse: &reflectionv1.ServerReflectionResponse_ListServicesResponse{
			ListServicesResponse: &reflectionv1.ListServiceResponse{Service: []*reflectionv1.ServiceResponse{{Name: service}}},
		},
	}
}

func descriptors(files ...[]byte) *reflectionv1.ServerReflectionResponse {
	return &reflectionv1.ServerReflectionResponse{
		MessageResponse: &reflectionv1.ServerReflectionResponse_FileDescriptorResponse{
			FileDescriptorResponse: &reflectionv1.FileDescriptorResponse{FileDescriptorProto: files},
		},
	}
}

func importing(t *testing.T, name, imported string) []byte {
	t.Helper()
	encoded, err := proto.Marshal(&descriptorpb.FileDescriptorProto{
		Name: &name, Syntax: new("proto3"), Dependency: []string{imported},
	})
	if err != nil {
		t.Error(err)
	}
	return encoded
}

// serve starts a server on loopback and connects to it.
func serve(t *testing.T, register func(server *grpc.Server)) *grpc.ClientConn {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	register(server)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	return dial(t, listener.Addr().String(), insecure.NewCredentials())
}

func dial(t *testing.T, address string, secrecy credentials.TransportCredentials) *grpc.ClientConn {
	t.Helper()
	conn, err := grpc.NewClient("passthrough:///"+address, grpc.WithTransportCredentials(secrecy))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}
