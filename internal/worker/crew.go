package worker

import (
	"runtime"
	"slices"
	"sync"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/loop"
)

// A crew is the connections that one loop serves: one Pipeline of the load. Its slots are numbered through all connections, the
// first of each, then the second of each, so neighbors are of different connections.
type crew struct {
	loop    *loop.Loop
	members []stack.Sender
	ended   func(slot int, err error) // of the Wait that runs
}

// processors returns how many of Go's processors the process began with: the maximum number of loops.
var processors = sync.OnceValue(func() int { return runtime.GOMAXPROCS(0) })

// newCrews makes crews, each with a loop. A loop rarely lets other goroutines run, so Go gets one more processor: otherwise
// deadlines and reports would be up to 10 ms late.
func newCrews(n int) ([]*crew, error) {
	crews := make([]*crew, n)
	for i := range crews {
		l, err := loop.New()
		if err != nil {
			closeAll(crews[:i])
			return nil, err
		}
		crews[i] = &crew{loop: l}
	}
	runtime.GOMAXPROCS(processors() + 1)
	return crews, nil
}

func closeAll(crews []*crew) {
	for _, c := range crews {
		c.loop.Close()
	}
}

// join has the crew make a connection's calls.
func (c *crew) join(conn stack.Joiner, call stack.Call) error {
	member := len(c.members)
	sender, err := conn.Join(c.loop, call, func(slot int, err error) { c.ended(slot*len(c.members)+member, err) })
	if err != nil {
		return err
	}
	c.members = append(c.members, sender)
	return nil
}

// Send implements load.Pipeline. Calls that end in one turn are of one connection, so their slots' next ones are sent together.
func (c *crew) Send(slots []int) {
	n := len(c.members)
	for i, slot := range slots {
		more := i+1 < len(slots) && slots[i+1]%n == slot%n
		c.members[slot%n].Send(slot/n, more)
	}
}

// Cancel implements load.Pipeline.
func (c *crew) Cancel(slot int) { c.members[slot%len(c.members)].Cancel(slot / len(c.members)) }

// Wait implements load.Pipeline.
func (c *crew) Wait(ended func(slot int, err error)) bool {
	c.ended = ended
	return c.loop.Turn()
}

// canJoin reports whether loops are to serve connections. They can serve those that pass the kernel's sockets on as they are. But
// Pipeliners wait in the kernel on their own as long as there are fewer than processors, or one: on one connection a call takes
// 1.15 times as much CPU on a loop. With two it takes 0.93 times as much, with four or more 0.80 to 0.89 (1 B, one in flight on
// each, one processor), and with 25 in flight on each of four 0.96.
func canJoin(conns []stack.Conn, network string, processors int) bool {
	if _, ok := conns[0].(stack.Pipeliner); ok && len(conns) < max(2, processors) {
		return false
	}
	_, ok := conns[0].(stack.Joiner)
	return ok && slices.Contains([]string{stack.NetworkTCP, stack.NetworkUnix, stack.NetworkWSH}, network)
}

// crewsOn has a number of loops make the calls on all connections.
func crewsOn(conns []stack.Conn, each []stack.Call, inFlight, loops int) (calls, error) {
	crews, err := newCrews(min(loops, len(conns)))
	if err != nil {
		return calls{}, err
	}
	made := calls{crews: crews}
	for i, conn := range conns {
		if err := crews[i%len(crews)].join(conn.(stack.Joiner), each[i]); err != nil {
			closeAll(crews)
			return calls{}, err
		}
	}
	for range inFlight {
		for i := range conns {
			made.lineOf = append(made.lineOf, i%len(crews))
		}
	}
	for _, c := range crews {
		made.lines = append(made.lines, c)
	}
	return made, nil
}
