package driver

import (
	"cmp"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/worker/control"
)

// beatLength is how long an interval of a player lasts.
const beatLength = 100 * time.Millisecond

// A player is a worker that has no process, and keeps worker.v1 in virtual time.
type player struct {
	beats  []beat        // what happens in a phase, an interval each; after the last it works
	silent bool          // it says nothing more after the last
	dumps  time.Duration // how long a dump takes, in which the phase stands still
	old    bool          // it can't be told to drain for less time
	deaf   bool          // it does not stop
	goesOn bool          // its phases do not end by themselves
	reads  time.Duration // how long it takes before it can begin a phase
	files  int64         // that it may have open; 0 is unknown
	anew   bool          // it can be connected anew

	// compiling is the part of its CPU time that its compilers take, from one Mark to the next; nil has no compiler.
	compiling []float64
	uses      time.Duration // of CPU time from one Mark to the next; 0 is a second

	waits  []time.Duration  // until its phases begin
	begins []*control.Begin // of its phases

	marks    int // so far
	answered int // how many Marks are answered; 0 is all

	still chan struct{} // taken while it stands still
	heard []string      // the commands so far
	stop  chan struct{} // ends the phase that runs
}

// worker returns the driver's side of the player, which must be the only one.
func (p *player) worker(t *testing.T) *launch.Worker {
	t.Helper()
	p.still = make(chan struct{}, 1)
	in, commands := io.Pipe()
	events, out := io.Pipe()
	var over sync.WaitGroup
	over.Go(func() { p.play(t, control.NewCommandReader(in), control.NewEventWriter(out)) })
	t.Cleanup(func() {
		_, _ = commands.Close(), events.Close()
		over.Wait()
	})
	worker, err := launch.Open(t.Context(), &playing{events, commands, &over})
	if err != nil {
		t.Fatal(err)
	}
	return worker
}

// A playing player is a launch.Process, on a host of which only the address is known.
type playing struct {
	io.Reader
	io.WriteCloser

	over *sync.WaitGroup
}

func (p *playing) Host() launch.Host { return launch.Host{Address: "fd00::7"} }
func (p *playing) LastWords() string { return "" }
func (p *playing) Kill()             {}

func (p *playing) Wait() error {
	p.over.Wait()
	return nil
}

func (p *player) play(t *testing.T, commands *control.CommandReader, events *control.EventWriter) {
	hello := &control.Hello{
		Protocol: control.Version, StopDrain: !p.old, Reconnects: p.anew, Host: &control.Host{OpenFiles: p.files},
		Stacks: []*control.StackInfo{{Name: "shares", Multiplexed: true}, {Name: "slots"}},
	}
	if p.compiling != nil {
		hello.CompilerPatienceNs = int64(time.Minute)
	}
	_ = events.Write(hello)
	begun := time.Now()
	var phases sync.WaitGroup
	defer phases.Wait()
	for {
		command, err := commands.Read()
		if err != nil {
			return
		}
		switch c := control.Unwrap(command).(type) {
		case *control.Mark:
			p.hear(markName(c))
			if p.answered > 0 && count(p.heard, "mark")+count(p.heard, "brief mark") > p.answered {
				continue
			}
			_ = events.Write(p.snapshot(time.Since(begun)))
		case *control.Connect:
			p.hear(fmt.Sprintf("connect %d of %d bytes", c.GetConnections(), c.GetCall().GetRequestBytes()))
			_ = events.Write(&control.Connected{})
		case *control.Begin:
			p.hear("begin " + phaseName(c.GetPhase()))
			p.begins = append(p.begins, c)
			p.waits = append(p.waits, time.Duration(c.GetDelayNs()))
			stop := make(chan struct{})
			p.stop = stop
			phases.Go(func() { p.phase(c, events, stop) })
		case *control.Stop:
			if p.hear("stop" + drainOf(c)); !p.deaf {
				close(p.stop)
			}
		case *control.Dump:
			p.hear("dump")
			p.dump(c, events)
		default:
			t.Errorf("a player can't do %v", command)
		}
	}
}

