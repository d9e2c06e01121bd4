package cli_test

import (
	"syscall"
	"testing"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/process"
)

// marksAfterSignal outlast the signal: the thread that it ends the process from may run only after another has answered a command
// or two.
const marksAfterSignal = 100

// A killall, or the stop of a systemd unit, reaches workers too.
func TestAWorkerLeavesItsEndToTheDriver(t *testing.T) {
	t.Parallel()
	hearSignals()
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		started, err := process.Start(process.Program{Command: []string{"rpcbench", "worker"}}, launch.Order{})
		if err != nil {
			t.Fatal(err)
		}
		w, err := launch.Open(t.Context(), started)
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(started.PID(), s); err != nil {
			t.Error(err)
		}
		for range marksAfterSignal {
			if _, err := w.Mark(t.Context()); err != nil {
				t.Errorf("after %v: %v", s, err)
				break
			}
		}
		if err := w.Close(); err != nil {
			t.Errorf("after %v it ended with %v, want a good end", s, err)
		}
	}
}
