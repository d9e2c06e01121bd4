package worker_test

import (
	"errors"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"

	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// recipe calls the server's own UnaryCall as a stranger would.
func recipe(t *testing.T, address string) *control.Connect {
	t.Helper()
	service, messages := testpb.File_grpc_testing_benchmark_service_proto, testpb.File_grpc_testing_messages_proto
	set, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{
		protodesc.ToFileDescriptorProto(messages), protodesc.ToFileDescriptorProto(service),
	}})
	if err != nil {
		t.Fatal(err)
	}
	return &control.Connect{
		Stack: "grpc-go", Network: stack.NetworkTCP, Addresses: []string{address}, Security: plaintext, Connections: 2, InFlight: 3,
		Call: &control.Call{
			Kind: stack.KindUnary, Compression: stack.CompressionNone, DeadlineNs: int64(patience),
			Recipe: &control.Recipe{
				Method: "grpc.testing.BenchmarkService/UnaryCall", Schema: set, Name: "--data", Format: "json",
				Requests: []byte(`{"responseSize": 20, "payload": {"body": "{{random_bytes 10}}"}}`),
			},
		},
	}
}

func TestARecipesTrafficIsOfItsPhase(t *testing.T) {
	t.Parallel()
	_, address := serve(t, "grpc-go")
	for _, c := range []struct {
		kind, method string
		streams      uint32
	}{{stack.KindUnary, "UnaryCall", 0}, {stack.KindPingPong, "StreamingCall", 3}, {stack.KindPingPong, "StreamingCall", 1}} {
		for _, name := range []string{"grpc-go", "grpc-wire"} {
			connect := recipe(t, address)
			connect.Stack, connect.Call.Kind, connect.Streams = name, c.kind, c.streams
			connect.Call.Recipe.Method = "grpc.testing.BenchmarkService/" + c.method
			client := open(t)
			if _, err := client.Connect(t.Context(), connect); err != nil {
				t.Fatal(err)
			}
			for _, calls := range []int64{30, 50} {
				done, err := client.Begin(t.Context(), closed(calls), ignore)
				if err != nil {
					t.Fatal(err)
				}
				// Two bytes for the size of the reply, four for the tags and lengths of the payload and its body; a reply has
				// four.
				if done.GetMessagesOut() != calls || done.GetMessagesIn() != calls || done.GetPayloadBytesOut() != calls*16 ||
					done.GetPayloadBytesIn() != calls*24 {
					t.Errorf("%s, %s, %d calls: %v", name, c.kind, calls, done)
				}
			}
		}
	}
}

func TestAFieldThatARecipeCannotHaveIsNamed(t *testing.T) {
	t.Parallel()
	for field, change := range map[string]func(*control.Connect){
		"connect.call.request_bytes":        func(c *control.Connect) { c.Call.RequestBytes = 1 },
		"connect.call.response_bytes":       func(c *control.Connect) { c.Call.ResponseBytes = 1 },
		"connect.call.payload":              func(c *control.Connect) { c.Call.Payload = stack.PayloadRandom },
		"connect.call.seed":                 func(c *control.Connect) { c.Call.Seed = 1 },
		"connect.call.lengths_only":         func(c *control.Connect) { c.Call.LengthsOnly = true },
		"connect.call.batch":                func(c *control.Connect) { c.Call.Batch = 1 },
		"connect.call.messages":             func(c *control.Connect) { c.Call.Messages = 1 },
		"connect.call.message_rate_per_sec": func(c *control.Connect) { c.Call.MessageRatePerSec = 20 },
		"connect.streams":                   func(c *control.Connect) { c.Streams = 1 },
		"connect.background":                func(c *control.Connect) { c.Background = &control.Background{Kind: stack.KindUnary} },
		"connect.call.sample_ns":            func(c *control.Connect) { c.Call.SampleNs = 1 },
		"connect.call.recipe":               func(c *control.Connect) { c.Call.Recipe.Requests = []byte(`{"nope": 1}`) },
		"connect.call.recipe.part":          func(c *control.Connect) { c.Call.Recipe.Part, c.Call.Recipe.Parts = 2, 2 },
		"connect.security.skip_verify": func(c *control.Connect) {
			c.Security = &control.Security{Mode: "plaintext", SkipVerify: true}
		},
		"connect.security.system_roots": func(c *control.Connect) {
			c.Security = &control.Security{Mode: "plaintext", SystemRoots: true}
		},
	} {
		connect := recipe(t, "127.0.0.1:1")
		change(connect)
		_, err := open(t).Connect(t.Context(), connect)
		var fault *control.FaultError
		if !errors.As(err, &fault) || fault.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	bare := recipe(t, "127.0.0.1:1")
	bare.Call.Kind, bare.Call.MessageRatePerSec, bare.Call.Messages, bare.Call.Payload = stack.KindStream, 20, 2, stack.PayloadRandom
	bare.Call.Recipe = nil
	var fault *control.FaultError
	if _, err := open(t).Connect(t.Context(), bare); !errors.As(err, &fault) || fault.Field != "connect.call.message_rate_per_sec" {
		t.Errorf("a message rate of our own messages: %v", err)
	}
	connect := recipe(t, "127.0.0.1:1")
	connect.Stack = "tcp"
	const want = "tcp does not call other services"
	if _, err := open(t).Connect(t.Context(), connect); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("tcp: %v", err)
	}
}

