package stacktest

import "rpcbench/internal/stack"

// Blocking returns a stack whose connections wait for replies in the kernel, if they can.
func Blocking(s stack.Stack) stack.Stack { return dialling{s, block} }

func block(conn stack.Conn, _ stack.DialConfig) stack.Conn {
	if one, ok := conn.(stack.Blocker); ok {
		one.Block()
	}
	return conn
}
