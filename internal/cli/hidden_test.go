package cli_test

import (
	"bytes"
	"os/exec"
	"testing"

	"rpcbench/internal/test/canarytest"
)

// Errors repeat what was typed, or read from a file, or said by a worker.
func TestNoErrorSteersATerminal(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"report", canarytest.Text}, {"run", canarytest.Text}, {"run", "quick", "--set", canarytest.Text + "=1"},
		{"stacks", "--format", canarytest.Text}, {canarytest.Text}, {"load", canarytest.Text}, {"stacks", "--workers", canarytest.Text},
		{"conform", "--", "/bin/sh", "-c", "printf '\\033[31m\\302\\233' >&2; printf '\\001\\000\\000\\000\\033'"},
	} {
		command := exec.Command("rpcbench", args...)
		var out, said bytes.Buffer
		command.Stdout, command.Stderr = &out, &said
		if got := code(command.Run()); got == 0 || said.Len() == 0 {
			t.Errorf("%q: exit code %d, standard error %q", args, got, said.String())
		}
		canarytest.NotHidden(t, "standard output", out.String())
		canarytest.NotHidden(t, "standard error", said.String())
	}
}
