package recipe

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/emptypb"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/call/plain"
	"rpcbench/internal/call/schema"
)

// ownMethod is one that every server of rpcbench has.
const ownMethod = "/grpc.testing.BenchmarkService/UnaryCall"

// maxExampleBytes limits the example of an Offer to a length that people still type.
const maxExampleBytes = 200

// A ForeignError reports that the server is not one of rpcbench's, so the user has to name a method.
type ForeignError struct {
	Server  string
	Methods []Offer // none where the server does not offer reflection
	// Unlisted says why the server's reflection did not list its methods; nil where it did, or is not offered.
	Unlisted error
	// Protected reports that the server refuses calls without credentials.
	Protected bool
}

// An Offer is a method of a foreign server.
type Offer struct {
	Name    string // package.Service/Method
	Kind    string // of its calls
	Example string // a request with a zero in each field, as JSON; "" where it has no fields, or too many
}

// Error implements error.
func (e *ForeignError) Error() string {
	text := fmt.Sprintf("the server at %s is not rpcbench serve, so --call must name a method", e.Server)
	if e.Protected {
		text += "; it refuses calls without credentials (UNAUTHENTICATED), so --call also needs --token-file, --token-env or --metadata"
	}
	switch {
	case len(e.Methods) == 0 && e.Protected:
		return text // nor may reflection be used
	case e.Unlisted != nil:
		return text + "; its reflection can't be used, so --call also needs --proto or --protoset: " + e.Unlisted.Error()
	case len(e.Methods) == 0:
		return text + "; it does not offer reflection, so --call also needs --proto or --protoset"
	}
	names := make([]string, len(e.Methods))
	for i, m := range e.Methods {
		names[i] = plain.Short(m.Name, plain.Example)
	}
	return text + "; it offers " + strings.Join(names, ", ")
}

// Unwrap returns why the methods are unknown.
func (e *ForeignError) Unwrap() error { return e.Unlisted }

// Look makes one call to a gRPC server and returns a *ForeignError if the server is not one of rpcbench's, which require no
// credentials in metadata. It ignores other failures, which the trials report.
func Look(ctx context.Context, conn grpc.ClientConnInterface, server string) error {
	ctx, cancel := context.WithTimeout(ctx, probePatience)
	defer cancel()
	err := conn.Invoke(ctx, ownMethod, &emptypb.Empty{}, &emptypb.Empty{})
	code := status.Code(err)
	if code != codes.Unimplemented && code != codes.Unauthenticated {
		return nil
	}
	foreign := &ForeignError{Server: server, Protected: code == codes.Unauthenticated}
	methods, err := schema.List(ctx, conn, server)
	if err != nil && !foreign.Protected {
		foreign.Unlisted = err
	}
	foreign.Methods = offers(methods)
	return foreign
}

// Offers lists the methods that --call could name, by the files of the Config or by reflection on conn. Nothing is called
// but reflection. No method is not an error: the server does not offer reflection.
func Offers(ctx context.Context, conn grpc.ClientConnInterface, config Config) ([]Offer, error) {
	var methods []protoreflect.MethodDescriptor
	var err error
	switch {
	case len(config.Protos) > 0:
		methods, err = schema.ListCompiled(ctx, config.Protos, config.ImportPaths)
	case len(config.Protosets) > 0:
		methods, err = schema.ListSets(config.Protosets)
	default:
		methods, err = reflected(ctx, conn, config)
	}
	return offers(methods), err
}

// suggest adds to the error about a name the methods that may be meant, if the files or the server say which there are.
func suggest(ctx context.Context, conn grpc.ClientConnInterface, config Config, wrong error) error {
	isReflected := len(config.Protos)+len(config.Protosets) == 0
	if isReflected && (conn == nil || config.Reach != nil && config.Reach(ctx) != nil) {
		return wrong
	}
	config.Data, config.Format, config.Stdin = "", "", strings.NewReader("") // the requests are not needed
	offered, err := Offers(ctx, conn, config)
	if err != nil || len(offered) == 0 {
		return wrong
	}
	names := make([]string, len(offered))
	for i, o := range offered {
		names[i] = o.Name
	}
	return fmt.Errorf("%w%s", wrong, hint.OfPart(config.Call, names, "/"))
}

// reflected lists the methods by reflection, with the metadata that the server requires.
func reflected(ctx context.Context, conn grpc.ClientConnInterface, config Config) ([]protoreflect.MethodDescriptor, error) {
	r, err := config.read()
	if err != nil {
		return nil, err
	}
	if ctx, err = r.introduce(ctx, config, config.variables(r.Env)); err != nil {
		return nil, err
	}
	return schema.List(ctx, conn, config.Server)
}

func offers(methods []protoreflect.MethodDescriptor) []Offer {
	var list []Offer
	for _, m := range methods {
		name := schema.Name{Service: m.Parent().FullName(), Method: m.Name()}
		list = append(list, Offer{Name: name.String(), Kind: kind(m), Example: example(m.Input())})
	}
	return list
}

// example is a message with a zero in each field.
func example(message protoreflect.MessageDescriptor) string {
	encoded, err := protojson.MarshalOptions{EmitDefaultValues: true}.Marshal(dynamicpb.NewMessage(message))
	if err != nil {
		return ""
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, encoded); err != nil || compact.Len() > maxExampleBytes || compact.String() == "{}" {
		return ""
	}
	return compact.String()
}
