package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"rpcbench/internal/results/result"
)

// loaded runs load with a results file, which must end with the exit code, and returns its trial and its standard error.
func loaded(t *testing.T, want int, args ...string) (result.Trial, string) {
	t.Helper()
	folder := t.TempDir()
	out := filepath.Join(folder, "out.jsonl")
	if !slices.Contains(args, "--warmup") {
		args = append(slices.Clone(args), "--warmup", "0s")
	}
	command := exec.Command("rpcbench", slices.Concat([]string{"load", "--out", out}, args)...)
	command.Dir = folder
	var said bytes.Buffer
	command.Stderr = &said
	if got := code(command.Run()); got != want {
		t.Fatalf("%v: exit code %d, want %d: %s", args, got, want, said.String())
	}
	file, err := result.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return file.Trials[0], said.String()
}

// A traffic is what a trial counted.
type traffic struct{ ok, messagesOut, messagesIn, bytesOut, bytesIn int64 }

func trafficOf(trial result.Trial) traffic {
	calls := trial.Clients[0]
	carried := traffic{
		messagesOut: calls.MessagesOut, messagesIn: calls.MessagesIn, bytesOut: calls.PayloadOut, bytesIn: calls.PayloadIn,
	}
	for _, o := range calls.Outcomes {
		if o.Code == result.CodeOK {
			carried.ok = o.Calls
		}
	}
	return carried
}

// An item of a name with four letters takes 6 bytes, with a count below 128 two more.
func TestEveryTypeOfMethodIsCalledAndCounted(t *testing.T) {
	t.Parallel()
	four := `[{"name": "nail"}, {"name": "bolt"}, {"name": "nuts"}, {"name": "glue"}]`
	for _, c := range []struct {
		name string
		args []string
		want traffic
	}{
		{"unary", []string{"Get", "-d", `{"name": "nail"}`}, traffic{30, 30, 30, 180, 180}},
		{"download", []string{"List", "-d", `{"name": "nail", "count": 3}`}, traffic{30, 30, 90, 240, 720}},
		{"download", []string{"List", "-d", `{"name": "nail", "count": -1}`, "--messages", "2"}, traffic{30, 30, 60, 510, 1020}},
		{"upload", []string{"Put", "-d", four}, traffic{30, 120, 30, 720, 60}},
		{"upload", []string{"Put", "-d", four, "--messages", "6"}, traffic{30, 180, 30, 1080, 60}},
		{"stream", []string{"Chat", "-d", four}, traffic{30, 120, 120, 720, 720}},
		{"ping_pong", []string{"Chat", "-d", four, "--kind", "ping_pong"}, traffic{30, 30, 30, 180, 180}},
		{"ping_pong", []string{"Chat", "-d", four, "--kind", "ping_pong", "--streams", "1"}, traffic{30, 30, 30, 180, 180}},
		{"unary", []string{"Get"}, traffic{30, 30, 30, 0, 0}},
	} {
		for _, stack := range []string{"grpc-go", "grpc-wire"} {
			t.Run(stack+" "+strings.Join(c.args, " "), func(t *testing.T) {
				t.Parallel()
				s := openShop(t)
				args := slices.Concat([]string{s.address, "--stack", stack, "--call", "shop.v1.Shop/" + c.args[0]}, c.args[1:],
					[]string{"--calls", "30", "--in-flight", "3", "--connections", "2"})
				trial, _ := loaded(t, 0, args...)
				if got := trafficOf(trial); got != c.want {
					t.Errorf("%+v, want %+v", got, c.want)
				}
				if trial.Spec.Kind != c.name || trial.Spec.Method.Name != "shop.v1.Shop/"+c.args[0] || trial.Spec.Stack != stack {
					t.Errorf("the trial is %s", trial.Spec)
				}
			})
		}
	}
}

func TestEveryCallSendsItsOwnRequestAndMetadata(t *testing.T) {
	t.Parallel()
	for _, stack := range []string{"grpc-go", "grpc-wire"} {
		s := openShop(t)
		folder := t.TempDir()
		requests, token := filepath.Join(folder, "requests.jsonl"), filepath.Join(folder, "token")
		writeText(t, requests, "{\"name\": \"nail-{{sequence}}\"}\n{\"name\": \"bolt\"}\n")
		writeText(t, token, "hush-hush\n")
		trial, _ := loaded(t, 0, s.address, "--stack", stack, "--call", "shop.v1.Shop/Get", "-d", "@"+requests, "--calls", "20",
			"-m", `{"x-shop": "corner-secret"}`, "-H", "x-call: {{sequence}}", "-H", "x-raw-bin: AAH/", "--token-file", token,
			"--authority", "shop.example", "--in-flight", "4")
		names, seen := s.came(), s.metadata()
		if names["bolt"] != 10 || names["nail-0"] != 1 || names["nail-18"] != 1 || len(names) != 11 {
			t.Errorf("%s: items came as %v", stack, names)
		}
		calls := map[string]bool{}
		for _, from := range seen {
			calls[strings.Join(from["x-call"], ",")] = true
			if got := slices.Concat(from["x-shop"], from["authorization"], from[":authority"], from["x-raw-bin"]); !slices.Equal(got,
				[]string{"corner-secret", "Bearer hush-hush", "shop.example", "\x00\x01\xff"}) {
				t.Errorf("%s: a call came with %q", stack, got)
			}
		}
		for i := range 20 {
			if !calls[strconv.Itoa(i)] {
				t.Errorf("%s: no call had x-call %d: %v", stack, i, calls)
			}
		}
		m := trial.Spec.Method
		if !slices.Equal(m.Metadata, []string{"x-call", "x-raw-bin", "x-shop", "authorization"}) || m.RequestCount != 2 ||
			m.Authority != "shop.example" || m.Schema != "reflection" || m.Requests != requests {
			t.Errorf("%s: the results say %+v", stack, m)
		}
	}
}

