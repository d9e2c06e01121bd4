package worker

import (
	"net"
	"strings"
	"sync"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/admission"
	"rpcbench/internal/worker/control"
)

// portsMax is the most ports of one server.
const portsMax = 1000

// A portListener joins several listeners: it accepts what any of them accepts. A library receives it as its only listener, so
// that one server listens on all ports.
type portListener struct {
	net.Listener // the first

	others   []net.Listener
	accepted chan accepted
	closed   chan struct{}
	close    sync.Once
}

type accepted struct {
	conn net.Conn
	err  error
}

// checkPorts names what is wrong with the ports of a Serve.
func checkPorts(c *control.Serve) error {
	switch n := c.GetPorts(); {
	case n > portsMax:
		return control.Faultf("serve.ports", "%d is more than %d", n, portsMax)
	case n > 1 && c.GetNetwork() != stack.NetworkTCP:
		return control.Faultf("serve.ports", "a socket of %s has no ports", c.GetNetwork())
	case n > 1 && !strings.HasSuffix(c.GetAddress(), ":0"):
		return control.Faultf("serve.ports",
			"several ports are picked by the system: the address must have port 0, and has %s", c.GetAddress())
	default:
		return nil
	}
}

// listenPorts listens where a Serve says, on as many ports as it says, and returns the addresses of all but the first.
func (w *wire) listenPorts(c *control.Serve) (net.Listener, []string, error) {
	limits := admissionOf(c.GetLimits())
	if c.GetPorts() < 2 {
		listener, err := w.listen(c.GetNetwork(), c.GetAddress(), limits)
		return listener, nil, err
	}
	listener, addresses, err := openPorts(c)
	if err != nil {
		return nil, nil, err
	}
	return countedListener{admission.Listen(listener, limits), w}, addresses, nil
}

func openPorts(c *control.Serve) (*portListener, []string, error) {
	first, err := net.Listen(c.GetNetwork(), c.GetAddress())
	if err != nil {
		return nil, nil, err
	}
	l := &portListener{Listener: first, accepted: make(chan accepted), closed: make(chan struct{})}
	var addresses []string
	for range c.GetPorts() - 1 {
		other, err := net.Listen(c.GetNetwork(), c.GetAddress())
		if err != nil {
			_ = l.Close()
			return nil, nil, err
		}
		l.others = append(l.others, other)
		addresses = append(addresses, other.Addr().String())
	}
	for _, one := range append([]net.Listener{first}, l.others...) {
		go l.take(one)
	}
	return l, addresses, nil
}

// take accepts connections of one port until it is closed.
func (l *portListener) take(one net.Listener) {
	for {
		conn, err := one.Accept()
		select {
		case l.accepted <- accepted{conn, err}:
		case <-l.closed:
			if err == nil {
				_ = conn.Close()
			}
			return
		}
	}
}

// Accept is net.Listener's.
func (l *portListener) Accept() (net.Conn, error) {
	select {
	case a := <-l.accepted:
		return a.conn, a.err
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close is net.Listener's.
func (l *portListener) Close() error {
	err := net.ErrClosed
	l.close.Do(func() {
		close(l.closed)
		err = l.Listener.Close()
		for _, one := range l.others {
			if failed := one.Close(); err == nil {
				err = failed
			}
		}
	})
	return err
}
