package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// interruptible ends the context on Ctrl-C, SIGTERM, or the end of the terminal, unless nohup prevents that. A second signal ends
// rpcbench at once, with the same code, unless it is an echo of the first: the workers then see the end of their input. first and
// last are called on these two signals; last ends what would not notice, and saves what would be lost. A third waits for no last.
func interruptible(parent context.Context, first, last func()) (ctx context.Context, restore func()) {
	ctx, cancel := context.WithCancel(parent)
	interruptibles.Add(1)
	forget := partings.add(last)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		select {
		case <-signals:
			go func() { first(); cancel() }()
		case <-ctx.Done():
			return
		}
		awaitSecond(signals)
		go func() {
			awaitSecond(signals)
			os.Exit(exitInterrupted)
		}()
		partings.carryOut()
		os.Exit(exitInterrupted)
	}()
	return ctx, func() {
		if ctx.Err() == nil { // what was interrupted stays so to its end
			signal.Stop(signals)
			interruptibles.Add(-1)
			forget()
		}
		cancel()
	}
}

// partings are what this process does last when it is interrupted twice.
var partings parting

// A parting is what is done before the process ends: by one of those that a signal wakes, while the others wait for the end.
type parting struct {
	mu  sync.Mutex
	all []*func()
}

// add adds a last act. The returned function takes it away.
func (p *parting) add(last func()) (forget func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all = append(p.all, &last)
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.all = slices.DeleteFunc(p.all, func(one *func()) bool { return one == &last })
	}
}

// carryOut does all of it, the latest first, once.
func (p *parting) carryOut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, last := range slices.Backward(p.all) {
		(*last)()
	}
	p.all = nil
}

// echoTime is the time within which another signal is the first one's echo. The command timeout sends its signal to its child
// and, right after that, to the process group, which the child is in. Nobody presses Ctrl-C twice so fast.
const echoTime = 100 * time.Millisecond

// awaitSecond waits, from the first interruption on, for a second one.
func awaitSecond(signals <-chan os.Signal) {
	first := time.Now()
	for range signals {
		if time.Since(first) >= echoTime {
			return
		}
	}
}

// interruptibles counts what ends by itself when interrupted.
var interruptibles atomic.Int32

// endAtOnce has Ctrl-C end rpcbench where nothing is interruptible: while files are read and written, which leaves nothing.
func (e *env) endAtOnce() (restore func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	over := make(chan struct{})
	go func() {
		for {
			select {
			case <-over:
				return
			case <-signals:
				if interruptibles.Load() == 0 {
					sayAtOnce("rpcbench: " + errInterrupted.Error())
					e.tidy()
					os.Exit(exitInterrupted)
				}
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(over)
	}
}

// errInterrupted is the error of interrupted verbs that leave nothing.
var errInterrupted = &exitError{exitInterrupted, errors.New("interrupted")}

// untilInterrupted runs trials, which an interrupt ends early, where all that runs are workers. The sink, if there is one, takes
// them at the second interrupt, too.
func untilInterrupted(ctx context.Context, to sink, run func(context.Context) error) error {
	ctx, restore := interruptible(ctx,
		func() {
			sayAtOnce("interrupted: calls in flight have a second to finish; interrupt again to discard this trial")
		},
		func() {
			sayAtOnce("interrupted again: this trial is discarded" + to.goesOn())
			to.rescued()
		})
	defer restore()
	return run(ctx)
}

// announcePatience is how long a terminal may take to show a line. A blocked terminal must not delay an interrupt.
const announcePatience = 100 * time.Millisecond

// sayAtOnce prints a separate line on standard error.
func sayAtOnce(line string) {
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		fmt.Fprintln(os.Stderr, "\n"+line)
	}()
	select {
	case <-shown:
	case <-time.After(announcePatience):
	}
}

// nothing does nothing.
func nothing() {}
