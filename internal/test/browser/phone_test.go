package browser

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// rpcbench builds the program, whose workers and page these tests are about.
func rpcbench(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "rpcbench")
	if said, err := exec.Command("go", "build", "-o", program, "../../../cmd/rpcbench").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return program
}

// web is the folder of the front end, whose packages this needs.
func web(t *testing.T) string {
	t.Helper()
	folder, err := filepath.Abs("../../../web")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, "node_modules")); err != nil {
		t.Skip("no node_modules in web: make test-web sets up what this needs")
	}
	return folder
}

// node runs a program of the front end's folder.
func node(t *testing.T, environment []string, arguments ...string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "node", arguments...)
	command.Dir, command.Env = web(t), append(os.Environ(), environment...)
	said, err := command.CombinedOutput()
	t.Logf("%s", said)
	if err != nil {
		t.Error(err)
	}
}

func TestThePagesWorkerInParts(t *testing.T) {
	node(t, nil, "--test", "test/worker.test.mjs")
}

func TestThePhonePageInABrowser(t *testing.T) {
	web(t)
	folder := t.TempDir()
	command := exec.Command(rpcbench(t), "phone", "--listen", "127.0.0.1:0", "--trials", "1", "--case", "Echo|Encoding",
		"--set", "request_bytes=100", "--set", "message=small", "--set", "codec=[protobuf, json]", "--duration", "1s")
	command.Dir, command.Stderr = folder, t.Output()
	out, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	address, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }() // the reports
	node(t, []string{"PHONE=" + strings.TrimSpace(address), "FOLDER=" + folder}, "--test", "test/phone.test.mjs")
	if err := command.Process.Signal(syscall.SIGINT); err != nil {
		t.Error(err)
	}
	if err := command.Wait(); err != nil {
		t.Errorf("phone ended with %v", err)
	}
}

// notInABrowser are the cases of conformance that the page's worker fails, each because of what a browser can't do.
var notInABrowser = map[string]string{
	"hello":                                 "there is no first_call: the browser opens connections when it likes",
	"a profile":                             "a page can't profile itself",
	"a dump of the heap":                    "a page can't see its heap",
	"connect-web unary":                     "the case has several connections",
	"connect-web download":                  "the case has several connections",
	"connect-web unary, batch 1":            "there are no batches",
	"connect-web unary, batch 7":            "there are no batches",
	"connect-web unary, batch 1000":         "there are no batches",
	"connect-web unary, tls":                "the browser chooses whom it trusts",
	"connect-web payload, json":             "the server compresses for who asks for it, as browsers do",
	"connect-web payload, zeros":            "the same",
	"connect-web connect refuses":           "the case makes first_call",
	"connect-web marks":                     "a page does not know what it uses",
	"connect-web a wrong reply is MISMATCH": "the case has batches",
	"connect-web a dead port, first_call":   "there is no first_call",
	"connect-web commands during a phase":   "a page has no threads to dump",
	"connect-web rate at 4x10":              "the case has several connections",
	"connect-web poisson at 4x10":           "the case has several connections",
	"connect-web stop ends a warm-up":       "the case has several connections",
	"connect-web a background":              "nobody knows which calls share a connection",
}

// The page's worker runs under Node.js too, where the suite of all workers holds it to the protocol.
func TestThePagesWorkerKeepsTheProtocol(t *testing.T) {
	script := filepath.Join(t.TempDir(), "worker.mjs")
	node(t, nil, "build.mjs", "--node", script)
	command := exec.CommandContext(t.Context(), rpcbench(t), "conform", "--timing", "no", "--stack", "connect-web,codec-js",
		"--", "node", script)
	command.Stderr = t.Output()
	said, _ := command.Output() // it fails where a browser does
	failed := map[string]bool{}
	passed := 0
	for line := range strings.Lines(string(said)) {
		verdict, rest, _ := strings.Cut(line, " ")
		name, why, _ := strings.Cut(strings.TrimSpace(rest), "  ")
		switch verdict {
		case "ok":
			passed++
		case "FAIL":
			failed[name] = true
			if notInABrowser[name] == "" {
				t.Errorf("%s fails: %s", name, strings.TrimSpace(why))
			}
		}
	}
	for name := range notInABrowser {
		if !failed[name] {
			t.Errorf("%s passes: take it out of the list", name)
		}
	}
	if passed < 25 {
		t.Errorf("%d cases passed\n%s", passed, said)
	}
}
