package point

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/stack"
)

// fullSpec has a value in every field that a limit is about.
func fullSpec() Spec {
	return base(func(s *Spec) {
		s.Kind, s.Messages, s.InFlight, s.Streams, s.Load, s.OfferedPerSec = "ping_pong", 5, 2, 1, LoadPoisson, 10
		s.Link = &Link{RTTNs: 1e6, JitterNs: 1e3, UpBytesPerSec: 1e6, DownBytesPerSec: 1e6}
		s.Background = &Background{Kind: "stream", RequestBytes: 1, ResponseBytes: 1, Messages: 1}
		s.ClientCPUs, s.ServerCPUs, s.JVMOptions, s.Message, s.Codec = "0", "1-2", "-Xmx1g", "small", "json"
		s.WarmupMostNs, s.CompilersMostNs, s.Batch, s.Servers, s.Clients, s.SampleNs = 3e9, 6e10, 2, 1, 1, 1e6
		s.Schedule = &Schedule{Name: "line", Stages: []Stage{{From: 1, To: 2, LengthNs: 1e9}}}
		s.Method, s.MessageRatePerSec = &Method{}, 1
		s.Binary = "old=./old"
		s.Program = &Program{
			Command: []string{"./mine", "{port}", "{config}"}, Protocol: "grpc", Address: "127.0.0.1:80", ReadyLine: "ready",
			Library: "1.0", WithinNs: 1e9, Config: "a",
		}
		s.Proxy = &Proxy{Name: "nginx", Program: &Program{
			Command: []string{"./mine", "{port}", "{upstream}", "{config}"}, Protocol: "grpc", ReadyLine: "ready", Library: "1.0",
			WithinNs: 1e9, Config: "a",
		}}
	})
}

// unbounded are fields that no limit is about: names that are compared with known ones elsewhere, the target, which is
// asked for, and words for readers.
var unbounded = []string{
	"Target", "Protocol", "Method.Name", "Method.Schema", "Method.Requests", "Method.Authority", "Method.Metadata",
	"Method.Rows", "Method.RowCount", "Method.ExpectStatus",
	"Method.RequestCount", "Method.RequestBytesLeast", "Method.RequestBytesMost", "Method.MessagesMost",
	"Method.Unprepared", "Method.Which", // in no file
	"Method.Mix.Name", "Method.Mix.Method", "Method.Mix.Weight", // of all together alone
	"Link.Name", "Program.Config", "Proxy.Program.Config", // a text of several lines
	"Schedule.Name",
	"ResponseSizes.Bins.Weight", // of all together alone
}

// A field that is added to Spec and has no limit fails here.
func TestEveryFieldOfASpecHasItsLimits(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, spec := range []Spec{fullSpec(), drawnSpec(), storeSpec()} {
		tried += triedWild(t, &spec)
	}
	if tried < 200 {
		t.Errorf("%d values were tried", tried)
	}
}

// triedWild tries values in all fields of a good Spec that no limit allows.
func triedWild(t *testing.T, spec *Spec) (tried int) {
	t.Helper()
	if err := spec.Check(); err != nil {
		t.Fatal(err)
	}
	eachField("", reflect.ValueOf(spec).Elem(), func(name string, field reflect.Value) {
		for _, wild := range wildValues(field.Kind()) {
			before := reflect.New(field.Type()).Elem()
			before.Set(field)
			field.Set(reflect.ValueOf(wild).Convert(field.Type()))
			through := spec.Proxy
			if name == "Target" {
				spec.Proxy = nil // none can be put before a server that runs
			}
			err := spec.Check()
			spec.Proxy = through
			field.Set(before)
			tried++
			if free := contains(unbounded, name); (err == nil) != free {
				t.Errorf("%s %v: %v; is it free: %v", name, wild, err, free)
			}
		}
	})
	return tried
}

// drawnSpec has random sizes, which no batch can have.
func drawnSpec() Spec {
	return base(func(s *Spec) {
		s.RequestSizes, s.RequestBytes = &Sizes{Text: "uniform 1..30"}, 30
		s.ResponseSizes, s.ResponseBytes = &Sizes{Text: "file x.csv", Bins: []stack.SizeBin{{Least: 1, Most: 40, Weight: 1}}}, 40
		s.Ports, s.IdleStreams = 1, 3
	})
}

