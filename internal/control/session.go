package control

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"google.golang.org/protobuf/encoding/protodelim"

	"rpcbench/internal/control/workerv1"
)

// Patience is how long a worker may take to answer a Command that takes no measuring: starting a server, connecting.
const Patience = 30 * time.Second

// A Session is a conversation with one worker, from the driver's side. One call at a time, but for Stop, which may come
// from anywhere while Begin waits. Every call fails when ctx ends, when the worker answers Fault (a *FaultError), or
// when it says anything else than what the protocol allows.
type Session struct {
	Hello *Hello // what the worker said first

	commands io.Writer
	events   chan *Event
	broken   error // why events was closed
}

// Open waits for the worker's Hello. Events are read from out until it ends or turns to rubbish.
func Open(ctx context.Context, commands io.Writer, out io.Reader) (*Session, error) {
	s := &Session{commands: commands, events: make(chan *Event)}
	go s.listen(bufio.NewReader(out))
	event, err := s.next(ctx)
	if err != nil {
		return s, err
	}
	s.Hello = event.GetHello()
	switch {
	case s.Hello == nil:
		return s, unexpected("Hello", event)
	case s.Hello.GetProtocol() != Version:
		return s, fmt.Errorf("the worker speaks version %d of worker.v1, this driver %d", s.Hello.GetProtocol(), Version)
	}
	return s, nil
}

// listen passes events on, one by one, so that a worker can't fill the driver's memory. After rubbish it reads on to the
// end, so that the worker can end.
func (s *Session) listen(out *bufio.Reader) {
	for {
		event := &Event{}
		if err := unmarshal(out, event); err != nil {
			s.broken = ended(err)
			close(s.events)
			_, _ = io.Copy(io.Discard, out)
			return
		}
		s.events <- event
	}
}

func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return errors.New("the worker ended")
	}
	return fmt.Errorf("the worker's output can't be read: %w", err)
}

// next returns the next event; a Fault is an error.
func (s *Session) next(ctx context.Context) (*Event, error) {
	select {
	case event, ok := <-s.events:
		if !ok {
			return nil, s.broken
		}
		if fault := event.GetFault(); fault != nil {
			return nil, &FaultError{Field: fault.GetField(), Message: fault.GetMessage()}
		}
		return event, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("the worker did not answer: %w", context.Cause(ctx))
	}
}

func (s *Session) send(message any) error {
	command, err := commandOf(message)
	if err != nil {
		return err
	}
	if _, err := protodelim.MarshalTo(s.commands, command); err != nil {
		return fmt.Errorf("the worker takes no commands: %w", err)
	}
	return nil
}

// ask sends a command and returns the answer.
func (s *Session) ask(ctx context.Context, command any) (*Event, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, Patience, fmt.Errorf("%v have passed", Patience))
	defer cancel()
	if err := s.send(command); err != nil {
		return nil, s.why(err)
	}
	return s.next(ctx)
}

// why prefers what the worker's end says to the broken pipe that followed from it.
func (s *Session) why(err error) error {
	select {
	case _, ok := <-s.events:
		if !ok {
			return s.broken
		}
	case <-time.After(time.Second):
	}
	return err
}

// Serve starts a server.
func (s *Session) Serve(ctx context.Context, serve *Serve) (*Serving, error) {
	return answer(ctx, s, serve, "Serving", (*workerv1.Event).GetServing)
}

// Connect opens the connections.
func (s *Session) Connect(ctx context.Context, connect *Connect) (*Connected, error) {
	return answer(ctx, s, connect, "Connected", (*workerv1.Event).GetConnected)
}

// Mark takes a snapshot.
func (s *Session) Mark(ctx context.Context) (*Snapshot, error) {
	return answer(ctx, s, &Mark{}, "Snapshot", (*workerv1.Event).GetSnapshot)
}

// Begin runs a phase to its end. Each gets the intervals on the way.
func (s *Session) Begin(ctx context.Context, begin *Begin, each func(*Interval)) (*Done, error) {
	if err := s.send(begin); err != nil {
		return nil, s.why(err)
	}
	for {
		event, err := s.next(ctx)
		if err != nil {
			return nil, err
		}
		if done := event.GetDone(); done != nil {
			return done, nil
		}
		interval := event.GetInterval()
		if interval == nil {
			return nil, unexpected("Interval or Done", event)
		}
		each(interval)
	}
}

// Stop ends the phase that runs; its Begin then returns.
func (s *Session) Stop() error { return s.send(&Stop{}) }

func answer[T any](
	ctx context.Context, s *Session, command any, name string, get func(*Event) *T,
) (*T, error) {
	event, err := s.ask(ctx, command)
	if err != nil {
		return nil, err
	}
	if got := get(event); got != nil {
		return got, nil
	}
	return nil, unexpected(name, event)
}

func unexpected(wanted string, event *Event) error {
	if event.GetEvent() == nil {
		return fmt.Errorf("the worker sent an event that this driver does not know, where %s was due", wanted)
	}
	return fmt.Errorf("the worker sent %T where %s was due", event.GetEvent(), wanted)
}
