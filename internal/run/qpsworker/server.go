package qpsworker

import (
	"context"
	"net"
	"os"
	"runtime"
	"strconv"
	"time"

	testpb "google.golang.org/grpc/interop/grpc_testing"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/host"
)

// A server is the role of RunServer.
type server struct {
	serve *control.Serve
	usage
	port int32
}

func (s *server) start(ctx context.Context, process *launch.Worker) (*testpb.ServerStatus, error) {
	serving, err := process.Serve(ctx, s.serve)
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(serving.GetAddress())
	if err != nil {
		return nil, err
	}
	n, err := strconv.ParseInt(port, 10, 32)
	if err != nil {
		return nil, err
	}
	s.port, s.process = int32(n), process
	return s.mark(ctx, true)
}

// end implements role: a server ends with its process.
func (s *server) end(context.Context) error { return nil }

// mark implements role.
func (s *server) mark(ctx context.Context, reset bool) (*testpb.ServerStatus, error) {
	used, err := s.used(ctx, reset)
	if err != nil {
		return nil, err
	}
	return &testpb.ServerStatus{Port: s.port, Cores: int32(runtime.NumCPU()), Stats: &testpb.ServerStats{
		TimeElapsed: used.elapsed.Seconds(), TimeUser: used.user.Seconds(), TimeSystem: used.system.Seconds(),
		TotalCpuTime: uint64(used.host.Busy + used.host.Idle), IdleCpuTime: uint64(used.host.Idle),
	}}, nil
}

// A usage measures what a process uses between resets.
type usage struct {
	process *launch.Worker
	since   *control.Snapshot // nil before the first
	host    host.Times
}

// A span holds what the process and all processors used in a period. The latter is zero if the system does not report it.
type span struct {
	elapsed, user, system time.Duration
	host                  host.Spent
}

// used returns what was used since the last reset. The first time it returns nothing.
func (u *usage) used(ctx context.Context, reset bool) (span, error) {
	now, err := u.process.Mark(ctx)
	if err != nil {
		return span{}, err
	}
	times, _ := host.ReadTimes(os.DirFS("/proc"))
	if u.since == nil {
		u.since, u.host = now, times
	}
	s := span{
		elapsed: time.Duration(now.GetTimeNs() - u.since.GetTimeNs()), host: times.Since(u.host),
		user:   time.Duration(now.GetCpuUserNs() - u.since.GetCpuUserNs()),
		system: time.Duration(now.GetCpuSystemNs() - u.since.GetCpuSystemNs()),
	}
	if reset {
		u.since, u.host = now, times
	}
	return s, nil
}
