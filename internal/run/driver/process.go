package driver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/worker/host"
)

// A namedProcess is one of a side, or the link's.
type namedProcess struct {
	name string // "server", "server-2", "client", "link"
	*launch.Worker
}

// over tells whether the process has ended.
func (p namedProcess) over() bool {
	select {
	case <-p.Ended():
		return true
	default:
		return false
	}
}

// both returns the processes of the sides that there are, those of the server first.
func (s *sides) both() []namedProcess {
	return append(s.namedServers(), namedProcess{"client", s.client})
}

// namedServers are those of them that have been started.
func (s *sides) namedServers() []namedProcess {
	var named []namedProcess
	for i, server := range s.servers {
		if server != nil {
			named = append(named, namedProcess{serverName(i), server})
		}
	}
	return named
}

// serverName is "server", "server-2", "server-3".
func serverName(i int) string {
	if i == 0 {
		return "server"
	}
	return fmt.Sprintf("server-%d", i+1)
}

// others are all processes but the client that have been started.
func (s *sides) others() []namedProcess {
	others := s.namedServers()
	if s.relay != nil {
		others = append(others, namedProcess{linkSide, s.relay})
	}
	return others
}

// start starts all processes side by side: the client, the servers unless they run already, and the link's.
func (s *sides) start(ctx context.Context) error {
	if s.spec.Target == "" && !codes(s.spec) {
		s.servers = make([]*launch.Worker, max(s.spec.Servers, 1))
	}
	var starting sync.WaitGroup
	errs := make([]error, len(s.servers)+2) // of the servers, the client, the link
	start := func(i int, name string, process **launch.Worker, stack, cpus string) {
		starting.Go(func() {
			p, err := s.launch(ctx, stack, cpus)
			*process, errs[i] = p, blame(name, err)
		})
	}
	for i := range s.servers {
		start(i, serverName(i), &s.servers[i], s.spec.Server, s.spec.ServerCPUs)
	}
	start(len(s.servers), "client", &s.client, s.spec.Stack, s.spec.ClientCPUs)
	if s.spec.Link != nil {
		start(len(s.servers)+1, linkSide, &s.relay, "", "")
	}
	starting.Wait()
	if err := first(errs...); err != nil {
		s.keepLastWords(errs...)
		return err
	}
	if len(s.servers) > 0 {
		s.evidence.Server = describe(s.servers[0].Hello, s.spec.Server)
	}
	s.evidence.Client = describe(s.client.Hello, s.spec.Stack)
	return nil
}

// keepLastWords keeps those of the first worker that could not be started.
func (s *sides) keepLastWords(errs ...error) {
	for _, err := range errs {
		var lost *launch.LostError
		if errors.As(err, &lost) && s.evidence.LastWords == "" {
			s.evidence.LastWords = lost.LastWords
		}
	}
}

func (s *sides) launch(ctx context.Context, stack, cpuList string) (*launch.Worker, error) {
	var cpus []int
	if cpuList != "" {
		var err error
		if cpus, err = host.ParseCPUs(cpuList); err != nil {
			return nil, err
		}
	}
	return launch.Start(ctx, s.Launcher, launch.Order{Stack: stack, CPUs: cpus, JVMOptions: s.spec.JVMOptions})
}

// close ends all processes, by force where told so, and keeps the last words of the first that did not end well.
func (s *sides) close(kill bool) error {
	ending := s.others()
	if s.client != nil {
		ending = append(ending, namedProcess{"client", s.client})
	}
	errs := make([]error, len(ending))
	var closing sync.WaitGroup
	for i, p := range ending {
		closing.Go(func() { errs[i] = p.end(kill) })
	}
	closing.Wait()
	if s.sockets != "" {
		_ = os.RemoveAll(s.sockets) // a folder of the system's for temporary files
	}
	for i, p := range ending {
		if errs[i] != nil && s.evidence.LastWords == "" {
			s.evidence.LastWords = p.LastWords()
		}
	}
	return first(errs...)
}

func (p namedProcess) end(kill bool) error {
	if kill {
		return blame(p.name, p.Abort())
	}
	return blame(p.name, p.Close())
}
