package wire_test

import (
	"context"
	"errors"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"rpcbench/internal/stack/wire"
	"rpcbench/internal/test/sockettest"
	"rpcbench/internal/worker/load"
)

// samples keeps all of a load.
type samples struct {
	mu  sync.Mutex
	all [][]load.Sample // by line
}

func (s *samples) Record(from int, sample *load.Sample) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[from] = append(s.all[from], *sample)
}

// Of several connections the server of one reads nothing more. An open load keeps its pace to the nanosecond, calls there
// end by their deadline, and no other call is late.
func TestOneFrozenConnectionOfSeveralHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	for _, inFlight := range []int{50, 500} {
		synctest.Test(t, func(t *testing.T) {
			const (
				connections, perSec, answers = 3, 1500, 200
				length, deadline             = 3 * time.Second, 50 * time.Millisecond
			)
			pipes, over := sockettest.NewPipes(), make(chan struct{})
			pipes.Room = 4096
			serveOn(t, pipes, func(s *server, number int) {
				s.greet()
				s.WriteWindowUpdate(0, 1<<30)
				if number > 0 {
					s.goodAll()
					return
				}
				for range answers {
					id, _ := s.request()
					s.good(id)
				}
				<-over
			})
			config := load.Config{LineOf: load.Evenly(connections, inFlight), Waiter: load.SleepWaiter{}, Deadline: deadline}
			for range connections {
				client, err := dial(t, "", func(config *wire.Config) {
					config.Dial = func(ctx context.Context) (net.Conn, error) { return pipes.Dial(ctx, "", "") }
				})
				if err != nil {
					t.Fatal(err)
				}
				line, err := wire.NewConn(client, inFlight).Pipeline(wire.Script{
					Call:     unary(),
					Exchange: func(*wire.Lane, int) wire.Exchange { return &exchange{message: framed("ping")} },
				})
				if err != nil {
					t.Fatal(err)
				}
				config.Lines = append(config.Lines, line)
			}
			begun := time.Now()
			config.Now = func() time.Duration { return time.Since(begun) }
			room := load.NewSlotPool(config)
			defer room.Close()
			defer close(over)
			s := &samples{all: make([][]load.Sample, connections)}
			phase, err := room.Begin(load.Schedule{PerSec: perSec, Limit: load.Limit{Duration: length}}, time.Second, s)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := phase.Run(t.Context()).Arrivals, int64(perSec*length/time.Second); got != want {
				t.Errorf("%d arrivals, want %d", got, want)
			}
			for line, all := range s.all {
				failed := 0
				for _, one := range all {
					late := one.Err != nil
					switch took := one.Done - one.Sent; {
					case one.Sent != one.Due:
						t.Fatalf("line %d: a call was sent %v late", line, one.Sent-one.Due)
					case late && (!errors.Is(one.Err, load.ErrDeadline) || took < deadline || took > deadline*21/20):
						t.Fatalf("line %d: a call ended with %v after %v", line, one.Err, took)
					case !late && took != 0:
						t.Fatalf("line %d: a call took %v", line, took)
					case late:
						failed++
					}
				}
				want := 0
				if line == 0 {
					want = len(all) - answers
				}
				if failed != want || len(all) < answers {
					t.Errorf("line %d: %d of %d calls failed, want %d", line, failed, len(all), want)
				}
			}
		})
	}
}
