package cli_test

import (
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The last of its calls waits until the line has been seen: in some second the others ended.
func TestLoadShowsTheLastSecondOnATerminal(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	requests := strings.Repeat("{\"name\": \"none\"}\n{\"name\": \"nail\"}\n", 50) + "{\"name\": \"last\"}\n"
	p := prepare(t, t.TempDir(), "load", s.address, "--call", "shop.v1.Shop/Get", "-d", requests, "--calls", "101",
		"--deadline", "1h", "--stall", "1h", "--warmup", "0s", "--out", "r.jsonl")
	master, slave := terminalPair(t)
	defer master.Close()
	p.cmd.Env, p.cmd.Stderr = append(p.cmd.Env, "TERM=xterm"), slave
	p.begin(t)
	slave.Close()
	hang := time.AfterFunc(patience(t), func() { _ = p.cmd.Process.Kill() })
	defer hang.Stop()
	line := regexp.MustCompile(`\d+%, 0s left, [\d,.]+ calls/s, p50 [\d,.]+ .?s, p99 [\d,.]+ .?s, \d+ errors?, \d+ in flight`)
	said, some := "", make([]byte, 1000)
	for shown := false; ; {
		n, err := master.Read(some)
		said += string(some[:n])
		if !shown && line.MatchString(said) {
			shown = true
			close(s.last)
		}
		if err == nil {
			continue // it ends in EIO when the last writer has gone
		}
		if got := p.exit(t); got != 0 || !shown {
			t.Errorf("exit code %d, stderr %q, want %s in it", got, said, line)
		}
		return
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
