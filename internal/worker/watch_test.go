package worker

import (
	"errors"
	"testing"

	"rpcbench/internal/worker/control"
)

func TestAWatchSeesTheHostAndHasNoOtherRole(t *testing.T) {
	t.Parallel()
	w := &worker{wire: &wire{}}
	for _, c := range []struct {
		end  bool
		want string // of the fault
	}{
		{true, "there is no watch to end"}, {false, ""}, {false, "the host is already being watched"}, {true, ""},
		{true, "there is no watch to end"},
	} {
		seen, err := w.watch(&control.Watch{End: c.end})
		if got := faultOf(err); got != c.want {
			t.Fatalf("end %v: %q, want %q", c.end, got, c.want)
		}
		if err == nil && c.end != (seen.GetHiccups().GetCalls() > 0 && seen.GetElapsedNs() > 0) {
			t.Errorf("end %v: %v", c.end, seen)
		}
	}
	if _, err := w.watch(&control.Watch{}); err != nil {
		t.Fatal(err)
	}
	if err := w.idle("serve"); err == nil {
		t.Error("a watcher may serve")
	}
	w.watched()
}

func faultOf(err error) string {
	if fault, ok := errors.AsType[*control.FaultError](err); ok {
		return fault.Message
	}
	return ""
}

func TestHelloSaysWhereItIs(t *testing.T) {
	t.Parallel()
	h := hello(nil)
	if at := h.GetHost(); !h.GetWatches() || at.GetOs() == "" || at.GetArch() == "" || at.GetName() == "" || at.GetUnixNs() == 0 {
		t.Errorf("%v", h)
	}
}
