package cli_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"rpcbench/internal/test/programtest"
)

// jvm is a worker that does what a JVM would with the option that runs a command when memory is short.
const jvm = `#!/bin/sh
for option; do
  case $option in -XX:OnOutOfMemoryError=*) sh -c "${option#*=}" ;; esac
done
exec elsewhere worker
`

const evilYAML = `
name: evil
question: Who would see it?
defaults: {warmup: 10ms, calls: 20, trials: 1}
cases:
  - title: echo
    kind: unary
    stack: grpc-caller
    server: grpc-go
    jvm_options: "'-XX:OnOutOfMemoryError=touch canary'"
`

func TestAtATerminalTheUserIsAsked(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, text := range map[string]string{"evil.yaml": evilYAML, "worker.yaml": elsewhereYAML, "jvm": jvm} {
		text = strings.Replace(text, "[elsewhere, worker]", "[./jvm]", 1)
		programtest.Write(t, filepath.Join(folder, name), text)
	}
	canary := filepath.Join(folder, "canary")
	const question = "evil.yaml would:\r\n  start a JVM with \"-XX:OnOutOfMemoryError=touch canary\"\r\n" +
		"Allow this, if you know where the file is from? [y/N, a: always, until it changes] "
	for _, test := range []struct {
		answer string
		code   int
	}{{"n\n", 2}, {"\n", 2}, {"yesterday\n", 2}, {"\x04", 2}, {"YES\n", 0}, {"y\n", 0}} {
		results := fmt.Sprintf("%x.jsonl", test.answer)
		said, got := answered(t, folder, test.answer, "run", "evil.yaml", "--workers", ".", "--no-floor", "--out", results)
		if got != test.code || !strings.Contains(said, question) {
			t.Errorf("%q: exit code %d, want %d; it said %q", test.answer, got, test.code, said)
		}
		_, harmed := os.Stat(canary)
		_, measured := os.Stat(filepath.Join(folder, results))
		if allowed := test.code == 0; (harmed == nil) != allowed || (measured == nil) != allowed {
			t.Errorf("%q: canary: %v, results: %v", test.answer, harmed, measured)
		}
		_ = os.Remove(canary)
	}
	said, got := answered(t, folder, "n\n", "replay", "790a.jsonl", "--workers", ".", "--out", "x.jsonl")
	if got != 2 || !strings.Contains(said, "rpcbench: 790a.jsonl was not trusted, so nothing was done\r\n") {
		t.Errorf("replay: exit code %d; it said %q", got, said)
	}
	if _, err := os.Stat(canary); err == nil {
		t.Error("replay ran the command")
	}
}

// What the user allows for good is not asked again, also without a terminal, until the file or what it asks for changes.
func TestAnAnswerForGoodHoldsUntilTheFileChanges(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	shop, folder := openShop(t), t.TempDir()
	file := filepath.Join(folder, "mine.yaml")
	write := func(count string) {
		text := "name: mine\nquestion: How long?\ncases:\n  - {title: get, target: " + shop.address +
			", call: shop.v1.Shop/Get, data: '{\"count\": " + count + "}', trials: 1}\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	unasked := func() int {
		command := exec.Command("rpcbench", "plan", file)
		return code(command.Run())
	}
	write("1")
	if unasked() != 2 {
		t.Error("nobody has allowed it, and it was planned")
	}
	if said, got := answered(t, folder, "a\n", "plan", "mine.yaml"); got != 0 || !strings.Contains(said, "a: always") {
		t.Errorf("exit code %d; it said %q", got, said)
	}
	if got := unasked(); got != 0 {
		t.Errorf("after the answer for good: exit code %d", got)
	}
	write("2")
	if unasked() != 2 {
		t.Error("the file has changed, and it was planned")
	}
	if _, got := answered(t, folder, "y\n", "plan", "mine.yaml"); got != 0 {
		t.Errorf("exit code %d", got)
	}
	if unasked() != 2 {
		t.Error("a yes holds once, and it was planned again")
	}
}

// answered runs rpcbench at a terminal at which somebody has typed an answer, and returns what it said there.
func answered(t *testing.T, folder, answer string, args ...string) (said string, exit int) {
	t.Helper()
	master, slave := terminalPair(t)
	cmd := exec.CommandContext(t.Context(), "rpcbench", args...)
	cmd.Dir, cmd.Stdin, cmd.Stderr = folder, slave, slave
	if _, err := master.WriteString(answer); err != nil {
		t.Fatal(err)
	}
	all := make(chan string, 1)
	go func() {
		read, _ := io.ReadAll(master) // it ends in EIO when the last writer has gone
		all <- string(read)
	}()
	err := cmd.Run()
	slave.Close()
	said = <-all
	master.Close()
	return said, code(err)
}

// terminalPair opens both ends of a pseudo-terminal.
func terminalPair(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there is no terminal to be had: %v", err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return master, slave
}
