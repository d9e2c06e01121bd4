package qps

import (
	"net"
	"strconv"
	"time"

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
	host, _, _ := net.SplitHostPort(s.worker.Address)
	return &control.Serving{Address: net.JoinHostPort(numeric(host), strconv.Itoa(int(started.GetPort())))}, nil
}

// mark asks what the worker used since the last mark. Some workers reset their counters without being told.
func (s *server) mark() (*control.Snapshot, error) {
	marked, err := s.line.ask(&testpb.ServerArgs{Argtype: &testpb.ServerArgs_Mark{Mark: &testpb.Mark{Reset_: true}}})
	if err != nil {
		return nil, err
	}
	stats := marked.GetStats()
	s.used.add(stats.GetTimeElapsed(), stats.GetTimeUser(), stats.GetTimeSystem())
	return s.used.snapshot(), nil
}

// A usage is what a worker used, summed over its answers.
type usage struct{ elapsed, user, system time.Duration }

func (u *usage) add(elapsed, user, system float64) {
	u.elapsed += seconds(elapsed)
	u.user += seconds(user)
	u.system += seconds(system)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// snapshot contains what is known; everything else is absent.
func (u *usage) snapshot() *control.Snapshot {
	return &control.Snapshot{TimeNs: int64(u.elapsed), CpuUserNs: int64(u.user), CpuSystemNs: int64(u.system)}
}
