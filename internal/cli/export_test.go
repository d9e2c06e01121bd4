package cli

import (
	"bytes"
	"context"
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

// SayUntil carries out a command line in this process until it says something, where a cause ends it, and returns its exit code
// and error.
func SayUntil(cause error, args []string, stacks []stack.Stack) (int, error) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	said := writing(func(b []byte) (int, error) {
		cancel(cause)
		return len(b), nil
	})
	e := &env{stacks: stacks, out: io.Discard, err: said, screen: io.Discard, temporary: new(scratch.Dir)}
	defer func() { _ = e.temporary.Remove() }()
	root := e.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	return codeOf(err), err
}

type writing func([]byte) (int, error)

func (w writing) Write(b []byte) (int, error) { return w(b) }

// WaitForMethods changes how long a completion waits for a server's methods.
func WaitForMethods(patience time.Duration) { completionPatience = patience }
