package worker

import (
	"runtime"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// closingPatience bounds the closing of connections: some libraries close theirs after Close has returned.
const closingPatience = 10 * time.Second

// leave makes the worker free for a Connect: it closes the connections of the one before, and begins to count anew.
func (w *worker) leave(c *control.Connect) error {
	if w.client == nil {
		if err := w.idle("connect"); err != nil && !w.servesInproc(c) {
			return err
		}
	} else if err := w.leaveClient(c); err != nil {
		return err
	}
	w.wire = w.wire.anew()
	return nil
}

// servesInproc reports whether a Connect is to the server that this process has.
func (w *worker) servesInproc(c *control.Connect) bool {
	return c.GetNetwork() == stack.NetworkInproc && w.server != nil
}

// leaveClient closes all that the last Connect opened. Its garbage is collected, so the next one finds a heap like the first.
func (w *worker) leaveClient(c *control.Connect) error {
	switch {
	case w.server != nil && !w.servesInproc(c):
		return control.Faultf("connect", "this worker serves, and calls its own server only")
	case w.client.isRunning():
		return control.Faultf("connect", "a phase is still running")
	}
	w.client.close()
	w.client = nil
	if open := w.wire.closed(closingPatience); open > 0 {
		return control.Faultf("connect", "%d sockets of the connections before are still open after %v", open, closingPatience)
	}
	collectGarbage()
	return nil
}

// collectGarbage collects also what is in a sync.Pool, such as libraries' buffers for messages, which outlives one collection.
func collectGarbage() {
	runtime.GC()
	runtime.GC()
}

// closed waits until no socket is open, and returns how many still are when patience is over.
func (w *wire) closed(patience time.Duration) int64 {
	for begun := time.Now(); ; time.Sleep(time.Millisecond) {
		if open := w.open.Load(); open == 0 || time.Since(begun) > patience {
			return open
		}
	}
}
