package point

import "testing"

func base(change func(*Spec)) Spec {
	s := Spec{Stack: "grpc-go", Server: "grpc-go", Protocol: "grpc", Kind: "unary", RequestBytes: 1000, ResponseBytes: 1000,
		Connections: 1, InFlight: 1, Load: LoadClosed, Security: "plaintext", Network: "tcp", Compression: "none",
		Payload: "random", DeadlineNs: 10e9, DrainNs: 10e9, WarmupNs: 1e9, DurationNs: 5e9}
	change(&s)
	return s
}

func TestStringNamesATrialInOneLine(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		change func(*Spec)
		want   string
	}{
		{func(s *Spec) { s.InFlight = 50 }, "grpc-go unary 1000 B 1x50 closed"},
		{func(s *Spec) { s.ResponseBytes = 0 }, "grpc-go unary 1000/0 B 1x1 closed"},
		{func(s *Spec) { s.Kind, s.Calls = "connect", 5 }, "grpc-go connect 1x1 closed"},
		{func(s *Spec) { s.Kind, s.Messages = "stream", 10 }, "grpc-go stream 10 x 1000 B 1x1 closed"},
		{func(s *Spec) { s.Kind, s.Messages, s.RequestBytes = "download", 10, 0 }, "grpc-go download 10 x 0/1000 B 1x1 closed"},
		{func(s *Spec) { s.Kind, s.InFlight, s.Streams = "ping_pong", 8, 8 }, "grpc-go ping_pong 1000 B 1x8 closed"},
		{func(s *Spec) { s.Kind, s.InFlight, s.Streams = "ping_pong", 8, 1 }, "grpc-go ping_pong 1000 B 1x8 closed streams 1"},
		{func(s *Spec) { s.Kind, s.InFlight, s.Streams, s.Messages = "burst", 8, 1, 5 },
			"grpc-go burst 5 x 1000 B 1x8 closed streams 1"},
		{func(s *Spec) { s.Batch, s.RequestBytes, s.ResponseBytes = 100, 8, 8 }, "grpc-go unary batch 100 of 8 B 1x1 closed"},
		{func(s *Spec) { s.Kind, s.Messages, s.Batch, s.ResponseBytes = "upload", 9, 2, 0 },
			"grpc-go upload 9 x batch 2 of 1000/0 B 1x1 closed"},
		{func(s *Spec) { s.Connections, s.Servers, s.Link = 4, 2, &Link{Name: "wan", RTTNs: 45e6} },
			"grpc-go unary 1000 B 4x1 closed 2 servers over wan"},
		{func(s *Spec) { s.Link = &Link{"", 10e6, 1e6, 187.5, 2.5e6} },
			"grpc-go unary 1000 B 1x1 closed over rtt 10ms jitter 1ms up 0.0015Mbit down 20Mbit"},
		{calling(Method{Requests: "nothing", RequestCount: 1}), "grpc-go unary a.B/C 1x1 closed"},
		{calling(Method{Requests: "--data", RequestCount: 1, RequestBytesLeast: 22, RequestBytesMost: 22}),
			"grpc-go unary a.B/C 22 B from --data 1x1 closed"},
		{calling(Method{Requests: "a.json", RequestCount: 3, RequestBytesLeast: 22, RequestBytesMost: 4000, Sample: true}),
			"grpc-go unary a.B/C sampled of 3 of 22-4000 B from a.json 1x1 closed"},
		{func(s *Spec) {
			calling(Method{Requests: "stdin", RequestCount: 1, RequestBytesLeast: 2, RequestBytesMost: 2, MessagesMost: 9})(s)
			s.Kind, s.Messages = "upload", 5
		}, "grpc-go upload a.B/C 5 messages of up to 9 x 2 B from stdin 1x1 closed"},
		{func(s *Spec) { s.Load, s.OfferedPerSec = "constant", 1e7 }, "grpc-go unary 1000 B 1x1 constant 10000000/s"},
		{func(s *Spec) { s.Load, s.OfferedPerSec = "poisson", 0.5 }, "grpc-go unary 1000 B 1x1 poisson 0.5/s"},
		{func(s *Spec) {
			s.Server, s.Security, s.Network, s.Compression, s.Payload = "b", "tls", "unix", "gzip", "json"
			s.ClientCPUs, s.ServerCPUs, s.DeadlineNs = "0-1", "2", 1e9
			s.Options = map[string]string{"b": "2", "a": "1"}
		}, "grpc-go unary 1000 B 1x1 closed server b tls unix gzip json client on 0-1 server on 2 a=1 b=2 deadline 1s"},
	} {
		if got := base(test.change).String(); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

// calling makes a Spec one of calls of a foreign method.
func calling(m Method) func(*Spec) {
	m.Name = "a.B/C"
	return func(s *Spec) { s.Method, s.RequestBytes, s.ResponseBytes, s.Payload = &m, 0, 0, "" }
}
