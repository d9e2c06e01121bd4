package stacktest

import (
	"context"

	"rpcbench/internal/stack"
)

// A dialling stack changes the connections of another.
type dialling struct {
	stack.Stack
	change func(conn stack.Conn, config stack.DialConfig) stack.Conn
}

// Dial implements stack.Stack.
func (d dialling) Dial(ctx context.Context, config stack.DialConfig) (stack.Conn, error) {
	conn, err := d.Stack.Dial(ctx, config)
	if err != nil {
		return nil, err
	}
	return d.change(conn, config), nil
}
