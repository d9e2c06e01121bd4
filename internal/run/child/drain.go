package child

import (
	"io"
	"os"
	"time"
)

// outputPatience limits how long the end of a program is delayed by a process that it left behind with its output open. Such a
// process must also have left the group, because all others are killed.
const outputPatience = 5 * time.Second

// A drain copies a program's output to a Writer. exec would do so too, and then hold up the end of the program.
type drain struct {
	from   *os.File
	childs *os.File // closed when the program has it
	over   chan struct{}
}

// newDrain returns a drain into a Writer; nil where that is a file, or none.
func newDrain(into io.Writer) (*drain, error) {
	if _, ok := into.(*os.File); ok || into == nil {
		return nil, nil
	}
	from, childs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	d := &drain{from: from, childs: childs, over: make(chan struct{})}
	go func() {
		_, _ = io.Copy(into, from) // until the last who has it open has ended, or finish
		close(d.over)
	}()
	return d, nil
}

// finish returns when all that the program wrote is copied, or a process that it left behind wrote for too long.
func (d *drain) finish() {
	late := time.AfterFunc(outputPatience, func() { d.from.Close() })
	defer late.Stop()
	<-d.over
	d.from.Close()
}

func finish(drains []*drain) {
	for _, d := range drains {
		d.finish()
	}
}

// abandon ends the drains of a program that was not started.
func abandon(drains []*drain) {
	for _, d := range drains {
		d.childs.Close()
	}
	finish(drains)
}
