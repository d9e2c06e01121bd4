package conform

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"runtime"
)

// quietPort returns a port that the system chooses, on a loopback host that nothing else uses. Cases run in parallel: if one of
// them ends its server, or calls a port without a listener, the system may give that port to another case's server, which would
// answer the calls. Only Linux has such hosts without configuration.
func quietPort() string {
	if runtime.GOOS != "linux" {
		return "127.0.0.1:0"
	}
	return fmt.Sprintf("127.%d.%d.%d:0", 1+rand.IntN(254), rand.IntN(256), 1+rand.IntN(254))
}

// A vacancy is an address where nothing listens, and nothing will until it is closed: the end of a connection, whose port the
// system gives to nobody else. The port of a listener that is gone may soon be that of a program which listens on all hosts.
type vacancy struct {
	net.Conn

	listener net.Listener
}

func newVacancy() (*vacancy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	host, err := net.ResolveTCPAddr("tcp", quietPort())
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	dialer := net.Dialer{LocalAddr: host}
	conn, err := dialer.Dial("tcp", listener.Addr().String())
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return &vacancy{conn, listener}, nil
}

func (v *vacancy) address() string { return v.LocalAddr().String() }

func (v *vacancy) Close() error { return errors.Join(v.Conn.Close(), v.listener.Close()) }
