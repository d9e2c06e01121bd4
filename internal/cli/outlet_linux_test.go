package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"testing"
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