// storeSpec has accesses to a store.
func storeSpec() Spec {
	return base(func(s *Spec) {
		s.Batch, s.RequestBytes, s.ResponseBytes, s.Records, s.Reads, s.Keys = 2, 8, 8, 10, "50%", "zipf 0.5"
	})
}

func contains(list []string, name string) bool {
	for _, each := range list {
		if name == each || strings.HasPrefix(name, each+".") {
			return true
		}
	}
	return false
}

// eachField visits the fields that hold numbers and texts, those of structs and slices below them too.
func eachField(name string, v reflect.Value, visit func(string, reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			eachField(strings.TrimPrefix(name+"."+v.Type().Field(i).Name, "."), v.Field(i), visit)
		}
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		eachField(name, v.Elem(), visit)
	case reflect.Slice:
		for i := range v.Len() {
			eachField(name, v.Index(i), visit)
		}
	case reflect.Bool, reflect.Map:
	default:
		visit(name, v)
	}
}

// wildValues are those that no field with a limit may have.
func wildValues(kind reflect.Kind) []any {
	switch kind {
	case reflect.String:
		return []any{"a\nb"}
	case reflect.Float64:
		return []any{-1.0, 1e300, math.NaN(), math.Inf(1)}
	default:
		return []any{-1, math.MaxInt64}
	}
}

func TestLimitsAreThoseOfScenarios(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*Spec){
		"servers: 150 is above the limit of 64": func(s *Spec) { s.Servers = 150 },
		"servers: 2 is more than the number of connections of shape 1x1, so some servers would have none": func(s *Spec) {
			s.Servers = 2
		},
		"shape: 4000000000x1: connections: 4000000000 is above the limit of 10000": func(s *Spec) {
			s.Connections = 4_000_000_000
		},
		`shape: "-1x1" is not a shape, such as 4x25 (connections x calls in flight on each)`: func(s *Spec) { s.Connections = -1 },
		"duration: 876000h0m0s is above the limit of 24h": func(s *Spec) {
			s.DurationNs = int64(100 * 365 * 24 * time.Hour)
		},
		"calls and duration are mutually exclusive; give only one": func(s *Spec) { s.Calls = 5 },
		`load: "closed 5/s": a closed loop has no rate`:            func(s *Spec) { s.OfferedPerSec = 5 },
		`kind: "" is unknown; known: connect, first_call, unary, stream, ping_pong, burst, upload, download, both_ways, ` +
			`encode, decode`: func(
			s *Spec) {
			s.Kind = ""
		},
		`jvm_options: "@evil" is not a JVM option, such as -Xmx2g`: func(s *Spec) { s.JVMOptions = "-Xmx1g @evil" },
		"message_rate_per_sec: only calls of a method support it":  func(s *Spec) { s.MessageRatePerSec = 5 },
		`ramp "x": it has 0 steps; it needs 1 to 10000`:            func(s *Spec) { s.Schedule = &Schedule{Name: "x"} },
		`ramp "x": a step of 0s is shorter than the minimum of 1ms`: func(s *Spec) {
			s.Schedule = &Schedule{Name: "x", Stages: []Stage{{}}}
		},
		`ramp "x": a step from 0 to 2e+06 is not between 0 and 1e+06`: func(s *Spec) {
			s.Schedule = &Schedule{Name: "x", Stages: []Stage{{To: 2e6, LengthNs: 1e9}}}
		},
		`ramp "x": it takes 48h0m0s, above the limit of 24h0m0s`: func(s *Spec) {
			half := Stage{LengthNs: int64(24 * time.Hour)}
			s.Schedule = &Schedule{Name: "x", Stages: []Stage{half, half}}
		},
	} {
		checkError(t, base(change).Check(), want)
	}
	often := Asked{Spec: base(func(*Spec) {}), Trials: 1001}
	checkError(t, often.Check(), "trials: 1001 is above the limit of 1000")
	if often.Trials = 0; often.Check() != nil {
		t.Error(often.Check())
	}
}

func checkError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
