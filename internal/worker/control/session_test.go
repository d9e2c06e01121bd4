package control_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"rpcbench/internal/worker/control"
)

// hello is a valid first event of a worker.
var hello = &control.Hello{Protocol: control.Version, Runtime: "test", Stacks: []*control.StackInfo{{Name: "floor"}}}

// A script plays the worker: it receives the driver's commands, and sends any events.
type script func(commands *control.CommandReader, events *control.EventWriter, raw io.Writer)

// open starts a session with a script, which ends with the test.
func open(t *testing.T, play script) (*control.Session, error) {
	t.Helper()
	in, commands := io.Pipe()
	out, events := io.Pipe()
	var playing sync.WaitGroup
	playing.Go(func() {
		play(control.NewCommandReader(in), control.NewEventWriter(events), events)
		events.Close()
		_, _ = io.Copy(io.Discard, in)
	})
	t.Cleanup(func() {
		commands.Close()
		out.Close()
		playing.Wait()
	})
	return control.Open(t.Context(), commands, out)
}

// opened is open with a worker that says Hello well.
func opened(t *testing.T, play script) *control.Session {
	t.Helper()
	s, err := open(t, func(commands *control.CommandReader, events *control.EventWriter, raw io.Writer) {
		if err := events.Write(hello); err == nil {
			play(commands, events, raw)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v, want it to say %q", err, part)
		}
	}
}

func TestOpenTakesNothingButAHelloOfThisVersion(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		play script
		want []string
	}{
		"nothing": {func(*control.CommandReader, *control.EventWriter, io.Writer) {}, []string{"the worker ended"}},
		"rubbish": {
			func(_ *control.CommandReader, _ *control.EventWriter, raw io.Writer) {
				_, _ = io.WriteString(raw, "Picked up JAVA_TOOL_OPTIONS: -Xmx1g, and more than P, taken for a length, promises\n")
			},
			[]string{"can't be read", "is not worker.v1", "Picked up JAVA_TOOL_OPTIONS"},
		},
		"a length beyond all bounds": {
			func(_ *control.CommandReader, _ *control.EventWriter, raw io.Writer) {
				_, _ = raw.Write(bytes.Repeat([]byte{0xff}, 20))
			},
			[]string{"is not worker.v1"},
		},
		"half a message": {
			func(_ *control.CommandReader, _ *control.EventWriter, raw io.Writer) {
				_, _ = io.WriteString(raw, "\x20\x0a\x1ehalf")
			},
			[]string{"the worker ended in the middle of a message", "half"},
		},
		"a few words": {
			func(commands *control.CommandReader, _ *control.EventWriter, raw io.Writer) {
				_, _ = io.WriteString(raw, "hello\n") // 'h' is taken for a length of 104
				_, _ = commands.Read()                // nothing more comes
			},
			[]string{"can't be read", `it is not worker.v1 and begins with "hello\n"`},
		},
		"a tag that could be": {
			func(commands *control.CommandReader, _ *control.EventWriter, raw io.Writer) {
				_, _ = io.WriteString(raw, "Arguments") // field 14, but its length is not the message's
				_, _ = commands.Read()
			},
			[]string{`it is not worker.v1 and begins with "Arguments"`},
		},
		"another event": {
			func(_ *control.CommandReader, events *control.EventWriter, _ io.Writer) {
				_ = events.Write(&control.Done{})
			},
			[]string{"Event_Done instead of Hello"},
		},
		"an event from the future": {
			func(_ *control.CommandReader, _ *control.EventWriter, raw io.Writer) {
				_, _ = raw.Write([]byte{3, 0xc2, 0x3e, 0}) // field 1000, of length 0
			},
			[]string{"an event that this driver does not know, instead of Hello"},
		},
		"another version": {
			func(_ *control.CommandReader, events *control.EventWriter, _ io.Writer) {
				_ = events.Write(&control.Hello{Protocol: control.Version + 1})
			},
			[]string{"speaks version 2 of worker.v1, this driver 1"},
		},
		"a fault": {
			func(_ *control.CommandReader, events *control.EventWriter, _ io.Writer) {
				_ = events.Write(&control.Fault{Message: "no heap"})
			},
			[]string{"no heap"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := open(t, c.play)
			wantError(t, err, c.want...)
		})
	}
}

func TestOpenDoesNotWaitForEver(t *testing.T) {
	t.Parallel()
	out, events := io.Pipe()
	t.Cleanup(func() { events.Close() })
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Millisecond, errors.New("patience is over"))
	defer cancel()
	_, err := control.Open(ctx, io.Discard, out)
	wantError(t, err, "the worker did not answer: patience is over")
}

