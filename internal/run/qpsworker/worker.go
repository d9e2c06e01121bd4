// Package qpsworker is a benchmark worker of gRPC (grpc.testing.WorkerService): gRPC's driver tells it to be a server or a
// client, and any stack of ours does the work, in a separate worker process.
//
// It has one role at a time. What a driver asks for and the stack does not support is refused by the field's name. Fields
// that only configure gRPC's own libraries are ignored, and reported once.
package qpsworker

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/status"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/worker/host"
)

// A Config configures the worker.
type Config struct {
	Stack      string
	JVMOptions string
	Launcher   launch.Launcher // of workers that host the stack
	Listen     string          // the host that servers listen at
	ServerPort int             // of servers whose driver names none; 0 picks one
	Note       func(string)    // hears what is passed over
}

// A Worker serves grpc.testing.WorkerService.
type Worker struct {
	testpb.UnimplementedWorkerServiceServer

	config Config
	busy   chan struct{} // holds something while there is a role
	quit   chan struct{} // closed when a driver has said so
	once   sync.Once
	noted  sync.Map // by the sentence
}

// Register has a server serve a worker, which is returned.
func Register(on grpc.ServiceRegistrar, config Config) *Worker {
	w := &Worker{config: config, busy: make(chan struct{}, 1), quit: make(chan struct{})}
	testpb.RegisterWorkerServiceServer(on, w)
	return w
}

// Quit is closed when a driver has told the worker to end.
func (w *Worker) Quit() <-chan struct{} { return w.quit }

// CoreCount implements the service.
func (w *Worker) CoreCount(context.Context, *testpb.CoreRequest) (*testpb.CoreResponse, error) {
	return &testpb.CoreResponse{Cores: int32(runtime.NumCPU())}, nil
}

// QuitWorker implements the service.
func (w *Worker) QuitWorker(context.Context, *testpb.Void) (*testpb.Void, error) {
	w.once.Do(func() { close(w.quit) })
	return &testpb.Void{}, nil
}

// RunServer implements the service.
func (w *Worker) RunServer(stream testpb.WorkerService_RunServerServer) error {
	return run(w, stream, func(in *testpb.ServerArgs) (role[testpb.ServerStatus], []int, error) {
		setup := in.GetSetup()
		if setup == nil {
			return nil, nil, status.Error(codes.InvalidArgument, "the first message has no setup")
		}
		cpus, err := processors(setup.GetCoreList(), setup.GetCoreLimit())
		if err != nil {
			return nil, nil, err
		}
		serve, err := w.serveOf(setup)
		return &server{serve: serve}, cpus, err
	}, (*testpb.ServerArgs).GetMark)
}

// RunClient implements the service.
func (w *Worker) RunClient(stream testpb.WorkerService_RunClientServer) error {
	return run(w, stream, func(in *testpb.ClientArgs) (role[testpb.ClientStatus], []int, error) {
		setup := in.GetSetup()
		if setup == nil {
			return nil, nil, status.Error(codes.InvalidArgument, "the first message has no setup")
		}
		cpus, err := processors(setup.GetCoreList(), setup.GetCoreLimit())
		if err != nil {
			return nil, nil, err
		}
		client, err := w.clientOf(setup)
		return client, cpus, err
	}, (*testpb.ClientArgs).GetMark)
}

// note reports an ignored setting once.
func (w *Worker) note(text string) {
	if _, told := w.noted.LoadOrStore(text, true); !told {
		w.config.Note(text)
	}
}

// processors are those that a driver allows; none is all.
func processors(list []int32, limit int32) (found []int, err error) {
	if len(list) == 0 {
		for cpu := range min(int(limit), runtime.NumCPU()) {
			found = append(found, cpu)
		}
		return found, nil
	}
	for _, cpu := range list {
		if cpu < 0 || cpu >= host.ProcessorsMax {
			return nil, refuse("core_list", fmt.Sprintf("%d is not the number of a processor, 0 to %d", cpu, host.ProcessorsMax-1))
		}
		found = append(found, int(cpu))
	}
	return found, nil
}