func (p *player) snapshot(at time.Duration) *control.Snapshot {
	s := &control.Snapshot{TimeNs: at.Nanoseconds()}
	if p.compiling == nil {
		return s
	}
	uses := cmp.Or(p.uses, time.Second).Nanoseconds()
	s.CompilerCpuNs = new(int64)
	for _, share := range p.compiling[:min(p.marks, len(p.compiling))] {
		*s.CompilerCpuNs += int64(share * float64(uses))
	}
	s.CpuUserNs, s.CpuSystemNs = int64(p.marks)*uses/5*3, int64(p.marks)*uses/5*2
	p.marks++
	return s
}

// standStill keeps everything else that does so waiting; a mutex would keep virtual time waiting too.
func (p *player) standStill(d time.Duration) {
	p.still <- struct{}{}
	time.Sleep(d)
	<-p.still
}

// drainOf is " within 1s", or nothing where the Stop has no drain of its own.
func drainOf(stop *control.Stop) string {
	if stop.DrainNs == nil {
		return ""
	}
	return " within " + time.Duration(stop.GetDrainNs()).String()
}

func count(heard []string, command string) (n int) {
	for _, h := range heard {
		if h == command {
			n++
		}
	}
	return n
}

func (p *player) hear(command string) { p.heard = append(p.heard, command) }

// phase plays the beats until the phase's duration is over, or until it is stopped.
func (p *player) phase(begin *control.Begin, events *control.EventWriter, stop <-chan struct{}) {
	var at, calls int64
	time.Sleep(max(p.reads, time.Duration(begin.GetDelayNs())))
	begun := time.Now()
	for i := 0; at < begin.GetDurationNs() || p.goesOn; i++ {
		select {
		case <-stop:
			done := doneOf(begin, at, calls)
			done.StoppedNs = time.Since(begun).Nanoseconds()
			_ = events.Write(done)
			return
		case <-time.After(beatLength):
		}
		p.standStill(0)
		b := works
		if i < len(p.beats) {
			b = p.beats[i]
			time.Sleep(b.longer)
		} else if p.silent {
			return
		}
		start := at
		at = time.Since(begun).Nanoseconds()
		calls += b.ok + b.errors
		interval := &control.Interval{StartNs: start, EndNs: at, Ok: b.ok, Errors: b.errors, InFlight: b.inFlight}
		if at%int64(time.Second) == 0 || at >= begin.GetDurationNs() {
			p.addSecond(interval, begin)
		}
		if events.Write(interval) != nil {
			return // the driver is gone
		}
	}
	_ = events.Write(doneOf(begin, at, calls))
}

// addSecond puts the quantiles of a second into an interval, with their histogram where it is asked for.
func (p *player) addSecond(i *control.Interval, begin *control.Begin) {
	i.Response = &control.Quantiles{}
	if begin.GetIntervalHistograms() {
		i.ResponseHistogram = []byte("hdr")
	}
}

func doneOf(begin *control.Begin, elapsedNs, calls int64) *control.Done {
	return &control.Done{
		Phase: begin.GetPhase(), ElapsedNs: elapsedNs, Arrivals: calls,
		Outcomes: []*control.Outcome{{Code: result.CodeOK, Calls: calls}},
	}
}

func (p *player) dump(c *control.Dump, events *control.EventWriter) {
	p.standStill(p.dumps)
	_ = events.Write(&control.Piece{Name: "threads.txt", Data: []byte("they wait")})
	if c.GetHeap() {
		_ = events.Write(&control.Piece{Name: "heap.pprof", Data: []byte("it is full")})
	}
	_ = events.Write(&control.Dumped{})
}

// played are the sides of a trial between players.
func played(t *testing.T, config Config, spec plan.Spec, server *player, clients ...*player) *sides {
	t.Helper()
	if config.Now == nil {
		config.Now = time.Now
	}
	s := &sides{
		driver: &driver{Config: config}, sideProcesses: sideProcesses{servers: []namedProcess{newServer(0, "")}},
		sideTrial: sideTrial{spec: spec, evidence: &result.Trial{
			ID: "t1", Spec: spec, Clients: make([]result.Client, len(clients)), Servers: []result.Side{{}},
		}},
	}
	s.servers[0].Worker = server.worker(t)
	for i, client := range clients {
		s.clients = append(s.clients, newClient(i, len(clients), ""))
		s.clients[i].Worker = client.worker(t)
	}
	return s
}

func markName(c *control.Mark) string {
	if c.GetBrief() {
		return "brief mark"
	}
	return "mark"
}
