package conform

import (
	"errors"
	"fmt"
	"time"

	"rpcbench/internal/control"
)

func ended(took time.Duration, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("status 0 after %d ms", took.Milliseconds()), nil
}

// endIdle ends the input of a worker that does nothing.
func endIdle(r *rig) (string, error) {
	c, err := r.start(r.worker)
	if err != nil {
		return "", err
	}
	return ended(c.end())
}

// endServing ends the input of a server under load.
func endServing(r *rig) (string, error) {
	_, server, over, err := r.busy()
	if err != nil {
		return "", err
	}
	defer over()
	return ended(server.end())
}

// endCalling ends the input of a client in the middle of a phase.
func endCalling(r *rig) (string, error) {
	client, _, over, err := r.busy()
	if err != nil {
		return "", err
	}
	defer over()
	return ended(client.end())
}

// busy starts a pair in the middle of a phase. Over waits for the end of the phase's reading, and is called before the
// rig is closed.
func (r *rig) busy() (client, server *child, over func(), err error) {
	client, server, err = r.both(unary(shape{1, 4}))
	if err != nil {
		return nil, nil, nil, err
	}
	begun, read := make(chan struct{}), make(chan error, 1)
	go func() {
		var seen int
		_, err := client.Begin(r.ctx, closedFor(time.Hour), func(*control.Interval) {
			if seen++; seen == 1 {
				close(begun)
			}
		})
		read <- err
	}()
	ended := func() error { return <-read } // with the error of a conversation that was broken off
	select {
	case <-begun:
		return client, server, func() { client.close(); _ = ended() }, nil
	case err := <-read:
		return nil, nil, nil, fmt.Errorf("the phase ended before an interval came: %w", err)
	}
}

// interruptGrace is how long a runtime may take to act on an interrupt that it does not ignore.
const interruptGrace = 300 * time.Millisecond

// interrupt sends what a terminal sends to everybody on Ctrl-C. It is the driver who decides when a worker ends.
func interrupt(r *rig) (string, error) {
	c, err := r.start(r.worker)
	if err != nil {
		return "", err
	}
	if err := c.interrupt(); err != nil {
		return "", err
	}
	if err := wait(r.ctx, interruptGrace); err != nil {
		return "", err
	}
	if _, err := c.Mark(r.ctx); err != nil {
		return "", errors.Join(err, c.Close())
	}
	return "it answers afterwards", nil
}
