package control

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"google.golang.org/protobuf/encoding/protodelim"
	"google.golang.org/protobuf/proto"

	"rpcbench/internal/worker/control/workerv1"
	"rpcbench/internal/worker/patience"
)

// Patience limits the time for a worker to answer a Command that does not measure, such as starting a server or connecting. Only
// a hanging worker takes that long, however little CPU time it gets.
const Patience = 2 * time.Minute

// samplesToCalibrate is more than a worker needs to find how many operations of encode or decode take a sample's time.
const samplesToCalibrate = 4

// A Session is the driver's side of a conversation with one worker. Commands may be sent from several goroutines, also during a
// phase; a worker executes them one after another. Every call fails when ctx ends, when the worker answers with a Fault (a
// *FaultError), or when it violates the protocol.
type Session struct {
	Hello *Hello // what the worker said first

	sending  chan struct{} // holds something while a command is written, so that answers are expected in the order of commands
	commands io.Writer
	deaf     error // why no further command can be given; guarded by sending
	inbox    *inbox
}

// Open waits for the worker's Hello. Events are read from out until it ends or turns to rubbish.
func Open(ctx context.Context, commands io.Writer, out io.Reader) (*Session, error) {
	s := &Session{sending: make(chan struct{}, 1), commands: commands, inbox: newInbox()}
	w := s.inbox.expect("hello", answer)
	defer w.leave()
	go s.inbox.listen(bufio.NewReader(out))
	event, err := w.next(ctx)
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
	if within := time.Duration(s.Hello.GetKeepAliveNs()); within > 0 {
		go s.keepAlive(within / signsOfLife)
	}
	return s, nil
}

// signsOfLife is the number of signs of life from the driver in the time after which a worker that expects them would end.
const signsOfLife = 12

// keepAlive sends a sign of life in every period, until the worker ends or takes none.
func (s *Session) keepAlive(period time.Duration) {
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for {
		select {
		case <-s.inbox.over:
			return
		case <-ticker.C:
		}
		select {
		case s.sending <- struct{}{}:
		case <-s.inbox.over:
			return
		}
		err := s.deaf
		if err == nil {
			_, err = protodelim.MarshalTo(s.commands, &Command{})
		}
		<-s.sending
		if err != nil {
			return
		}
	}
}

// send sends a command and returns the waiter for its answer. A worker that does not accept the command within Patience, or
// before ctx ends, gets no further commands.
func (s *Session) send(ctx context.Context, name string, message any, due reply) (*waiter, error) {
	command, err := commandOf(message)
	if err != nil {
		return nil, err
	}
	if size := proto.Size(command); size > commandBytesMax { // which would end the worker
		return nil, fmt.Errorf("the calls take %d MiB on their way to the worker, above the limit of %d MiB: "+
			"use fewer or smaller requests, rows or calls of a mix", (size-1)>>20+1, commandBytesMax>>20)
	}
	ctx, cancel := patience.WithTimeout(ctx, Patience)
	defer cancel()
	select {
	case s.sending <- struct{}{}:
	case <-ctx.Done():
		return nil, notTaken(context.Cause(ctx))
	}
	defer func() { <-s.sending }()
	switch {
	case s.deaf != nil:
		return nil, s.deaf
	case ctx.Err() != nil:
		return nil, notTaken(context.Cause(ctx))
	}
	w := s.inbox.expect(name, due)
	if err := s.write(ctx, command); err != nil {
		s.deaf = s.why(w, notTaken(err))
		w.leave()
		return nil, s.deaf
	}
	return w, nil
}

