package load

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// errCut marks a call that the end of the drain canceled; it becomes the Fate Unfinished.
var errCut = errors.New("the drain ended")

// grace is how long a canceled call may take to return before its slot is given up, which makes every later phase of the trial
// fail. Few calls can't return, but many are slow to: it may be the first call of its process, on a busy machine.
const grace = 5 * time.Second

// cutAgain is the interval of looking for calls that were sent while all were being cut off.
const cutAgain = 10 * time.Millisecond

// A Phase is one run of a schedule. Run it once.
type Phase struct{ p *phase }

// Tally sums up a phase.
type Tally struct {
	Arrivals int64         // due in the window; exactly as many samples went to the Sink
	Elapsed  time.Duration // until the last call was done or given up
	// Window is how long calls were due, and Late counts OK calls that were done after it. The slots of a closed load that ends
	// after a number of calls stop one by one. Its Window is how long its calls would have taken if every slot had gone on at its
	// rate until its last call, and no call is late.
	Window time.Duration
	Late   int64
	// Stopped is when a stop ended the schedule, and then equal to Window; 0 without a stop.
	Stopped time.Duration
}

// Wait puts off a phase that does not run yet. It returns before the time is over when the phase is stopped or ctx ends. Random
// arrivals with a number of calls are read meanwhile, and the wait is longer if that takes longer.
func (p *Phase) Wait(ctx context.Context, d time.Duration) {
	over := time.NewTimer(d)
	defer over.Stop()
	p.p.foresee(ctx)
	select {
	case <-over.C:
	case <-p.p.stopped:
	case <-ctx.Done():
	}
}

// Run makes the schedule's calls and returns when every arrival that was due is recorded: at the latest its drain and
// five seconds after the last was due. When ctx ends first, calls are cut off at once.
func (p *Phase) Run(ctx context.Context) Tally { return p.p.run(ctx) }

// OnLate has f called for every late call of the Tally, with its slot's number in the pool and which call of a Mix it is, before
// the slot's next call begins. Slots call it concurrently. Call it before Run.
func (p *Phase) OnLate(f func(slot, which int)) { p.p.onLate = f }

// Stop ends the schedule now: nothing more falls due, and what is due is still sent and drained. It may be called at any time,
// even before Run, concurrently, and repeatedly.
func (p *Phase) Stop() { p.p.stop(forever) }

// StopWithin is Stop with a different drain, if that ends earlier. It also shortens the drain of a phase that was stopped before,
// or whose schedule has ended.
func (p *Phase) StopWithin(drain time.Duration) { p.p.stop(drain) }

type phase struct {
	pool     *SlotPool
	schedule Schedule
	drain    atomic.Int64 // in ns; lowered by stop
	sink     Sink
	foreseen sync.Once
	span     span // of the schedule, once it is foreseen

	origin  time.Duration // of the phase, by the pool's clock
	end     atomic.Int64  // no call falls due from here on, in ns; moved up by stop
	left    atomic.Int64  // calls not yet begun, of a closed load that ends after a number of them
	stopped chan struct{}
	once    sync.Once
	onLate  func(slot, which int) // hears of late calls; may be nil
	told    chan struct{}         // holds something after a stop that await has not seen

	queue   *queue         // of an open load
	ramp    *ramp          // of a closed load with stages
	running sync.WaitGroup // its slots, and its pacer or what follows the stages
	unsent  int64          // written by run alone, as cut
	cut     time.Duration  // when a stop ended the schedule; 0 where none did
}

// now is the time since the phase began.
func (p *phase) now() time.Duration { return p.pool.config.Now() - p.origin }

func (p *phase) stop(drain time.Duration) {
	for had := p.drain.Load(); int64(drain) < had && !p.drain.CompareAndSwap(had, int64(drain)); had = p.drain.Load() {
	}
	p.once.Do(func() { close(p.stopped) })
	select {
	case p.told <- struct{}{}:
	default: // await will see this stop with the one before
	}
}

func (p *phase) isStopped() bool {
	select {
	case <-p.stopped:
		return true
	default:
		return false
	}
}

// foresee computes when the phase ends, once. A stop, or the end of ctx, need not wait for it.
func (p *phase) foresee(ctx context.Context) {
	p.foreseen.Do(func() {
		p.span = p.schedule.span(func() bool { return p.isStopped() || ctx.Err() != nil })
		p.end.Store(int64(p.span.window))
	})
}

func (p *phase) run(ctx context.Context) Tally {
	p.foresee(ctx)
	p.origin = p.pool.config.Now()
	over := p.begin()
	watching, unwatch := context.WithCancel(ctx)
	defer unwatch()
	go p.watch(watching)
	if p.await(ctx, over) {
		p.cutOff(over)
	}
	return p.tally()
}

// begin starts the slots, and the pacer of an open load, or the goroutine that follows the stages of a closed one. The channel
// closes when all of them have returned.
func (p *phase) begin() <-chan struct{} {
	work, beside := p.prepare()
	if p.isStopped() {
		p.endAt(0)
	}
	p.startLines()
	if beside != nil {
		p.running.Go(beside)
	}
	for _, s := range p.pool.slots {
		if s.line == nil {
			p.running.Go(func() { work(s) })
		}
	}
	over := make(chan struct{})
	go func() { p.running.Wait(); close(over) }()
	return over
}

