package pipe

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"

	"rpcbench/internal/run/launch"
)

func TestAGateLetsSoManyThroughAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := make(gate, 2)
		first, err := g.enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.enter(t.Context()); err != nil {
			t.Fatal(err)
		}
		entered := false
		go func() {
			_, _ = g.enter(t.Context())
			entered = true
		}()
		synctest.Wait()
		if entered {
			t.Error("a third is let in")
		}
		first()
		first()
		synctest.Wait()
		if !entered {
			t.Error("nobody is let in when one has left")
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errors.New("enough"))
		if _, err := g.enter(ctx); err == nil || err.Error() != "enough" {
			t.Errorf("a fourth: %v", err)
		}
	})
}

// A worker that has said something has logged in, and one that has ended needs no place any more.
func TestAWorkerIsOnItsWayUntilItSaysSomething(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{"it speaks": "echo hello; cat >/dev/null", "it ends": "exit 3"} {
		g := make(gate, 1)
		host := Host{
			machine: Machine{ID: "db1", Shell: func(string) []string { return []string{"sh", "-c", script} }},
			gate:    g,
		}
		process, err := host.Launch(t.Context(), launch.Order{})
		if err != nil {
			t.Fatal(err)
		}
		if len(g) != 1 {
			t.Errorf("%s: %d on their way, want 1", name, len(g))
		}
		_, _ = process.Read(make([]byte, 1))
		if len(g) != 0 {
			t.Errorf("%s: %d on their way, want none", name, len(g))
		}
		process.Close()
		_, _ = io.Copy(io.Discard, process)
		_ = process.Wait()
	}
}
