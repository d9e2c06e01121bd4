package plan

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func base(change func(*Spec)) Spec {
	s := Spec{Stack: "grpc-go", Server: "grpc-go", Protocol: "grpc", Kind: "unary", RequestBytes: 1000, ResponseBytes: 1000,
		Connections: 1, InFlight: 1, Load: LoadClosed, Security: "plaintext", Network: "tcp", Compression: "none",
		Payload: "random", DeadlineNs: 10e9, DrainNs: 10e9, WarmupNs: 1e9, DurationNs: 5e9}
	change(&s)
	return s
}

func TestExpandFillsEveryFieldOfTheSpec(t *testing.T) {
	t.Parallel()
	same := func(*Spec) {}
	wifi := &Link{Name: "wifi", RTTNs: 2e6, JitterNs: 1e6, UpBytesPerSec: 15e6 / 8, DownBytesPerSec: 30e6 / 8}
	for _, test := range []struct {
		keys string
		want []Spec
	}{
		{"kind: unary", []Spec{base(same)}},
		{"kind: unary, request_bytes: [1, 2], response_bytes: [3, 4]", []Spec{
			base(func(s *Spec) { s.RequestBytes, s.ResponseBytes = 1, 3 }),
			base(func(s *Spec) { s.RequestBytes, s.ResponseBytes = 1, 4 }),
			base(func(s *Spec) { s.RequestBytes, s.ResponseBytes = 2, 3 }),
			base(func(s *Spec) { s.RequestBytes, s.ResponseBytes = 2, 4 }),
		}},
		{"kind: connect, shape: 2x3", []Spec{base(func(s *Spec) {
			s.Kind, s.RequestBytes, s.ResponseBytes, s.Connections, s.InFlight = "connect", 0, 0, 2, 3
			s.DurationNs, s.Calls = 0, 1000
		})}},
		{"kind: ping_pong, shape: [1x4, 2x8]", []Spec{
			base(func(s *Spec) { s.Kind, s.InFlight, s.Streams = "ping_pong", 4, 4 }),
			base(func(s *Spec) { s.Kind, s.Connections, s.InFlight, s.Streams = "ping_pong", 2, 8, 8 }),
		}},
		{"kind: ping_pong, shape: 1x4, streams: [1, 2]", []Spec{
			base(func(s *Spec) { s.Kind, s.InFlight, s.Streams = "ping_pong", 4, 1 }),
			base(func(s *Spec) { s.Kind, s.InFlight, s.Streams = "ping_pong", 4, 2 }),
		}},
		{"kind: upload, messages: 5, request_bytes: 7", []Spec{base(func(s *Spec) {
			s.Kind, s.RequestBytes, s.ResponseBytes, s.Messages = "upload", 7, 0, 5
		})}},
		{"kind: download, response_bytes: 7", []Spec{base(func(s *Spec) {
			s.Kind, s.RequestBytes, s.ResponseBytes, s.Messages = "download", 0, 7, 1000
		})}},
		{"kind: unary, load: poisson 0.5/s, security: mtls, network: unix, compression: gzip, payload: json, " +
			"client_cpus: 0, server_cpus: 1-2, options: {server_workers: 4}, deadline: 1s, drain: 2s, warmup: 0s, calls: 9",
			[]Spec{base(func(s *Spec) {
				s.Load, s.OfferedPerSec, s.Security, s.Network, s.Compression = LoadPoisson, 0.5, "mtls", "unix", "gzip"
				s.Payload, s.ClientCPUs, s.ServerCPUs = "json", "0", "1-2"
				s.Options = map[string]string{"server_workers": "4"}
				s.DeadlineNs, s.DrainNs, s.WarmupNs, s.DurationNs, s.Calls = 1e9, 2e9, 0, 0, 9
			})}},
		{"kind: unary, batch: [1, 100]", []Spec{
			base(func(s *Spec) { s.Batch, s.RequestBytes, s.ResponseBytes = 1, 8, 8 }),
			base(func(s *Spec) { s.Batch, s.RequestBytes, s.ResponseBytes = 100, 8, 8 }),
		}},
		{"kind: burst, shape: 2x3, request_bytes: 7", []Spec{base(func(s *Spec) {
			s.Kind, s.RequestBytes, s.ResponseBytes, s.Messages = "burst", 7, 7, 100
			s.Connections, s.InFlight, s.Streams = 2, 3, 3
		})}},
		{"kind: unary, shape: 4x1, servers: [1, 4], link: [loopback, wifi, {rtt: 1ms, up: 8kbit}]", []Spec{
			base(func(s *Spec) { s.Connections = 4 }),
			base(func(s *Spec) { s.Connections, s.Link = 4, wifi }),
			base(func(s *Spec) { s.Connections, s.Link = 4, &Link{RTTNs: 1e6, UpBytesPerSec: 1000} }),
			base(func(s *Spec) { s.Connections, s.Servers = 4, 4 }),
			base(func(s *Spec) { s.Connections, s.Servers, s.Link = 4, 4, wifi }),
			base(func(s *Spec) { s.Connections, s.Servers, s.Link = 4, 4, &Link{RTTNs: 1e6, UpBytesPerSec: 1000} }),
		}},
		{"kind: unary, load: constant 5/s", []Spec{base(func(s *Spec) { s.Load, s.OfferedPerSec = LoadConstant, 5 })}},
	} {
		p := unshuffled(t, false, parse(t, "x", "- {title: a, stack: grpc-go, "+test.keys+"}"))
		var got []Spec
		for _, trial := range p.Trials {
			got = append(got, trial.Spec)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s:\n%s", test.keys, diff)
		}
	}
}