func TestAUserAgentOfGRPCReplacesOursOrIsRefused(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "rpcbench"},
		{[]string{"-H", "User-Agent: me"}, "me"},
	} {
		before := len(s.metadata())
		loaded(t, 0, append(c.args, s.address, "--call", "shop.v1.Shop/Get", "--stack", "grpc-wire", "--calls", "3")...)
		calls := s.metadata()[before:]
		if len(calls) != 3 {
			t.Errorf("%v: %d calls", c.args, len(calls))
		}
		for _, from := range calls {
			if got := from["user-agent"]; !slices.Equal(got, []string{c.want}) {
				t.Errorf("%v: a call came with %q, want %q", c.args, got, c.want)
			}
		}
	}
	want := "rpcbench: -H: metadata: the user-agent of grpc-go is its library's to set: leave it out, " +
		"or take the stack grpc-wire"
	if said := refusal(t, s.address, "--call", "shop.v1.Shop/Get", "--stack", "grpc-go", "-H", "user-agent: me"); said != want {
		t.Errorf("got %q", said)
	}
}

func TestResultsHoldNoSecret(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	folder := t.TempDir()
	command := exec.Command("rpcbench", "load", s.address, "--call", "shop.v1.Shop/Get", "-d", `{"name": "hush-data"}`,
		"-H", "x-key: hush-value", "--token-env", "SHOP_TOKEN", "--calls", "5", "--warmup", "0s", "--out", "out.jsonl")
	command.Dir, command.Env = folder, append(os.Environ(), "SHOP_TOKEN=hush-token")
	report, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, report)
	}
	held, err := os.ReadFile(filepath.Join(folder, "out.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range [][]byte{held, report} {
		if i := bytes.Index(text, []byte("hush")); i >= 0 {
			t.Errorf("a secret stands in %s", text[max(0, i-100):i+20])
		}
	}
	if names := s.came(); names["hush-data"] != 5 {
		t.Errorf("items came as %v", names)
	}
}

func TestSchemasOfFilesNeedNoReflection(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	folder := t.TempDir()
	set, source := filepath.Join(folder, "shop.protoset"), filepath.Join(folder, "shop.proto")
	encoded, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{s.file}})
	if err != nil {
		t.Fatal(err)
	}
	writeText(t, set, string(encoded))
	writeText(t, source, `syntax = "proto3"; package shop.v1;
message Item { string name = 1; int32 count = 2; }
service Shop { rpc Get(Item) returns (Item); }
`)
	for _, from := range [][]string{{"--protoset", set}, {"--proto", "shop.proto", "--import-path", folder}, {"--proto", source}} {
		args := []string{s.address, "--call", "/shop.v1.Shop/Get", "-d", `{"name": "nail"}`, "--calls", "5"}
		trial, _ := loaded(t, 0, append(args, from...)...)
		if got := trafficOf(trial); got != (traffic{5, 5, 5, 30, 30}) || trial.Spec.Method.Schema != from[1] {
			t.Errorf("%v: %+v of %s", from, got, trial.Spec.Method.Schema)
		}
	}
}

func TestStatusesAreOutcomes(t *testing.T) {
	t.Parallel()
	for _, stack := range []string{"grpc-go", "grpc-wire"} {
		s := openShop(t)
		trial, _ := loaded(t, 0, s.address, "--stack", stack, "--call", "shop.v1.Shop/Get", "--calls", "10",
			"-d", `[{"name": "none"}, {"name": "nail"}]`)
		want := []result.Outcome{
			{Code: "OK", Calls: 5}, {Code: "NOT_FOUND", Calls: 5, Example: trial.Clients[0].Outcomes[1].Example},
		}
		if got := trial.Clients[0].Outcomes; !slices.Equal(got, want) || !strings.Contains(got[1].Example, "there is no such item") {
			t.Errorf("%s: %+v", stack, trial.Clients[0].Outcomes)
		}
		if got := trafficOf(trial); got != (traffic{5, 5, 5, 30, 30}) {
			t.Errorf("%s: %+v, and failed calls are not counted", stack, got)
		}
	}
}

func TestGzipShrinksRequests(t *testing.T) {
	t.Parallel()
	for _, stack := range []string{"grpc-go", "grpc-wire"} {
		s := openShop(t)
		trial, _ := loaded(t, 0, s.address, "--stack", stack, "--call", "shop.v1.Shop/Get", "-d",
			`{"name": "`+strings.Repeat("nail", 1000)+`"}`, "--enable-compression", "--calls", "5")
		if got := trafficOf(trial); got != (traffic{5, 5, 5, 5 * 4003, 5 * 4003}) || trial.Spec.Compression != "gzip" {
			t.Errorf("%s carried %+v", trial.Spec, got)
		}
		if out := *trial.Clients[0].End.BytesOut - *trial.Clients[0].Begin.BytesOut; out > 5*1000 {
			t.Errorf("%s wrote %d bytes", trial.Spec, out)
		}
	}
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