// A worker that reads no command is given Patience for the first, and no other.
func TestAWorkerThatReadsNoCommandsIsGivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		over := make(chan struct{})
		defer close(over)
		s := opened(t, func(*control.CommandReader, *control.EventWriter, io.Writer) { <-over })
		begun := time.Now()
		_, err := s.Mark(t.Context())
		wantError(t, err, "the worker does not accept commands: 2m0s have passed")
		if took := time.Since(begun); took != control.Patience+time.Second { // in which the worker may say why
			t.Errorf("it took %v, want %v and a second", took, control.Patience)
		}
		begun = time.Now()
		wantError(t, s.Stop(t.Context()), "the worker does not accept commands: 2m0s have passed")
		if took := time.Since(begun); took != 0 {
			t.Errorf("the next command took %v", took)
		}
	})
}

// A worker takes no command that is longer than its limit, so it gets none; it goes on.
func TestACommandThatIsTooLongIsNotSent(t *testing.T) {
	t.Parallel()
	s := opened(t, func(commands *control.CommandReader, events *control.EventWriter, _ io.Writer) {
		if command, err := commands.Read(); err == nil && command.GetMark() != nil {
			_ = events.Write(&control.Snapshot{})
		}
	})
	long := &control.Recipe{Requests: make([]byte, 256<<20)}
	_, err := s.Connect(t.Context(), &control.Connect{Call: &control.Call{Recipe: long}})
	wantError(t, err, "the calls take 257 MiB on their way to the worker, above the limit of 256 MiB: "+
		"use fewer or smaller requests, rows or calls of a mix")
	if _, err := s.Mark(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestACommandIsGivenUpWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		over := make(chan struct{})
		defer close(over)
		s := opened(t, func(*control.CommandReader, *control.EventWriter, io.Writer) { <-over })
		enough, cancel := context.WithTimeoutCause(t.Context(), time.Second, errors.New("enough"))
		defer cancel()
		begun, given := time.Now(), make(chan error, 2)
		for range 2 { // the second waits for the first
			go func() { _, err := s.Mark(enough); given <- err }()
		}
		for range 2 {
			wantError(t, <-given, "the worker does not accept commands: enough")
		}
		if took := time.Since(begun); took != 2*time.Second {
			t.Errorf("it took %v, want one second, and one in which the worker may say why", took)
		}
	})
}

func TestEveryCommandGetsItsAnswer(t *testing.T) {
	t.Parallel()
	s := opened(t, func(commands *control.CommandReader, events *control.EventWriter, _ io.Writer) {
		for {
			command, err := commands.Read()
			if err != nil {
				return
			}
			switch {
			case command.GetServe() != nil:
				_ = events.Write(&control.Serving{Address: command.GetServe().GetAddress() + "0"})
			case command.GetConnect() != nil:
				_ = events.Write(&control.Connected{Sockets: command.GetConnect().GetConnections()})
			case command.GetMark() != nil:
				_ = events.Write(&control.Snapshot{Sockets: 7})
			case command.GetBegin() != nil:
				for i := range command.GetBegin().GetCalls() {
					_ = events.Write(&control.Interval{Ok: i})
				}
				_ = events.Write(&control.Done{Arrivals: command.GetBegin().GetCalls()})
			}
		}
	})
	if s.Hello.GetStacks()[0].GetName() != "floor" {
		t.Errorf("hello is %v", s.Hello)
	}
	serving, err := s.Serve(t.Context(), &control.Serve{Address: "host:1"})
	if err != nil || serving.GetAddress() != "host:10" {
		t.Errorf("serving %v, %v", serving, err)
	}
	connected, err := s.Connect(t.Context(), &control.Connect{Connections: 3})
	if err != nil || connected.GetSockets() != 3 {
		t.Errorf("connected %v, %v", connected, err)
	}
	var seen []int64
	each := func(i *control.Interval) { seen = append(seen, i.GetOk()) }
	done, err := s.Begin(t.Context(), &control.Begin{Calls: 3}, each)
	if err != nil || done.GetArrivals() != 3 || len(seen) != 3 || seen[2] != 2 {
		t.Errorf("done %v, intervals %v, %v", done, seen, err)
	}
	snapshot, err := s.Mark(t.Context())
	if err != nil || snapshot.GetSockets() != 7 {
		t.Errorf("snapshot %v, %v", snapshot, err)
	}
}

