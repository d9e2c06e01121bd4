package worker

import (
	"math"
	"runtime"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/load"
	"rpcbench/internal/worker/record"
)

// messages times the messages within the calls of a method, and wakes senders when messages are due.
type messages struct {
	times     *record.Times
	waiter    *load.ThreadWaiter // nil without a rate
	metronome *load.Metronome    // nil without a rate
}

// messageTimeNames are the names of histograms in Done.
var messageTimeNames = [...]string{
	stack.TimeFirstReply: "first_reply", stack.TimeReplyGap: "reply_gap", stack.TimeMessage: "message",
	stack.TimeMessageLag: "message_lag",
}

// newMessages makes the clock of a method. It must be closed.
func newMessages(perSec float64) (*messages, *stack.MessageClock) {
	m := &messages{times: record.NewTimes(2*runtime.GOMAXPROCS(0), messageTimeNames[:]...)}
	begun := time.Now()
	clock := &stack.MessageClock{
		Now: func() time.Duration { return time.Since(begun) }, PerSec: perSec,
		Record: func(slot int, of stack.MessageTime, took time.Duration) { m.times.Record(slot, int(of), took) },
	}
	if perSec > 0 {
		m.waiter = load.NewWaiter()
		m.metronome = load.NewMetronome(clock.Now, m.waiter)
		clock.Beat = m.metronome.Beat
	}
	return m, clock
}

// cpu returns the CPU time of waiting for due times.
func (m *messages) cpu() time.Duration {
	if m == nil || m.waiter == nil {
		return 0
	}
	return m.waiter.CPU()
}

func (m *messages) close() {
	if m != nil && m.metronome != nil {
		m.metronome.Close()
	}
}

// checkMessageRate refuses a rate that a call can't have.
func checkMessageRate(call *control.Call) error {
	rate := call.GetMessageRatePerSec()
	switch {
	case rate == 0:
		return nil
	case call.GetRecipe() == nil:
		return control.Faultf("connect.call.message_rate_per_sec", "only messages of a recipe have one")
	case !stack.SendsMany(call.GetKind()):
		return control.Faultf("connect.call.message_rate_per_sec", "%s has none; upload and stream have", call.GetKind())
	case !(rate > 0) || math.IsInf(rate, 0):
		return control.Faultf("connect.call.message_rate_per_sec", "%v is not a rate", rate)
	default:
		return nil
	}
}
