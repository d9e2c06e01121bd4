package cli_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"testing"

	"rpcbench/internal/cli"
)

func TestAStandardOutputThatIsFullIsAnError(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"stacks"}, {"plan", "quick"}, {"--version"}, {"--help"}, {"help", "run"}} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer full.Close()
		command := exec.Command("rpcbench", args...)
		var said bytes.Buffer
		command.Stdout, command.Stderr = full, &said
		const want = "rpcbench: standard output: write /dev/stdout: no space left on device\n"
		if got := code(command.Run()); got != 1 || said.String() != want {
			t.Errorf("%v: exit code %d, stderr %q; want 1, %q", args, got, said.String(), want)
		}
	}
}

// What was measured before a run fails goes where --out says: /dev/full says that it was asked.
func TestARunThatFailsPassesOnWhatItMeasured(t *testing.T) {
	t.Parallel()
	broken := errors.New("the disk is broken")
	code, err := cli.SayUntil(broken, []string{"run", "quick", "--trials", "1", "--stacks", "tcp", "--out", "/dev/full"}, stacks())
	const want = "the disk is broken\n--out: write /dev/full: no space left on device"
	if code != 1 || !errors.Is(err, broken) || err.Error() != want {
		t.Errorf("exit code %d, %v; want 1, %s", code, err, want)
	}
}
