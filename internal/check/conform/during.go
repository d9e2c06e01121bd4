package conform

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"rpcbench/internal/worker/control"
)

// files holds what a worker sends in Pieces, by name.
type files map[string]*bytes.Buffer

// take appends a piece to its file, and refuses one that is not as the protocol has it.
func (f files) take(p *control.Piece) error {
	switch {
	case p.GetName() == "":
		return errors.New("piece.name is empty")
	case len(p.GetData()) > control.PieceBytesMax:
		return fmt.Errorf("piece.data has %d bytes, %d are the most", len(p.GetData()), control.PieceBytesMax)
	}
	if f[p.GetName()] == nil {
		f[p.GetName()] = &bytes.Buffer{}
	}
	f[p.GetName()].Write(p.GetData())
	return nil
}

// bytes is the size of all files but those named.
func (f files) bytes(but ...string) (n int) {
	for name, content := range f {
		if len(but) == 0 || name != but[0] {
			n += content.Len()
		}
	}
	return n
}

// threadsFile is the file of a Dump with the state of every thread.
const threadsFile = "threads.txt"

// threadLine matches the first line about a thread: its name in quotation marks, or "goroutine" or "thread" and its number.
var threadLine = regexp.MustCompile(`(?mi)^(?:"[^"\n]+"|(?:goroutine|thread) \S)`)

// dump asks for a dump and returns how many threads it names.
func dump(ctx context.Context, c *party) (int, error) {
	got := files{}
	if err := c.Dump(ctx, false, got.take); err != nil {
		return 0, c.explain(err)
	}
	if got[threadsFile] == nil {
		return 0, fmt.Errorf("a dump without %s: it has %d files", threadsFile, len(got))
	}
	threads := len(threadLine.FindAll(got[threadsFile].Bytes(), -1))
	if threads == 0 {
		return 0, fmt.Errorf("%s names no thread", threadsFile)
	}
	return threads, nil
}

// duringPhase gives commands while a phase runs, which must come to no harm: a Mark, a second Begin, which there can't be,
// and Dumps of both sides.
func duringPhase(r *rig) (string, error) {
	client, server, err := r.tried(unary(shape{1, 2}))
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithCancelCause(r.ctx)
	defer cancel(nil)
	var seen, threads int
	given := make(chan error, 1)
	done, err := r.watched(client, openFor(control.LoadConstant, constantPerSec, time.Hour), func(*control.Interval) {
		if seen++; seen == 2 {
			go func() {
				var err error
				threads, err = give(ctx, client, server)
				given <- errors.Join(err, client.Stop(r.ctx))
			}()
		}
	})
	if err != nil {
		cancel(errors.New("the phase has ended"))
	}
	if seen < 2 {
		return "", errors.Join(err, fmt.Errorf("an hour's phase ended after %d intervals", seen))
	}
	if err := errors.Join(err, <-given); err != nil {
		return "", err
	}
	if err := wantOutcome(done, "OK", done.GetArrivals()); err != nil {
		return "", err
	}
	return fmt.Sprintf("a Mark, a Fault for a second Begin, dumps of %d threads", threads), nil
}

// give gives the commands and returns how many threads were named.
func give(ctx context.Context, client, server *party) (threads int, err error) {
	if _, err := client.Mark(ctx); err != nil {
		return 0, fmt.Errorf("a Mark during a phase: %w", err)
	}
	_, err = client.Begin(ctx, closedCalls(1), func(*control.Interval) {})
	if err := wantFault(err, "begin"); err != nil {
		return 0, fmt.Errorf("a second Begin: %w", err)
	}
	for _, side := range []struct {
		name string
		*party
	}{{"client", client}, {"server", server}} {
		n, err := dump(ctx, side.party)
		if err != nil {
			return 0, fmt.Errorf("a Dump of the %s: %w", side.name, err)
		}
		threads += n
	}
	return threads, nil
}

// heapDump asks for the contents of a worker's heap, in addition to its threads.
func heapDump(r *rig) (string, error) {
	c, err := r.start(r.worker)
	if err != nil {
		return "", err
	}
	got := files{}
	if err := c.Dump(r.ctx, true, got.take); err != nil {
		return "", c.explain(err)
	}
	if got[threadsFile] == nil || got.bytes(threadsFile) == 0 {
		return "", fmt.Errorf("files in the dump: %d, want %s and the heap", len(got), threadsFile)
	}
	return fmt.Sprintf("%d bytes of heap", got.bytes(threadsFile)), nil
}

// profile makes a worker profile itself, and asks twice for what is available once.
func profile(r *rig) (string, error) {
	c, err := r.start(r.worker)
	if err != nil {
		return "", err
	}
	got := files{}
	if err := wantFault(c.EndProfile(r.ctx, got.take), "profile.end"); err != nil {
		return "", err
	}
	if err := c.Profile(r.ctx); err != nil {
		return "", c.explain(err)
	}
	if err := wantFault(c.Profile(r.ctx), "profile"); err != nil {
		return "", fmt.Errorf("a second profile: %w", err)
	}
	if err := c.EndProfile(r.ctx, got.take); err != nil {
		return "", c.explain(err)
	}
	if got.bytes() == 0 {
		return "", fmt.Errorf("the profile is empty: %d files", len(got))
	}
	return fmt.Sprintf("%d files, %d bytes", len(got), got.bytes()), nil
}
