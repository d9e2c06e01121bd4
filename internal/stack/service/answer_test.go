package service_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/service"
)

// served is the payload that a server has of its own.
var served = stack.NewResponder(stack.ServeConfig{Reply: func(n int) []byte { return []byte(strings.Repeat("s", n)) }})

func asked(body string, responseBytes int32) *testpb.SimpleRequest {
	return &testpb.SimpleRequest{Payload: &testpb.Payload{Body: []byte(body)}, ResponseSize: responseBytes}
}

func TestAnAnswerHasTheRequestsPayloadOrOneOfTheSizeAskedFor(t *testing.T) {
	t.Parallel()
	for size, want := range map[int32]string{0: "", 2: "ss", 3: "abc", 4: "ssss"} {
		answer, err := service.Respond(asked("abc", size), served)
		if err != nil || string(answer.GetPayload().GetBody()) != want || service.BodyBytes(answer) != len(want) {
			t.Errorf("%d bytes: got %v, %v, want %q", size, answer, err, want)
		}
	}
	for _, size := range []int32{-1, stack.MessageBytesMax + 1} {
		if _, err := service.Respond(asked("abc", size), served); stack.CodeOf(err) != stack.InvalidArgument {
			t.Errorf("%d bytes: got %v, want INVALID_ARGUMENT", size, err)
		}
	}
	refused := &testpb.SimpleRequest{ResponseStatus: &testpb.EchoStatus{Code: 14, Message: "later"}}
	if _, err := service.Respond(refused, served); stack.CodeOf(err) != stack.Unavailable || stack.Reason(err) != "later" {
		t.Errorf("got %v, want UNAVAILABLE", err)
	}
}

// A tape is a server's stream: it receives what is in, then end, and keeps what is sent.
type tape struct {
	in   []*testpb.SimpleRequest
	end  error
	out  []string
	most int // messages that the client takes; 0 is all
}

var errGone = errors.New("the client is gone")

func (s *tape) Recv() (*testpb.SimpleRequest, error) {
	if len(s.in) == 0 {
		return nil, s.end
	}
	first := s.in[0]
	s.in = s.in[1:]
	return first, nil
}

func (s *tape) Send(answer *testpb.SimpleResponse) error {
	if s.most > 0 && len(s.out) == s.most {
		return errGone
	}
	s.out = append(s.out, string(answer.GetPayload().GetBody()))
	return nil
}

func respond(request *testpb.SimpleRequest) (*testpb.SimpleResponse, error) {
	return service.Respond(request, served)
}

func TestEachMessageIsAnsweredAtOnceOrWithItsBurst(t *testing.T) {
	t.Parallel()
	for burst, want := range map[string]string{"": "a b c", "1": "a b c", "2": "a b", "4": ""} {
		s := &tape{in: []*testpb.SimpleRequest{asked("a", 1), asked("b", 1), asked("c", 1)}, end: io.EOF}
		err := service.AnswerEach(s, burst, served, respond, service.BodyBytes)
		if got := strings.Join(s.out, " "); err != nil || got != want {
			t.Errorf("burst %q: got %q, %v, want %q", burst, got, err, want)
		}
	}
	broken := &tape{in: []*testpb.SimpleRequest{asked("a", 1)}, end: errGone}
	if err := service.AnswerEach(broken, "", served, respond, service.BodyBytes); !errors.Is(err, errGone) {
		t.Errorf("got %v", err)
	}
	if err := service.AnswerEach(&tape{}, "x", served, respond, service.BodyBytes); stack.CodeOf(err) != stack.InvalidArgument {
		t.Errorf("got %v, want INVALID_ARGUMENT", err)
	}
}

func TestTheLastMessageIsAnsweredOrAnEmptyOne(t *testing.T) {
	t.Parallel()
	for want, in := range map[string][]*testpb.SimpleRequest{"b": {asked("a", 1), asked("b", 1)}, "": nil} {
		answer, err := service.AnswerLast(&tape{in: in, end: io.EOF}, respond)
		if err != nil || string(answer.GetPayload().GetBody()) != want {
			t.Errorf("got %v, %v, want %q", answer, err, want)
		}
	}
	if _, err := service.AnswerLast(&tape{end: errGone}, respond); !errors.Is(err, errGone) {
		t.Errorf("got %v", err)
	}
}

func TestAnAnswerIsSentAsOftenAsAskedOrUntilTheClientHasEnough(t *testing.T) {
	t.Parallel()
	answer := &testpb.SimpleResponse{}
	s := &tape{}
	if err := service.AnswerMany(s, answer, "3"); err != nil || len(s.out) != 3 {
		t.Errorf("sent %d, %v, want 3", len(s.out), err)
	}
	endless := &tape{most: 5}
	if err := service.AnswerMany(endless, answer, ""); !errors.Is(err, errGone) || len(endless.out) != 5 {
		t.Errorf("sent %d, %v, want 5", len(endless.out), err)
	}
	if err := service.AnswerMany(&tape{}, answer, "-1"); stack.CodeOf(err) != stack.InvalidArgument {
		t.Errorf("got %v, want INVALID_ARGUMENT", err)
	}
}
