package cli_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

// With more calls in flight than a connection may have streams, the others wait in the client, which the server never sees.
func TestALoadSaysThatCallsWaitForStreams(t *testing.T) {
	t.Parallel()
	s := openShop(t, grpc.MaxConcurrentStreams(5))
	for _, c := range []struct {
		method, inFlight string
		args             []string
		want             string
	}{
		{"Get", "5", nil, ""},
		{"Get", "6", nil, "The server at " + s.address + " accepts 5 calls at once on a connection, and up to 6 are in flight on " +
			"each: the others wait in the client, which is part of their response times. Open more connections (--connections)."},
		{"Chat", "6", []string{"--kind", "ping_pong", "--streams", "1"}, ""}, // all on one stream
	} {
		out := filepath.Join(t.TempDir(), "out.jsonl")
		args := append([]string{"load", s.address, "--call", "shop.v1.Shop/" + c.method, "--calls", "10", "--warmup", "0s",
			"--out", out, "--in-flight", c.inFlight}, c.args...)
		text, err := exec.Command("rpcbench", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v: %s", c, err, text)
		}
		file, err := result.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, note := range file.Header.Notes {
			if note.Code == plan.NoteStreamLimit {
				got += note.Text
			}
		}
		if got != c.want {
			t.Errorf("%v: %q, want %q", c, got, c.want)
		}
		if c.want != "" && !strings.Contains(strings.Join(strings.Fields(string(text)), " "), c.want) {
			t.Errorf("%v: it is not in the report:\n%s", c, text)
		}
	}
}

// A stream without messages has no first one, whose size counts.
func TestTheSizesOfRequestsPassOverEmptyStreams(t *testing.T) {
	t.Parallel()
	trial, _ := loaded(t, 0, openShop(t).address, "--call", "shop.v1.Shop/Put", "--calls", "10",
		"--data", `[] [{"name": "nail"}, {}] [{"name": "hammer"}]`)
	got := trial.Spec.Method.RequestSizes()
	if want := (plan.RequestSizes{Count: 3, BytesLeast: 6, BytesMost: 8, MessagesMost: 2}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
