package examples

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// begun are the scripts that start a service, and for each a load that ends with a signal only, and its results.
var begun = map[string]struct{ load, results string }{
	"ci":            {"LOAD=--in-flight 1 --duration 1h", "results.jsonl"},
	"several-cases": {"MEASURE=--set duration=1h", "shop.jsonl"},
}

// A server of somebody else's must not be measured in place of the service, whose address it has.
func TestWhatAnswersBeforeTheServiceStartsIsNotMeasured(t *testing.T) {
	t.Parallel()
	for name, example := range begun {
		folder := copied(t, name)
		command := exec.CommandContext(patience(t), program, "serve", "--listen", "unix:shop.sock")
		command.Dir = folder
		said, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })
		if line, err := bufio.NewReader(said).ReadString('\n'); err != nil {
			t.Fatalf("the server says %q, error %v", line, err)
		}
		// The service lives as long as it may read.
		if code := scriptIn(t, folder, "SERVICE=tail -f run.sh", brief, briefCases); code != 2 {
			t.Errorf("%s: exit code %d, want 2", name, code)
		}
		if _, err := os.Stat(filepath.Join(folder, example.results)); err == nil {
			t.Errorf("%s has measured the other server", name)
		}
	}
}

// standIn is an rpcbench whose service ends while it is loaded, and whose load then ends with 4.
const standIn = `#!/bin/sh
case $1 in
serve) mkfifo end; echo $$ >pid; read -r _ <end ;;
call | plan) test -e pid || { echo 'cannot reach the server'; exit 2; } ;;
load | run) echo >end; while kill -0 "$(cat pid)" 2>/dev/null; do :; done; exit 4 ;;
esac
`

func TestTheExitCodeIsThatOfTheLoadWhenTheServiceHasEnded(t *testing.T) {
	t.Parallel()
	for name := range begun {
		folder, programs := copied(t, name), t.TempDir()
		if err := os.WriteFile(filepath.Join(programs, "rpcbench"), []byte(standIn), 0o600); err != nil {
			t.Fatal(err)
		}
		// Another process makes it a program: this one may have been forked while it was written, and hold it open.
		do(t, programs, "chmod", "700", "rpcbench")
		if code := scriptIn(t, folder, "PATH="+programs+":"+os.Getenv("PATH")); code != 4 {
			t.Errorf("%s: exit code %d, want 4", name, code)
		}
	}
}

func TestASignalEndsTheServiceAndTheLoad(t *testing.T) {
	t.Parallel()
	for name, example := range begun {
		command := scriptCommand(t, copied(t, name), example.load)
		command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		said, inherited, err := os.Pipe() // it ends when nobody is left who has it
		if err != nil {
			t.Fatal(err)
		}
		defer said.Close()
		end, _ := patience(t).Deadline()
		if err := said.SetReadDeadline(end); err != nil {
			t.Fatal(err)
		}
		command.Stderr, command.ExtraFiles = inherited, []*os.File{inherited} // the service's errors are in a file
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		_ = inherited.Close() // the script has it
		defer func() { _ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }()
		lines := bufio.NewScanner(said)
		for lines.Scan() {
			t.Log(lines.Text())
			if !strings.Contains(lines.Text(), "into "+example.results) {
				continue
			}
			if err := command.Process.Signal(syscall.SIGTERM); err != nil { // it is about to load
				t.Fatal(err)
			}
		}
		if err := lines.Err(); err != nil {
			t.Errorf("%s: processes live on: %v", name, err)
		}
		_ = command.Wait() // its exit code follows
		if code := command.ProcessState.ExitCode(); code != 130 {
			t.Errorf("%s: exit code %d, want 130", name, code)
		}
	}
}

func TestInCIAServiceMaySpeakHTTP(t *testing.T) {
	t.Parallel()
	folder, code := script(t, "ci", brief, "REQUIRE=errors<1%", "CALL=", "DATA=", "TARGET=http://shop/",
		"ACCESS=--unix-socket shop.sock --expect-status 404", "SERVICE=rpcbench serve --stack http-json-go --listen unix:shop.sock")
	if code != 0 {
		t.Fatalf("exit code %d, want 0", code)
	}
	if all := trials(t, folder, "results.jsonl"); len(all) != 1 || all[0].Spec.Stack != "http-wire" {
		t.Errorf("the trials are %+v", all)
	}
}

// Each of these scripts runs again and again in one folder.
func TestASecondRunReplacesTheResults(t *testing.T) {
	t.Parallel()
	for name, results := range map[string]string{"several-cases": "shop.jsonl", "two-stacks": "stacks.jsonl"} {
		folder, code := script(t, name, briefCases)
		first := readFile(t, filepath.Join(folder, results))
		if again := scriptIn(t, folder, briefCases); code != 0 || again != 0 {
			t.Errorf("%s: exit codes %d and %d", name, code, again)
		}
		if readFile(t, filepath.Join(folder, results)) == first {
			t.Errorf("%s has kept the first results", name)
		}
	}
}