func TestAFaultIsAnErrorThatNamesTheFieldAndBreaksNothing(t *testing.T) {
	t.Parallel()
	s := opened(t, func(commands *control.CommandReader, events *control.EventWriter, _ io.Writer) {
		for {
			command, err := commands.Read()
			switch {
			case err != nil:
				return
			case command.GetMark() != nil:
				_ = events.Write(&control.Snapshot{TimeNs: 5})
			default:
				_ = events.Write(&control.Fault{Field: "serve.stack", Message: "there is none"})
			}
		}
	})
	_, err := s.Serve(t.Context(), &control.Serve{})
	var fault *control.FaultError
	if !errors.As(err, &fault) || fault.Field != "serve.stack" || err.Error() != "serve.stack: there is none" {
		t.Errorf("error %v", err)
	}
	if _, err := s.Begin(t.Context(), &control.Begin{}, nil); !errors.As(err, &fault) {
		t.Errorf("error %v, want a Fault", err)
	}
	if snapshot, err := s.Mark(t.Context()); err != nil || snapshot.GetTimeNs() != 5 {
		t.Errorf("snapshot %v, %v", snapshot, err)
	}
}

func TestAWrongAnswerIsNamed(t *testing.T) {
	t.Parallel()
	wrong := func(commands *control.CommandReader, events *control.EventWriter, _ io.Writer) {
		for {
			if _, err := commands.Read(); err != nil {
				return
			}
			_ = events.Write(&control.Hello{})
		}
	}
	s := opened(t, wrong)
	_, err := s.Serve(t.Context(), &control.Serve{})
	wantError(t, err, "Event_Hello instead of Serving")
	_, err = s.Connect(t.Context(), &control.Connect{})
	wantError(t, err, "Event_Hello instead of Connected")
	_, err = s.Mark(t.Context())
	wantError(t, err, "Event_Hello instead of Snapshot")
	_, err = s.Begin(t.Context(), &control.Begin{}, nil)
	wantError(t, err, "Event_Hello instead of Interval or Done")
}

// Whoever watches a phase adds its counts up.
func TestAFaultyIntervalIsRefused(t *testing.T) {
	t.Parallel()
	for want, wrong := range map[string]*control.Interval{
		"-1 OK calls":                     {Ok: -1},
		"-2 failed calls":                 {Ok: 1, Errors: -2},
		"-3 calls in flight":              {InFlight: -3},
		"-4 calls in the last second":     {Response: &control.Quantiles{Calls: -4}, ResponseHistogram: []byte("any")},
		"without the requested histogram": {Response: &control.Quantiles{Calls: 1}},
	} {
		s := opened(t, func(commands *control.CommandReader, events *control.EventWriter, _ io.Writer) {
			_, _ = commands.Read()
			_ = events.Write(&control.Interval{Ok: 1})
			_ = events.Write(wrong)
			_ = events.Write(&control.Done{})
		})
		passed := 0
		_, err := s.Begin(t.Context(), &control.Begin{IntervalHistograms: true}, func(*control.Interval) { passed++ })
		wantError(t, err, want)
		if passed != 1 {
			t.Errorf("%v: %d intervals were passed on, want the first", wrong, passed)
		}
	}
}

func TestAWorkerThatEndsInTheMiddleIsToldFromRubbish(t *testing.T) {
	t.Parallel()
	s := opened(t, func(commands *control.CommandReader, _ *control.EventWriter, _ io.Writer) { _, _ = commands.Read() })
	_, err := s.Mark(t.Context())
	wantError(t, err, "the worker ended")
	_, err = s.Mark(t.Context()) // and goes on saying so
	wantError(t, err, "the worker ended")

	s = opened(t, func(commands *control.CommandReader, _ *control.EventWriter, raw io.Writer) {
		_, _ = commands.Read()
		_, _ = raw.Write([]byte("\x04oops"))
	})
	_, err = s.Begin(t.Context(), &control.Begin{}, nil)
	wantError(t, err, "can't be read", "oops")
}

func TestAWorkerThatEndsMayHaveSaidWhy(t *testing.T) {
	t.Parallel()
	for name, ask := range map[string]func(s *control.Session) error{
		"asked for a snapshot": func(s *control.Session) error { _, err := s.Mark(t.Context()); return err },
		"asked why":            func(s *control.Session) error { return s.End(t.Context()) },
	} {
		s := opened(t, func(_ *control.CommandReader, events *control.EventWriter, _ io.Writer) {
			_ = events.Write(&control.Fault{Message: "no disk"})
		})
		if err := ask(s); err == nil || err.Error() != "no disk" {
			t.Errorf("%s: error %v, want no disk", name, err)
		}
		wantError(t, s.End(t.Context()), "no disk") // whoever was told first
	}
}

