package stacktest

import (
	"context"

	"rpcbench/internal/stack"
)

// Blocking returns a stack whose connections wait for replies in the kernel, if they can.
func Blocking(s stack.Stack) stack.Stack { return blocking{s} }

type blocking struct{ stack.Stack }

// Dial implements stack.Stack.
func (b blocking) Dial(ctx context.Context, config stack.DialConfig) (stack.Conn, error) {
	conn, err := b.Stack.Dial(ctx, config)
	if one, ok := conn.(stack.Blocker); ok {
		one.Block()
	}
	return conn, err
}