// urlRecipe calls the JSON form of the server's own service as a stranger would.
func urlRecipe(stackName, address string) *control.Connect {
	return &control.Connect{
		Stack: stackName, Network: stack.NetworkTCP, Addresses: []string{address}, Security: plaintext, Connections: 2, InFlight: 3,
		Call: &control.Call{
			Kind: stack.KindUnary, Compression: stack.CompressionNone, DeadlineNs: int64(patience),
			Recipe: &control.Recipe{
				Url: "http://" + address + "/grpc.testing.BenchmarkService/UnaryCall", Name: "--data", Format: "json",
				Requests: []byte(`{"responseSize": 3}`),
			},
		},
	}
}

func TestAURLIsCalledAndItsTrafficCounted(t *testing.T) {
	t.Parallel()
	_, address := serve(t, "http-json-go")
	for _, name := range []string{"http-wire", "http-json-go"} {
		client := open(t)
		if _, err := client.Connect(t.Context(), urlRecipe(name, address)); err != nil {
			t.Fatal(err)
		}
		done, err := client.Begin(t.Context(), closed(30), ignore)
		if err != nil {
			t.Fatal(err)
		}
		want := int64(len(`{"payload":{"body":"AAAA"}}`))
		if done.GetMessagesOut() != 30 || done.GetMessagesIn() != 30 || done.GetPayloadBytesOut() != 30*19 ||
			done.GetPayloadBytesIn() != 30*want {
			t.Errorf("%s: %v", name, done)
		}
	}
}

func TestAFieldThatAURLCannotHaveIsNamed(t *testing.T) {
	t.Parallel()
	for field, change := range map[string]func(*control.Connect){
		"connect.call.recipe.url":    func(c *control.Connect) { c.Stack = "grpc-go" },
		"connect.call.recipe.method": func(c *control.Connect) { c.Call.Recipe.Method = "a.B/C" },
		"connect.call.recipe.schema": func(c *control.Connect) { c.Call.Recipe.Schema = []byte{0} },
		"connect.call.kind":          func(c *control.Connect) { c.Call.Kind = stack.KindFirstCall },
		"connect.call.messages":      func(c *control.Connect) { c.Call.Messages = 1 },
		"connect.call.recipe":        func(c *control.Connect) { c.Call.Recipe.Url = "nowhere" },
		"connect.options":            func(c *control.Connect) { c.Options = map[string]string{"http_version": "3"} },
	} {
		connect := urlRecipe("http-wire", "127.0.0.1:1")
		change(connect)
		_, err := open(t).Connect(t.Context(), connect)
		var fault *control.FaultError
		if !errors.As(err, &fault) || fault.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	grpc := recipe(t, "127.0.0.1:1")
	grpc.Call.Recipe.HttpMethod = "GET"
	expecting := recipe(t, "127.0.0.1:1")
	expecting.Call.Recipe.ExpectStatus = "404"
	wrong := recipe(t, "127.0.0.1:1")
	wrong.Stack = "http-wire"
	for field, connect := range map[string]*control.Connect{
		"connect.call.recipe.http_method": grpc, "connect.call.recipe.expect_status": expecting, "connect.call.recipe.method": wrong,
	} {
		_, err := open(t).Connect(t.Context(), connect)
		var fault *control.FaultError
		if !errors.As(err, &fault) || fault.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}