// prepare makes what the schedule needs. It returns the work of a slot with a goroutine, and what runs in parallel to the slots;
// nil is nothing.
func (p *phase) prepare() (work func(*slot), beside func()) {
	if p.schedule.Open() {
		p.queue = newQueue(p.schedule, p.pool.config.Mix, p.pool.slots, p.leave)
		p.pool.queue.Store(p.queue)
		return p.open, p.pace
	}
	if len(p.schedule.Stages) == 0 {
		return p.closed, nil
	}
	p.ramp = newRamp(p.schedule, p.pool.slots, p.leave)
	return p.closed, p.climb
}

// leave lets a slot go that has been idle.
func (p *phase) leave(s *slot) {
	if s.line == nil {
		close(s.hand)
	} else {
		p.running.Done()
	}
}

// await returns false when every slot is done, true when the drain's end or ctx must cut them off.
func (p *phase) await(ctx context.Context, over <-chan struct{}) (cut bool) {
	until := p.drainEnd()
	drained := time.NewTimer(until)
	defer drained.Stop()
	for {
		select {
		case <-over:
			return false
		case <-drained.C:
			return true
		case <-ctx.Done():
			return true
		case <-p.told:
			now := p.now()
			if p.goesOn(now) {
				p.cut = now
				p.endAt(now)
			}
			until = min(until, now+time.Duration(p.drain.Load()))
			drained.Reset(until - now)
		}
	}
}

// drainEnd returns when a phase that is not stopped has drained. A closed load that ends after a number of calls has no window;
// the deadline of its calls bounds it.
func (p *phase) drainEnd() time.Duration {
	return min(p.span.end, forever) + time.Duration(p.drain.Load())
}

// goesOn reports whether the schedule has calls to come.
func (p *phase) goesOn(now time.Duration) bool {
	switch {
	case int64(now) >= p.end.Load():
		return false
	case p.queue != nil:
		return p.queue.goesOn()
	default:
		return p.schedule.Limit.Calls == 0 || p.left.Load() > 0
	}
}

const forever = 100 * 365 * 24 * time.Hour

// endAt ends the schedule, unless it has ended before: nothing falls due from then on.
func (p *phase) endAt(now time.Duration) {
	p.end.Store(min(p.end.Load(), int64(now)))
	if p.queue != nil {
		p.queue.endAt(now)
	}
	if p.ramp != nil {
		p.ramp.end()
	}
}

// cutOff records calls that were never sent as Unsent, cancels those in flight, and gives up slots that don't return.
func (p *phase) cutOff(over <-chan struct{}) {
	now := p.now()
	p.endAt(now)
	if p.queue != nil {
		p.queue.drop(now, func(last time.Duration, arrivals []int64) {
			for which, n := range arrivals {
				if n > 0 {
					p.unsent += n
					p.sink.Record(0, &Sample{Due: last, Done: now, Fate: Unsent, More: n - 1, Which: which})
				}
			}
		})
	}
	patience := time.NewTimer(grace)
	defer patience.Stop()
	again := time.NewTicker(cutAgain)
	defer again.Stop()
	for {
		for _, s := range p.pool.slots {
			s.expire(s.sent.Load(), &errCut)
		}
		select {
		case <-over:
			return
		case <-patience.C:
			p.giveUp()
			return
		case <-again.C: // a slot that was about to send its last call may have done so meanwhile
		}
	}
}

// giveUp records the calls that did not return although they were canceled. Their slots are lost.
func (p *phase) giveUp() {
	now := p.now()
	for _, s := range p.pool.slots {
		if sent, ok := s.giveUp(); ok {
			p.take(s, &Sample{
				Due: time.Duration(s.due.Load()), Sent: sent, Done: now, Fate: Unfinished, Which: int(s.which.Load()),
			})
			if s.line != nil {
				p.running.Done()
			}
		}
	}
}

// watch cancels calls that exceed the deadline, so no call needs its own timer. It looks at all slots only when one may:
// with tens of thousands of them a look takes as long as several calls, and delays those that are due meanwhile.
func (p *phase) watch(ctx context.Context) {
	least := min(max(p.pool.config.Deadline/20, time.Millisecond), 100*time.Millisecond) // from one look to the next
	next := time.NewTimer(max(p.expire(), least))
	defer next.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-next.C:
			next.Reset(max(p.expire(), least))
		}
	}
}

// expire cancels calls that are as old as the deadline, and returns how long all others have left.
func (p *phase) expire() time.Duration {
	now, deadline := p.now(), p.pool.config.Deadline
	oldest := now
	for _, s := range p.pool.slots {
		sent := s.sent.Load()
		if sent < 0 {
			continue
		}
		since := time.Duration(sent &^ cancelled)
		oldest = min(oldest, since)
		if now-since >= deadline {
			s.expire(sent, &ErrDeadline)
		}
	}
	return oldest + deadline - now
}

// take counts a slot's sample and sends it to the sink.
func (p *phase) take(s *slot, sample *Sample) {
	s.arrivals.Add(1)
	s.last.Store(int64(sample.Done))
	if int64(sample.Done) > p.end.Load() && sample.Fate == Answered && sample.Err == nil {
		s.late++
		if p.onLate != nil {
			p.onLate(s.index, sample.Which)
		}
	}
	p.sink.Record(s.from, sample)
}