// write writes a command. One that is given up stays half-written, and its writer until the process ends.
func (s *Session) write(ctx context.Context, command *Command) error {
	written := make(chan error, 1)
	go func() {
		_, err := protodelim.MarshalTo(s.commands, command)
		written <- err
	}()
	select {
	case err := <-written:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func notTaken(err error) error { return fmt.Errorf("the worker does not accept commands: %w", err) }

// why prefers what the worker said before its end, then its end, to the resulting broken pipe.
func (s *Session) why(w *waiter, err error) error {
	late := time.NewTimer(time.Second)
	defer late.Stop()
	select {
	case event := <-w.events:
		return cmp.Or(faultOf(event), err)
	case <-s.inbox.over:
		return s.inbox.broken
	case <-late.C:
		return err
	}
}

// End waits for the end of a worker that is ending, and returns the reason that it gave, if any. Another command may have had it
// for its answer.
func (s *Session) End(ctx context.Context) error {
	w := s.inbox.expect("end", answer)
	defer w.leave()
	_, err := w.within(ctx, Patience)
	select {
	case <-s.inbox.over:
		return s.inbox.reason
	default:
		return err
	}
}

// Serve starts a server. A foreign program may take longer than Patience.
func (s *Session) Serve(ctx context.Context, serve *Serve) (*Serving, error) {
	ready := time.Duration(serve.GetProgram().GetReadyNs())
	return askFor(ctx, s, Patience+ready, "serve", serve, "Serving", (*workerv1.Event).GetServing)
}

// Relay puts a link before servers.
func (s *Session) Relay(ctx context.Context, relay *Relay) (*Relaying, error) {
	return ask(ctx, s, "relay", relay, "Relaying", (*workerv1.Event).GetRelaying)
}

// Connect opens the connections, or calibrates, which may take a few samples beyond Patience.
func (s *Session) Connect(ctx context.Context, connect *Connect) (*Connected, error) {
	return s.ConnectOver(ctx, connect, 0)
}

// ConnectOver is Connect over an emulated link, which prolongs the opening of connections.
func (s *Session) ConnectOver(ctx context.Context, connect *Connect, link time.Duration) (*Connected, error) {
	calibration := samplesToCalibrate * time.Duration(connect.GetCall().GetSampleNs())
	return askFor(ctx, s, Patience+calibration+link, "connect", connect, "Connected", (*workerv1.Event).GetConnected)
}

// Mark takes a snapshot.
func (s *Session) Mark(ctx context.Context) (*Snapshot, error) {
	return ask(ctx, s, "mark", &Mark{}, "Snapshot", (*workerv1.Event).GetSnapshot)
}

// MarkBriefly is Mark without what takes long to count, for while a phase runs.
func (s *Session) MarkBriefly(ctx context.Context) (*Snapshot, error) {
	return ask(ctx, s, "mark", &Mark{Brief: true}, "Snapshot", (*workerv1.Event).GetSnapshot)
}

// Watch begins to watch the worker's host.
func (s *Session) Watch(ctx context.Context) error {
	_, err := ask(ctx, s, "watch", &Watch{}, "Watched", (*workerv1.Event).GetWatched)
	return err
}

// EndWatch ends a Watch, and returns what the host did meanwhile.
func (s *Session) EndWatch(ctx context.Context) (*Watched, error) {
	return ask(ctx, s, "watch", &Watch{End: true}, "Watched", (*workerv1.Event).GetWatched)
}

// Profile begins a profile.
func (s *Session) Profile(ctx context.Context) error {
	_, err := ask(ctx, s, "profile", &Profile{}, "Profiled", (*workerv1.Event).GetProfiled)
	return err
}

// EndProfile ends the profile and passes its files on, piece by piece. Between two pieces a worker may take Patience.
func (s *Session) EndProfile(ctx context.Context, take func(*Piece) error) error {
	return files(ctx, s, "profile", &Profile{End: true}, "Profiled", (*workerv1.Event).GetProfiled, take)
}

// Dump passes on, piece by piece, the stacks of the worker's threads and, with heap, the contents of its heap. An abandoned Dump
// breaks nothing: its remaining pieces are ignored.
func (s *Session) Dump(ctx context.Context, heap bool, take func(*Piece) error) error {
	return files(ctx, s, "dump", &Dump{Heap: heap}, "Dumped", (*workerv1.Event).GetDumped, take)
}

// Begin runs a phase to its end. Each gets the intervals on the way. While a phase runs another Begin is asked for in
// vain, and answered as any other command.
func (s *Session) Begin(ctx context.Context, begin *Begin, each func(*Interval)) (*Done, error) {
	w, err := s.send(ctx, "begin", begin, running)
	if err != nil {
		return nil, err
	}
	defer w.leave()
	for {
		event, err := w.next(ctx)
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
		if err := checkInterval(interval, begin.GetIntervalHistograms()); err != nil {
			return nil, err
		}
		each(interval)
	}
}

// checkInterval refuses what no phase can have had, as others add the counts up.
func checkInterval(i *Interval, wantsHistogram bool) error {
	for _, count := range []struct {
		calls int64
		of    string
	}{
		{i.GetOk(), "OK calls"}, {i.GetErrors(), "failed calls"}, {i.GetInFlight(), "calls in flight"},
		{i.GetResponse().GetCalls(), "calls in the last second"},
	} {
		if count.calls < 0 {
			return fmt.Errorf("the worker sent an interval with %d %s", count.calls, count.of)
		}
	}
	if wantsHistogram && i.GetResponse() != nil && len(i.GetResponseHistogram()) == 0 {
		return errors.New("the worker sent quantiles without the requested histogram")
	}
	return nil
}

// Stop ends the phase that runs; its Begin then returns.
func (s *Session) Stop(ctx context.Context) error { return s.stop(ctx, &Stop{}) }

// StopWithin is Stop with a given drain time, for workers whose Hello supports it.
func (s *Session) StopWithin(ctx context.Context, drain time.Duration) error {
	return s.stop(ctx, &Stop{DrainNs: new(drain.Nanoseconds())})
}

func (s *Session) stop(ctx context.Context, stop *Stop) error {
	w, err := s.send(ctx, "stop", stop, none)
	if err == nil {
		w.leave()
	}
	return err
}

// Abandon passes over all that the worker says from now on, so that one that is in the middle of a write can end.
func (s *Session) Abandon() { s.inbox.ignore() }

// Silent is closed when the worker's output has ended, which is a sign that the worker has ended or is about to.
func (s *Session) Silent() <-chan struct{} { return s.inbox.silent }

// ask gives a command and returns its answer.
func ask[T any](
	ctx context.Context, s *Session, name string, command any, wanted string, get func(*Event) *T,
) (*T, error) {
	return askFor(ctx, s, Patience, name, command, wanted, get)
}

// askFor is ask with a given patience.
func askFor[T any](
	ctx context.Context, s *Session, patience time.Duration,
	name string, command any, wanted string, get func(*Event) *T,
) (*T, error) {
	w, err := s.send(ctx, name, command, answer)
	if err != nil {
		return nil, err
	}
	defer w.leave()
	event, err := w.within(ctx, patience)
	if err != nil {
		return nil, err
	}
	if got := get(event); got != nil {
		return got, nil
	}
	return nil, unexpected(wanted, event)
}

// files gives a command whose answer comes after Pieces.
func files[T any](
	ctx context.Context, s *Session, name string, command any, wanted string, get func(*Event) *T, take func(*Piece) error,
) error {
	w, err := s.send(ctx, name, command, pieces)
	if err != nil {
		return err
	}
	defer w.leave()
	for {
		event, err := w.within(ctx, Patience)
		if err != nil {
			return err
		}
		if get(event) != nil {
			return nil
		}
		piece := event.GetPiece()
		if piece == nil {
			return unexpected("Piece or "+wanted, event)
		}
		if err := take(piece); err != nil {
			return err
		}
	}
}

func unexpected(wanted string, event *Event) error {
	if event.GetEvent() == nil {
		return fmt.Errorf("the worker sent an event that this driver does not know, instead of %s", wanted)
	}
	return fmt.Errorf("the worker sent %T instead of %s", event.GetEvent(), wanted)
}
