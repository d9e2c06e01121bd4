package conform

import (
	"errors"
	"fmt"
	"time"

	"rpcbench/internal/worker/control"
)

// A scene makes a worker busy. It returns the worker, and a function to call after the worker's end and before the rig's.
type scene func(*rig) (worker *party, over func(), err error)

// ends closes a worker's input, after which it must end, and well.
func ends(put scene) func(*rig) (string, error) {
	return func(r *rig) (string, error) {
		worker, over, err := put(r)
		if err != nil {
			return "", err
		}
		defer over()
		return "status 0", worker.end()
	}
}

// maxEndLateness is the time in which worker.v1 requires a worker to end.
const maxEndLateness = 5 * time.Second

// endLate measures how long a worker takes to end.
func endLate(put scene) func(*rig) (lateness, error) {
	return func(r *rig) (lateness, error) {
		worker, over, err := put(r)
		if err != nil {
			return lateness{}, err
		}
		defer over()
		begun := time.Now()
		err = worker.end()
		return lateness{time.Since(begun), "its end after the input's"}, err
	}
}

// idle is a worker that does nothing.
func idle(r *rig) (*party, func(), error) {
	c, err := r.start(r.worker)
	return c, func() {}, err
}

// serving is a server under load.
func serving(r *rig) (*party, func(), error) {
	_, server, over, err := r.busy()
	return server, over, err
}

// calling is a client in the middle of a phase.
func calling(r *rig) (*party, func(), error) {
	client, _, over, err := r.busy()
	return client, over, err
}

// busy starts a pair in the middle of a phase. Over waits for the end of the phase's reading, and is called before the
// rig is closed.
func (r *rig) busy() (client, server *party, over func(), err error) {
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

// marksAfterInterrupt outlast the signal: the thread that it ends the process from may run only after another has answered a
// command or two.
const marksAfterInterrupt = 100

// interrupt sends SIGINT, as a terminal does to every process on Ctrl-C. The driver decides when a worker ends: the worker must
// answer afterwards, and then end normally, which a runtime that has begun to shut down does not.
func interrupt(r *rig) (string, error) {
	c, err := r.start(r.worker)
	if err != nil {
		return "", err
	}
	if err := c.process.Interrupt(); err != nil {
		return "", err
	}
	for range marksAfterInterrupt {
		if _, err := c.Mark(r.ctx); err != nil {
			return "", errors.Join(err, c.Close())
		}
	}
	if err := c.end(); err != nil {
		return "", err
	}
	return "it answers afterwards, and ends with status 0", nil
}
