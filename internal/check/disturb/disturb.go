// Package disturb disturbs other processes on the machine by a known amount, to measure what a disturbance does to a
// measurement.
//
// It uses processor time, memory bandwidth or a garbage collector, in one thread by default, until it is told to end. It
// measures nothing.
package disturb

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Kind is the resource that a disturbance takes.
type Kind struct {
	Name  string
	Is    string        // for the table
	busy  time.Duration // of each period
	every time.Duration
	work  func(until time.Time)
	all   bool // on all processors at once
}

// period is that of an evenly spread disturbance: roughly the time slice of a thread.
const period = 10 * time.Millisecond

// Kinds are all disturbances.
func Kinds() []Kind {
	var kinds []Kind
	for _, percent := range []int{5, 10, 25, 50, 100} {
		kinds = append(kinds, Kind{
			Name: fmt.Sprintf("busy-%d", percent), Is: fmt.Sprintf("a process that takes %d%% of a processor", percent),
			busy: period * time.Duration(percent) / 100, every: period, work: spin,
		})
	}
	return append(kinds,
		Kind{Name: "bursts", Is: "20 ms of all processors in every 200 ms", busy: 20 * time.Millisecond,
			every: 200 * time.Millisecond, work: spin, all: true},
		Kind{Name: "memory", Is: "a process that copies memory for 50% of a processor", busy: period / 2,
			every: period, work: copier()},
		Kind{Name: "garbage", Is: "a Go process that allocates for 50% of a processor, and collects", busy: period / 2,
			every: period, work: allocator()},
	)
}

// Find finds a Kind.
func Find(name string) (Kind, error) {
	kinds := Kinds()
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		names := make([]string, len(kinds))
		for i, k := range kinds {
			names[i] = k.Name
		}
		return Kind{}, fmt.Errorf("%q is not a disturbance; known: %s", name, strings.Join(names, ", "))
	}
	return kinds[i], nil
}

// Run disturbs until ctx ends, and returns when all of its threads have.
func (k Kind) Run(ctx context.Context) {
	threads := 1
	if k.all {
		threads = runtime.NumCPU()
	}
	var running sync.WaitGroup
	for range threads {
		running.Go(func() { k.one(ctx) })
	}
	running.Wait()
}

func (k Kind) one(ctx context.Context) {
	next := time.Now()
	for ctx.Err() == nil {
		k.work(next.Add(k.busy))
		if next = next.Add(k.every); time.Until(next) > 0 {
			time.Sleep(time.Until(next))
		} else {
			next = time.Now() // it was kept from working, and makes up for nothing
		}
	}
}

func spin(until time.Time) {
	for time.Now().Before(until) {
	}
}

// copiedBytes are more than the caches of most machines.
const copiedBytes = 64 << 20

// copier copies memory that no cache holds.
func copier() func(until time.Time) {
	var from, to []byte
	return func(until time.Time) {
		if from == nil {
			from, to = make([]byte, copiedBytes), make([]byte, copiedBytes)
		}
		const part = 1 << 20
		for at := 0; time.Now().Before(until); at = (at + part) % copiedBytes {
			copy(to[at:at+part], from[at:at+part])
		}
	}
}

// allocator makes garbage along with live objects with pointers, which a collector has to follow.
func allocator() func(until time.Time) {
	var live []*[64]*int
	return func(until time.Time) {
		for i := 0; time.Now().Before(until); i++ {
			if one := new([64]*int); len(live) < 1<<16 {
				live = append(live, one)
			} else {
				live[i%len(live)] = one
			}
		}
	}
}
