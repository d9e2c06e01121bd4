package cli_test

import (
	"bufio"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rpcbench/internal/results/result"
)

// browsed is a browser's session with rpcbench ui in a folder.
type browsed struct {
	*http.Client

	base *url.URL
}

func browse(t *testing.T, folder string) browsed {
	t.Helper()
	command := exec.Command("rpcbench", "ui", folder)
	command.Stderr = t.Output()
	out, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := command.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		_, _ = io.Copy(io.Discard, out)
		if err := command.Wait(); err != nil {
			t.Errorf("ui ended with %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	base, err := url.Parse(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := browsed{&http.Client{Jar: jar}, base}
	b.get(t, base.String())
	return b
}

func (b browsed) get(t *testing.T, at string) string {
	t.Helper()
	answer, err := b.Get(at)
	if err != nil {
		t.Fatal(err)
	}
	return text(t, answer)
}

func text(t *testing.T, answer *http.Response) string {
	t.Helper()
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s, %v", answer.Request.URL, answer.StatusCode, body, err)
	}
	return string(body)
}

// start starts a run, and returns the name of its results file.
func (b browsed) start(t *testing.T, scenario string) string {
	t.Helper()
	answer, err := b.PostForm(b.base.JoinPath("runs").String(), url.Values{"scenario": {scenario}})
	if err != nil {
		t.Fatal(err)
	}
	text(t, answer)
	return filepath.Base(answer.Request.URL.Path)
}

// follow calls told with each event of a run, and returns the last.
func (b browsed) follow(t *testing.T, name string, told func(event string)) (last string) {
	t.Helper()
	answer, err := b.Get(b.base.JoinPath("events", name).String())
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	events := bufio.NewScanner(answer.Body)
	for events.Scan() {
		if data, ok := strings.CutPrefix(events.Text(), "data: "); ok {
			last = data
			told(data)
		}
	}
	return last
}

func TestUIStartsFollowsAndCancelsARun(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	scenarios := map[string]string{
		"mine.yaml": "name: mine\nquestion: How long?\ndefaults: {trials: 2, calls: 20, warmup: 0s, stack: tcp}\ncases:\n" +
			"  - {title: Echo, kind: unary, request_bytes: 100}\n",
		"long.yaml": "name: long\nquestion: How long?\ndefaults: {trials: 2, duration: 1h, warmup: 0s, stack: tcp}\ncases:\n" +
			"  - {title: Echo, kind: unary, request_bytes: 100}\n",
		"theirs.yaml": "name: theirs\nquestion: How long?\ndefaults: {trials: 1, calls: 20, warmup: 0s}\ncases:\n" +
			"  - {title: Load, kind: unary, target: \"192.0.2.1:1\", stack: grpc-go}\n",
	}
	for name, text := range scenarios {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := browse(t, folder)
	name := b.start(t, "mine.yaml")
	last := b.follow(t, name, func(string) {})
	if !strings.Contains(last, `"trials":2,"failed":0,"planned":2,`) || !strings.Contains(last, `"is done"`) {
		t.Fatalf("the last event is %s", last)
	}
	if page := b.get(t, b.base.JoinPath("open", name).String()); !strings.Contains(page, "<h1>How long?</h1>") {
		t.Errorf("%.300s", page)
	}

	long := b.start(t, "long.yaml")
	cancelled := false
	last = b.follow(t, long, func(event string) {
		if cancelled || !strings.Contains(event, `"planned":2`) { // the results file is there, and so is the run's handler of signals
			return
		}
		cancelled = true
		answer, err := b.PostForm(b.base.JoinPath("runs", long, "cancel").String(), nil)
		if err != nil {
			t.Error(err)
			return
		}
		text(t, answer)
	})
	if !strings.Contains(last, "was cancelled") {
		t.Errorf("the last event is %s", last)
	}
	if _, err := result.ReadFile(filepath.Join(folder, long)); err != nil {
		t.Error(err)
	}

	theirs := b.start(t, "theirs.yaml")
	if last := b.follow(t, theirs, func(string) {}); !strings.Contains(last, `"state":"failed"`) ||
		!strings.Contains(last, "192.0.2.1") {
		t.Errorf("the last event is %s", last)
	}
	if _, err := os.Stat(filepath.Join(folder, theirs)); err == nil {
		t.Error("a run without consent has results")
	}
}
