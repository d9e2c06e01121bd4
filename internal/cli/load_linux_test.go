package cli_test

import (
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The last second of a load may be shorter: it ends with it.
func TestLoadShowsTheLastSecondOnATerminal(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, said := onTerminal(t, t.TempDir(), nil, "load", s.address, "--call", "shop.v1.Shop/Get", "-d",
		`[{"name": "none"}, {"name": "nail"}]`, "--rate", "10", "--calls", "8", "--warmup", "0s", "--out", "r.jsonl")
	line := regexp.MustCompile(`\d+%, 0s left, [\d,.]+ calls/s, p50 [\d,.]+ .?s, p99 [\d,.]+ .?s, \d+ errors?, \d+ in flight`)
	if !line.MatchString(said) {
		t.Errorf("stderr %q, want %s in it", said, line)
	}
}

// The last of its calls waits until the metrics have been read.
func TestMetricsAreServedWhileALoadRuns(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	p := prepare(t, t.TempDir(), "load", s.address, "--call", "shop.v1.Shop/Get", "-d",
		`[{"name": "none"}, {"name": "nail"}, {"name": "last"}]`, "--calls", "3", "--deadline", "1h", "--stall", "1h",
		"--warmup", "0s", "--metrics", "127.0.0.1:0", "--out", "r.jsonl")
	said, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	p.cmd.Stderr = said
	p.begin(t)
	var url string
	waitUntil(t, "the address of the metrics", func() bool {
		text, err := os.ReadFile(said.Name())
		url = regexp.MustCompile(`http://\S+/metrics`).FindString(string(text))
		return err == nil && url != ""
	})
	labels := `{kind="unary",method="shop.v1.Shop/Get",phase="measured",result="ok",stack="grpc-wire",target="` + s.address + `"} `
	var told string
	waitUntil(t, "calls in the metrics", func() bool {
		response, err := http.Get(url)
		if err != nil {
			return false
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		told = string(text)
		return err == nil && strings.Contains(told, "rpcbench_response_max_seconds{") // the last that is set
	})
	close(s.last)
	for _, want := range []string{
		"rpcbench_calls_total" + labels + "1\n", "rpcbench_calls_total" + strings.ReplaceAll(labels, `"ok"`, `"error"`) + "1\n",
		"rpcbench_in_flight{", `rpcbench_response_seconds{`, `quantile="0.99"`,
	} {
		if !strings.Contains(told, want) {
			t.Errorf("the metrics lack %s:\n%s", want, told)
		}
	}
	if got := p.exit(t); got != 0 {
		t.Errorf("exit code %d: %s", got, p.err.String())
	}
	if response, err := http.Get(url); err == nil {
		defer response.Body.Close()
		if text, _ := io.ReadAll(response.Body); strings.Contains(string(text), s.address) { // else the port is another's by now
			t.Error("metrics are still served")
		}
	}
}
