package cli

import (
	"bytes"
	"io"
	"time"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/run/scratch"
	"rpcbench/internal/stack"
)

// Say carries out a command line in this process, and returns its exit code and what it says on standard error.
func Say(args []string, stacks []stack.Stack) (code int, said string) {
	var text bytes.Buffer
	e := &env{stacks: stacks, out: io.Discard, err: plain.Writer{To: &text}, screen: io.Discard, temporary: new(scratch.Dir)}
	defer e.tidy()
	if err := e.obey(args); err != nil {
		return codeOf(err), text.String() + "rpcbench: " + err.Error()
	}
	return exitGood, text.String()
}

// WaitForMethods changes how long a completion waits for a server's methods.
func WaitForMethods(patience time.Duration) { completionPatience = patience }