// A Fault before others of its words was about a command, and no reason to end.
func TestAnEarlierFaultIsNoReasonForAnEnd(t *testing.T) {
	t.Parallel()
	s := opened(t, func(commands *control.CommandReader, events *control.EventWriter, _ io.Writer) {
		_, _ = commands.Read()
		_ = events.Write(&control.Fault{Message: "no such stack"})
		_, _ = commands.Read()
		_ = events.Write(&control.Snapshot{})
	})
	_, err := s.Mark(t.Context())
	wantError(t, err, "no such stack")
	if _, err := s.Mark(t.Context()); err != nil {
		t.Error(err)
	}
	wantError(t, s.End(t.Context()), "the worker ended")
}

func TestAPhaseEndsWithItsContext(t *testing.T) {
	t.Parallel()
	s := opened(t, func(commands *control.CommandReader, events *control.EventWriter, _ io.Writer) {
		_, _ = commands.Read()
		_ = events.Write(&control.Interval{})
		_, _ = commands.Read()
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	_, err := s.Begin(ctx, &control.Begin{}, func(*control.Interval) { cancel(errors.New("interrupted")) })
	wantError(t, err, "did not answer: interrupted")
}

func TestStopMayComeWhileAPhaseRuns(t *testing.T) {
	t.Parallel()
	s := opened(t, func(commands *control.CommandReader, events *control.EventWriter, _ io.Writer) {
		_, _ = commands.Read()
		stopped := make(chan struct{})
		go func() {
			defer close(stopped)
			if command, err := commands.Read(); err != nil || command.GetStop() == nil {
				_ = events.Write(&control.Fault{Message: "no Stop came"})
			}
		}()
		for n := int64(1); ; n++ {
			select {
			case <-stopped:
				_ = events.Write(&control.Done{Arrivals: n})
				return
			default:
				_ = events.Write(&control.Interval{Ok: 1})
			}
		}
	})
	var stopping sync.WaitGroup
	var seen int
	done, err := s.Begin(t.Context(), &control.Begin{}, func(*control.Interval) {
		if seen++; seen == 3 {
			stopping.Go(func() {
				if err := s.Stop(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
	})
	stopping.Wait()
	if err != nil || done.GetArrivals() < 3 {
		t.Errorf("done %v, %v", done, err)
	}
}

// beside is a worker that runs a phase until it is stopped, and obeys other commands meanwhile.
func beside(obey func(command *control.Command, events *control.EventWriter)) script {
	return func(commands *control.CommandReader, events *control.EventWriter, _ io.Writer) {
		_, _ = commands.Read()
		stopped := make(chan struct{})
		var ticking sync.WaitGroup
		ticking.Go(func() {
			for {
				select {
				case <-stopped:
					return
				default:
					_ = events.Write(&control.Interval{Ok: 1})
				}
			}
		})
		for {
			command, err := commands.Read()
			if err != nil || command.GetStop() != nil {
				break
			}
			obey(command, events)
		}
		close(stopped)
		ticking.Wait()
		_ = events.Write(&control.Done{Arrivals: 7})
		for {
			command, err := commands.Read()
			if err != nil {
				return
			}
			obey(command, events)
		}
	}
}

// during runs a phase, does something in its middle, and stops it.
func during(t *testing.T, s *control.Session, do func()) {
	t.Helper()
	var doing sync.WaitGroup
	var seen int
	done, err := s.Begin(t.Context(), &control.Begin{}, func(*control.Interval) {
		if seen++; seen == 3 {
			doing.Go(func() {
				do()
				if err := s.Stop(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
	})
	doing.Wait()
	if err != nil || done.GetArrivals() != 7 {
		t.Errorf("the phase ended with %v, %v", done, err)
	}
}

func TestCommandsAreAnsweredWhileAPhaseRuns(t *testing.T) {
	t.Parallel()
	s := opened(t, beside(func(command *control.Command, events *control.EventWriter) {
		switch {
		case command.GetDump() != nil:
			for _, text := range []string{"main: ", "waits"} {
				_ = events.Write(&control.Piece{Name: "threads.txt", Data: []byte(text)})
			}
			_ = events.Write(&control.Dumped{})
		case command.GetMark() != nil:
			_ = events.Write(&control.Snapshot{Sockets: 3})
		case command.GetBegin() != nil:
			_ = events.Write(&control.Fault{Field: "begin", Message: "one runs"})
		}
	}))
	during(t, s, func() {
		var text string
		if err := s.Dump(t.Context(), false, func(p *control.Piece) error {
			text += p.GetName() + " " + string(p.GetData()) + "\n"
			return nil
		}); err != nil || text != "threads.txt main: \nthreads.txt waits\n" {
			t.Errorf("dump %q, %v", text, err)
		}
		if snapshot, err := s.Mark(t.Context()); err != nil || snapshot.GetSockets() != 3 {
			t.Errorf("snapshot %v, %v", snapshot, err)
		}
		_, err := s.Begin(t.Context(), &control.Begin{}, func(*control.Interval) { t.Error("an interval of no phase") })
		wantError(t, err, "begin: one runs")
	})
}

func TestADumpThatIsGivenUpBreaksNothing(t *testing.T) {
	t.Parallel()
	late := make(chan struct{})
	s := opened(t, beside(func(command *control.Command, events *control.EventWriter) {
		switch {
		case command.GetDump() != nil:
			_ = events.Write(&control.Piece{Name: "threads.txt"})
			<-late
			_ = events.Write(&control.Piece{Name: "heap.hprof"})
			_ = events.Write(&control.Dumped{})
		case command.GetMark() != nil:
			_ = events.Write(&control.Snapshot{Sockets: 5})
		}
	}))
	during(t, s, func() {
		full := errors.New("the disk is full")
		if err := s.Dump(t.Context(), true, func(*control.Piece) error { return full }); !errors.Is(err, full) {
			t.Errorf("error %v", err)
		}
		close(late)
	})
	if snapshot, err := s.Mark(t.Context()); err != nil || snapshot.GetSockets() != 5 {
		t.Errorf("snapshot %v, %v: what the dump still said was taken for it", snapshot, err)
	}
}

func TestAFaultOfAPhaseIsNotTakenForThatOfAnotherCommand(t *testing.T) {
	t.Parallel()
	s := opened(t, func(commands *control.CommandReader, events *control.EventWriter, _ io.Writer) {
		_, _ = commands.Read()
		_ = events.Write(&control.Interval{})
		_, _ = commands.Read()
		_ = events.Write(&control.Fault{Field: "connect.connections", Message: "too many"})
		_ = events.Write(&control.Fault{Field: "command", Message: "what is a dump?"})
	})
	dumped := make(chan error, 1)
	_, err := s.Begin(t.Context(), &control.Begin{}, func(*control.Interval) {
		go func() { dumped <- s.Dump(t.Context(), false, nil) }()
	})
	wantError(t, err, "connect.connections: too many")
	wantError(t, <-dumped, "what is a dump?")
}

func TestAProfileIsPassedOnInPieces(t *testing.T) {
	t.Parallel()
	s := opened(t, func(commands *control.CommandReader, events *control.EventWriter, _ io.Writer) {
		for {
			command, err := commands.Read()
			if err != nil {
				return
			}
			if command.GetProfile().GetEnd() {
				_ = events.Write(&control.Piece{Name: "cpu.pprof", Data: []byte("samples")})
			}
			_ = events.Write(&control.Profiled{})
		}
	})
	if err := s.Profile(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []string
	if err := s.EndProfile(t.Context(), func(p *control.Piece) error {
		got = append(got, p.GetName()+": "+string(p.GetData()))
		return nil
	}); err != nil || len(got) != 1 || got[0] != "cpu.pprof: samples" {
		t.Errorf("pieces %q, %v", got, err)
	}
}

func TestEventsWrittenConcurrentlyStayWhole(t *testing.T) {
	t.Parallel()
	const writers, each = 8, 200
	s := opened(t, func(commands *control.CommandReader, events *control.EventWriter, _ io.Writer) {
		_, _ = commands.Read()
		var writing sync.WaitGroup
		for range writers {
			writing.Go(func() {
				for range each {
					_ = events.Write(&control.Interval{Ok: 1, StartNs: 1 << 40})
				}
			})
		}
		writing.Wait()
		_ = events.Write(&control.Done{})
	})
	var sum int64
	_, err := s.Begin(t.Context(), &control.Begin{}, func(i *control.Interval) { sum += i.GetOk() })
	if err != nil || sum != writers*each {
		t.Errorf("%d events, %v; want %d", sum, err, writers*each)
	}
}

func TestWhatIsNoMessageIsNotSent(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := control.NewEventWriter(&out).Write("hello"); err == nil || out.Len() > 0 {
		t.Errorf("error %v, %d bytes", err, out.Len())
	}
}