func TestExpectedSumsPhasesAndOverhead(t *testing.T) {
	t.Parallel()
	trial := func(change func(*Spec)) Trial { return Trial{Spec: base(change)} }
	counted := func(s *Spec) { s.DurationNs, s.Calls = 0, 1000 }
	for _, test := range []struct {
		trials []Trial
		want   time.Duration
	}{
		{nil, 0},
		{[]Trial{trial(func(*Spec) {}), trial(func(s *Spec) { s.DurationNs = 1 })}, 7300*time.Millisecond + 1},
		// One that reuses processes waits for no start, no connections and, but for the first of a row, no compilers.
		{slices.Repeat([]Trial{func() Trial {
			t := trial(func(s *Spec) { s.Connections, s.Link, s.CompilersMostNs = 4, &Link{RTTNs: 100e6}, 30e9 })
			t.Reuse = true
			return t
		}()}, 2), 17400 * time.Millisecond},
		{[]Trial{trial(counted)}, 2150 * time.Millisecond},
		{[]Trial{trial(func(s *Spec) { counted(s); s.Connections, s.InFlight = 2, 5 })}, 1250 * time.Millisecond},
		{[]Trial{trial(func(s *Spec) { counted(s); s.Load, s.OfferedPerSec, s.InFlight = "constant", 500, 9 })},
			3150 * time.Millisecond},
		{[]Trial{trial(func(s *Spec) { s.Servers, s.Connections = 3, 3 })}, 6300 * time.Millisecond},
		// Four connections of three round trips each, and one more round trip after either phase.
		{[]Trial{trial(func(s *Spec) { s.Connections, s.Link = 4, &Link{RTTNs: 100e6} })}, 7625 * time.Millisecond},
		// Without a warm-up; a megabyte up takes a second, one down half of one.
		{[]Trial{trial(func(s *Spec) {
			s.WarmupNs, s.RequestBytes, s.ResponseBytes, s.Link = 0, 1e6, 1e6, &Link{UpBytesPerSec: 1e6, DownBytesPerSec: 2e6}
		})}, 6725 * time.Millisecond},
		// Ten calls of 1 ms and four round trips, which open what they need; and such a call after either phase.
		{[]Trial{trial(func(s *Spec) {
			s.Kind, s.RequestBytes, s.ResponseBytes, s.DurationNs, s.Calls = "first_call", 0, 0, 0, 10
			s.Link = &Link{RTTNs: 100e6}
		})}, 6035 * time.Millisecond},
		{[]Trial{
			trial(func(s *Spec) { counted(s); s.Calls, s.Load, s.OfferedPerSec = 1e10, "poisson", 1e-300 }),
			trial(func(s *Spec) { s.DurationNs = math.MaxInt64 - 2e9 }),
		}, math.MaxInt64},
	} {
		if got := Expected(test.trials); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}
