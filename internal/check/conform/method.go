package conform

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"

	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// A methodCase calls the server's own method as a foreign one.
type methodCase struct {
	kind, method string
	messages     uint32
	perSec       float64
	out, in      int64 // messages of a call
	within       map[string]int64
	request      string // of each call; "" is methodRequest
}

const (
	methodCalls    = 10
	methodMessages = 4
	// A server of a download has more to send than the client reads, but not endlessly: when a client has enough, some libraries
	// answer each further message with a frame, until they close the connection.
	messagesToSend = 3 * methodMessages
	messagesPerSec = 1000
	methodRequest  = `{"responseSize": 20, "payload": {"body": "{{random_bytes 10}}"}}`
	// Two bytes for the size of the reply, four for the tags and lengths of the payload and its body; a reply has four.
	methodRequestBytes, methodReplyBytes = 2 + 4 + 10, 4 + 20
)

var methodCases = []methodCase{
	{kind: stack.KindUnary, method: "UnaryCall", out: 1, in: 1},
	{kind: stack.KindUpload, method: "StreamingFromClient", messages: methodMessages, out: methodMessages, in: 1},
	{
		kind: stack.KindUpload, method: "StreamingFromClient", messages: methodMessages, perSec: messagesPerSec,
		out: methodMessages, in: 1, within: map[string]int64{"message_lag": methodMessages},
	},
	{
		kind: stack.KindDownload, method: "StreamingFromServer", messages: methodMessages, out: 1, in: methodMessages,
		within: map[string]int64{"first_reply": 1, "reply_gap": methodMessages - 1},
	},
	{
		kind: stack.KindStream, method: "StreamingCall", messages: methodMessages, out: methodMessages, in: methodMessages,
		within: map[string]int64{"first_reply": 1, "message": methodMessages},
	},
	{
		kind: stack.KindStream, method: "StreamingCall", messages: methodMessages, perSec: messagesPerSec,
		out: methodMessages, in: methodMessages,
		within: map[string]int64{"first_reply": 1, "message": methodMessages, "message_lag": methodMessages},
	},
	{kind: stack.KindPingPong, method: "StreamingCall", out: 1, in: 1},
}

// What the calls of numberedCases receive: as many bytes as firstLength and the call's number, tags and lengths of two bytes.
const firstLength, numberedOverhead = 1000, 6

var numberedCases = []methodCase{
	{kind: stack.KindUnary, method: "UnaryCall", request: numberedRequest},
	{kind: stack.KindPingPong, method: "StreamingCall", request: numberedRequest},
}

var numberedRequest = fmt.Sprintf(`{"responseSize": {{sequence %d}}}`, firstLength)

// callsMethods reports whether a client calls methods of other services than ours.
func callsMethods(info *control.StackInfo) bool {
	return info.GetProtocol() == stack.ProtocolGRPC && (info.GetMethods() || info.GetPreparedMethods())
}

// methods calls the server's methods as foreign ones, with recipes: it checks the counts of what calls carry, in each phase and
// after its window, and the times of messages within them, with a message rate and without.
func methods(r *rig) (string, error) {
	info, calls := r.pair.client.info, 0
	for _, c := range methodCases {
		if !slices.Contains(info.GetKinds(), c.kind) {
			continue
		}
		if err := r.callMethod(c); err != nil {
			return "", fmt.Errorf("%s, %v messages/s: %w", c.kind, c.perSec, err)
		}
		calls += 3 * methodCalls
	}
	for _, c := range numberedCases {
		if !slices.Contains(info.GetKinds(), c.kind) {
			continue
		}
		if err := r.callAsOneOf(2, c); err != nil {
			return "", fmt.Errorf("%s of one of 2 clients: %w", c.kind, err)
		}
		calls += methodCalls
	}
	return fmt.Sprintf("%d calls", calls), nil
}

// callMethod makes the calls of a case in two phases, each of which has its own counts, and then late ones.
func (r *rig) callMethod(c methodCase) error {
	return r.withMethod(c, shape{1, 2}, 0, 1, func(client *party) error {
		for range 2 {
			done, err := r.phase(client, closedCalls(methodCalls))
			if err == nil {
				err = judgeMethod(done, c)
			}
			if err != nil {
				return err
			}
		}
		per := traffic{c.out, c.in, c.out * methodRequestBytes, c.in * methodReplyBytes}
		return r.judgeLate(client, methodCalls, func(done *control.Done) error { return checkTail(done, per) })
	})
}

