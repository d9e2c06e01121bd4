package qps

import (
	"math"
	"net"
	"strconv"

	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/worker/control"
)

// A server is a worker that serves.
type server struct {
	line *line[testpb.ServerArgs, testpb.ServerStatus]
	used usage
}

// serve has the worker serve, on a port that it picks and on all its interfaces: where it listens it can't be told.
func (s *session) serve(c *control.Serve) (*control.Serving, error) {
	if err := s.idle("serve"); err != nil {
		return nil, err
	}
	config, err := serverConfig(c)
	if err != nil {
		return nil, err
	}
	line, started, err := open(s.ctx, s.worker, s.api.RunServer, &testpb.ServerArgs{
		Argtype: &testpb.ServerArgs_Setup{Setup: config},
	})
	if err != nil {
		return nil, control.Faultf("serve", "%v", err)
	}
	s.server = &server{line: line}
	go func() {
		<-line.over
		s.lose(line.why())
	}()
	if port := started.GetPort(); port < 1 || port > math.MaxUint16 {
		return nil, control.Faultf("serve", "%s says that its server has port %d", s.worker, port)
	}
	host, _, _ := net.SplitHostPort(s.worker.Address)
	return &control.Serving{Address: net.JoinHostPort(numeric(host), strconv.Itoa(int(started.GetPort())))}, nil
}

// mark asks what the worker used since the last mark. Some workers reset their counters without being told.
func (s *server) mark() (*control.Snapshot, error) {
	marked, err := s.line.ask(&testpb.ServerArgs{Argtype: &testpb.ServerArgs_Mark{Mark: &testpb.Mark{Reset_: true}}})
	if err != nil {
		return nil, err
	}
	used, err := usageOf(s.line.worker, marked.GetStats())
	if err != nil {
		return nil, err
	}
	s.used.add(used)
	return s.used.snapshot(), nil
}
