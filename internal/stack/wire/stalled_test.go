package wire_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/http2"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/wire"
	"rpcbench/internal/test/sockettest"
)

// A server that reads nothing more holds up nobody: calls are sent and canceled, thousands of them, and memory does not
// grow with them. When it reads on, all is in order.
func TestAServerThatReadsNothingHoldsUpNobody(t *testing.T) {
	t.Parallel()
	for _, inFlight := range []int{1, 50, 500} {
		synctest.Test(t, func(t *testing.T) {
			const rounds = 200
			pipes, stalled, on := sockettest.NewPipes(), make(chan struct{}), make(chan struct{})
			pipes.Room = 4096
			serveOn(t, pipes, func(s *server, _ int) {
				s.ReadMetaHeaders = newDecoder(nil)
				s.greet()
				s.WriteWindowUpdate(0, 1<<30)
				s.answered()
				close(stalled)
				<-on
				s.goodAll()
			})
			client, err := dial(t, "", func(config *wire.Config) {
				config.Dial = func(ctx context.Context) (net.Conn, error) { return pipes.Dial(ctx, "", "") }
			})
			if err != nil {
				t.Fatal(err)
			}
			exchanges := make([]wire.Exchange, inFlight)
			slots := make([]int, inFlight)
			for i := range slots {
				slots[i], exchanges[i] = i, &exchange{message: framed(string(bytes.Repeat([]byte("x"), 200)))}
			}
			p := pump(t, client, unary(), exchanges...)
			<-stalled
			begun := time.Now()
			for range rounds {
				p.lane.Send(slots)
				time.Sleep(50 * time.Millisecond)
				for _, slot := range slots {
					p.lane.Cancel(slot)
				}
				for _, slot := range slots {
					p.want(slot, stack.Canceled)
				}
			}
			if took := time.Since(begun); took != rounds*50*time.Millisecond {
				t.Errorf("%d in flight: %d calls each took %v", inFlight, rounds, took)
			}
			if held, most := client.Held(), 512<<10; held > most {
				t.Errorf("%d in flight: %d bytes are kept for the server, want at most %d", inFlight, held, most)
			}
			close(on)
			p.lane.Send(slots)
			for _, slot := range slots {
				p.want(slot, stack.OK)
			}
		})
	}
}

// What is written to a socket that takes no more is kept, and arrives whole and in order.
func TestWhatASocketDoesNotTakeIsWrittenLater(t *testing.T) {
	t.Parallel()
	const bodies = 100
	ready, read := make(chan struct{}), make(chan struct{})
	address := serve(t, func(s *server, _ int) {
		s.greet(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1 << 30})
		s.WriteWindowUpdate(0, 1<<30)
		s.answered()
		close(ready)
		within(t, read)
		came := map[uint32][]byte{}
		for {
			f, err := s.ReadFrame()
			if err != nil {
				return
			}
			data, ok := f.(*http2.DataFrame)
			if !ok {
				continue
			}
			id := data.StreamID
			came[id] = append(came[id], data.Data()...)
			if !data.StreamEnded() {
				continue
			}
			if !bytes.Equal(came[id], large) {
				t.Errorf("the body of stream %d has %d bytes, or other ones than were sent", id, len(came[id]))
			}
			s.good(id)
		}
	})
	client, err := dial(t, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	exchanges := make([]wire.Exchange, bodies)
	slots := make([]int, bodies)
	for i := range slots {
		slots[i], exchanges[i] = i, &exchange{message: large}
	}
	p := pump(t, client, unary(), exchanges...)
	within(t, ready)
	p.lane.Send(slots) // 20 MB, which wait for nobody
	close(read)
	for _, slot := range slots {
		p.want(slot, stack.OK)
	}
}

// A write that fails while it waits for the server ends the connection, and the calls on it.
func TestAServerThatEndsWhileItReadsNothingIsAnOutcome(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		pipes, sent := sockettest.NewPipes(), make(chan struct{})
		pipes.Room = 4096
		serveOn(t, pipes, func(s *server, number int) {
			if number > 0 {
				return
			}
			s.greet()
			s.answered()
			<-sent
		})
		client, err := dial(t, "", func(config *wire.Config) {
			config.Dial = func(ctx context.Context) (net.Conn, error) {
				if isOpen(sent) {
					return pipes.Dial(ctx, "", "")
				}
				return nil, errors.New("nobody is there")
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		p := pump(t, client, unary(), &exchange{message: framed(string(make([]byte, 200)))}, &exchange{message: large})
		synctest.Wait()
		p.lane.Send([]int{0, 1})
		synctest.Wait()
		close(sent)
		p.want(0, stack.Unavailable)
		p.want(1, stack.Unavailable)
	})
}

func isOpen(c <-chan struct{}) bool {
	select {
	case <-c:
		return false
	default:
		return true
	}
}