// callAsOneOf makes the calls of a case as the last of several clients. The length of each reply tells the number of its call.
func (r *rig) callAsOneOf(clients uint32, c methodCase) error {
	return r.withMethod(c, shape{1, 1}, clients-1, clients, func(client *party) error {
		done, err := r.phase(client, closedCalls(methodCalls))
		if err != nil {
			return err
		}
		var numbers stack.Ledger
		numbers.Deal(clients-1, clients)
		want := uint64(0)
		for range methodCalls {
			want += firstLength + numbers.NextCall() + numberedOverhead
		}
		if got := done.GetPayloadBytesIn(); got != int64(want) {
			return fmt.Errorf("done.payload_bytes_in is %d, want %d: its calls have other numbers", got, want)
		}
		return wantOutcome(done, "OK", methodCalls)
	})
}

// withMethod connects a client, the part of several, which calls the method of a case.
func (r *rig) withMethod(c methodCase, at shape, part, parts uint32, do func(client *party) error) error {
	s := plain(c.kind, at)
	client, server, err := r.served(&s)
	if err != nil {
		return err
	}
	defer client.close()
	defer server.close()
	command, err := r.methodCommand(s, c)
	if err != nil {
		return err
	}
	recipe := command.GetCall().GetRecipe()
	recipe.Part, recipe.Parts = part, parts
	if _, err := client.Connect(r.ctx, command); err != nil {
		return fmt.Errorf("client: %w", client.explain(err))
	}
	return do(client)
}

func (r *rig) methodCommand(s setup, c methodCase) (*control.Connect, error) {
	service, messages := testpb.File_grpc_testing_benchmark_service_proto, testpb.File_grpc_testing_messages_proto
	methods := protodesc.ToFileDescriptorProto(service)
	missing := proto.CloneOf(methods.GetService()[0].GetMethod()[0])
	missing.Name = new(missingMethod)
	methods.GetService()[0].Method = append(methods.GetService()[0].GetMethod(), missing)
	schema, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{
		protodesc.ToFileDescriptorProto(messages), methods,
	}})
	if err != nil {
		return nil, err
	}
	recipe := &control.Recipe{
		Method: "grpc.testing.BenchmarkService/" + c.method, Schema: schema, Name: "requests", Format: "json",
		Requests: []byte(cmp.Or(c.request, methodRequest)), Seed: seed,
		Metadata: []*control.Metadatum{
			{Source: "metadata", Name: "x-id", Value: "{{uuid}}"},
			{Source: "metadata", Name: stack.MessagesMetadata, Value: strconv.Itoa(messagesToSend)},
		},
	}
	if r.pair.client.info.GetPreparedMethods() {
		if recipe, err = control.Prepare(recipe); err != nil {
			return nil, err
		}
	}
	if c.kind == stack.KindPingPong {
		s.streams = s.inFlight
	}
	s.call = &control.Call{
		Kind: c.kind, Compression: stack.CompressionNone, Messages: c.messages, DeadlineNs: int64(caseLimit),
		MessageRatePerSec: c.perSec, Recipe: recipe,
	}
	return r.connectCommand(s), nil
}

func judgeMethod(done *control.Done, c methodCase) error {
	if err := wantOutcome(done, "OK", methodCalls); err != nil {
		return err
	}
	for _, count := range []struct {
		name      string
		got, want int64
	}{
		{"messages_out", done.GetMessagesOut(), methodCalls * c.out},
		{"messages_in", done.GetMessagesIn(), methodCalls * c.in},
		{"payload_bytes_out", done.GetPayloadBytesOut(), methodCalls * c.out * methodRequestBytes},
		{"payload_bytes_in", done.GetPayloadBytesIn(), methodCalls * c.in * methodReplyBytes},
		{"unpaired_replies", done.GetUnpairedReplies(), 0},
	} {
		if count.got != count.want {
			return fmt.Errorf("done.%s is %d, want %d", count.name, count.got, count.want)
		}
	}
	all, err := decodeAll(done)
	if err != nil {
		return err
	}
	for _, name := range []string{"first_reply", "reply_gap", "message", "message_lag"} {
		var got int64
		if all[name] != nil {
			got = all[name].TotalCount()
		}
		if want := methodCalls * c.within[name]; got != want {
			return fmt.Errorf("the histogram %q has %d times, want %d", name, got, want)
		}
	}
	return nil
}
