// Package qps drives the benchmark workers of gRPC (grpc.testing.WorkerService), which exist in many languages, like our own:
// it translates the commands of worker.v1 into theirs, and their reports into its events.
//
// It starts nothing: such a worker is already running, and is idle again after a trial. Requests of worker.v1 that they
// don't support are a Fault that names the field; what they don't report is absent.
package qps

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/status"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/worker/patience"
)

// Scheme is the prefix of worker addresses.
const Scheme = "qps://"

// Env is the variable in which gRPC's own driver takes its workers.
const Env = "QPS_WORKERS"

// defaultStack is the name of the stack of an unnamed worker.
const defaultStack = "qps"

// A Worker is one that runs already.
type Worker struct {
	Stack   string // that it stands for: a name of several is that of a pool
	Address string // host:port, its driver port
}

func (w Worker) String() string { return "gRPC's worker at " + w.Address }

// Parse reads workers as a flag has them, [NAME=]qps://HOST:PORT. Without names the first is qps, and the others qps-2, qps-3.
func Parse(words []string) ([]Worker, error) {
	var workers []Worker
	for _, word := range words {
		name, address, named := strings.Cut(word, "=")
		if !named {
			name, address = "", word
		}
		w := Worker{Stack: defaultStack, Address: strings.TrimPrefix(address, Scheme)}
		host, port, err := net.SplitHostPort(w.Address)
		switch {
		case !strings.HasPrefix(address, Scheme) || err != nil || host == "" || port == "":
			return nil, fmt.Errorf("%q is not [NAME=]%sHOST:PORT, such as go=%slocalhost:10000", word, Scheme, Scheme)
		case named && !isName(name):
			return nil, fmt.Errorf("%q: the name %q has other characters than letters, digits and hyphens", word, name)
		case slices.ContainsFunc(workers, func(other Worker) bool { return other.Address == w.Address }):
			return nil, fmt.Errorf("%s is given twice", address)
		case named:
			w.Stack = defaultStack + "-" + name
		case len(workers) > 0:
			w.Stack = fmt.Sprintf("%s-%d", defaultStack, len(workers)+1)
		}
		workers = append(workers, w)
	}
	return workers, nil
}

func isName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-'
	})
}

// FromEnv converts the format of gRPC's driver, HOST:PORT separated by commas, into words for Parse.
func FromEnv(text string) (words []string) {
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word != "" {
			words = append(words, Scheme+word)
		}
	}
	return words
}

// A Launcher takes workers for the sides of trials, each for one at a time.
type Launcher struct {
	workers []Worker

	mu    sync.Mutex
	taken map[string]bool // by address
}

// New makes a Launcher of the workers.
func New(workers []Worker) *Launcher { return &Launcher{workers: workers, taken: map[string]bool{}} }

// Hosts reports whether one of the workers hosts the stack.
func (l *Launcher) Hosts(stack string) bool {
	return slices.ContainsFunc(l.workers, func(w Worker) bool { return w.Stack == stack })
}

// Launch takes a worker that hosts the order's stack and is not in use.
func (l *Launcher) Launch(ctx context.Context, order launch.Order) (launch.Process, error) {
	w, err := l.take(order.Stack)
	if err != nil {
		return nil, err
	}
	p, err := l.open(ctx, w, order)
	if err != nil {
		l.release(w)
		return nil, err
	}
	return p, nil
}

func (l *Launcher) take(stack string) (Worker, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	have := 0
	for _, w := range l.workers {
		if w.Stack != stack {
			continue
		}
		if have++; !l.taken[w.Address] {
			l.taken[w.Address] = true
			return w, nil
		}
	}
	return Worker{}, fmt.Errorf("the trial needs more workers of %s than the %d given: each is one side of a trial", stack, have)
}

func (l *Launcher) release(w Worker) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.taken, w.Address)
}

func (l *Launcher) open(ctx context.Context, w Worker, order launch.Order) (*process, error) {
	if len(order.CPUs) > 0 {
		return nil, fmt.Errorf("%s is already running, so its processors can't be set: leave out client_cpus and server_cpus", w)
	}
	conn, err := grpc.NewClient("passthrough:///"+w.Address, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(statsBytesMax)))
	if err != nil {
		return nil, err
	}
	api := testpb.NewWorkerServiceClient(conn)
	ctx, cancel := patience.WithTimeout(ctx, greetPatience)
	defer cancel()
	cores, err := greet(ctx, api)
	if err != nil {
		conn.Close()
		if cause := context.Cause(ctx); cause != nil {
			return nil, fmt.Errorf("%s did not answer: %w", w, cause)
		}
		return nil, greetError(w, err)
	}
	return begin(conn, w, order.Stack, cores, func() { l.release(w) }), nil
}

// greet returns how many processors a worker has, 0 if its version of the service can't tell.
func greet(ctx context.Context, api testpb.WorkerServiceClient) (cores int, err error) {
	counted, err := api.CoreCount(ctx, &testpb.CoreRequest{})
	if status.Code(err) == codes.Unimplemented && hasRoles(ctx, api) {
		return 0, nil
	}
	return int(counted.GetCores()), err
}

// hasRoles reports whether a peer without CoreCount is a worker nonetheless: the first version of the service had only its
// roles. A role that is not set up ends at once, whatever its status.
func hasRoles(ctx context.Context, api testpb.WorkerServiceClient) bool {
	stream, err := api.RunClient(ctx)
	if err != nil {
		return false
	}
	if err := stream.CloseSend(); err != nil {
		return false
	}
	_, err = stream.Recv()
	return status.Code(err) != codes.Unimplemented
}

// greetError says why a worker can't be used.
func greetError(w Worker, err error) error {
	if status.Code(err) == codes.Unimplemented {
		return fmt.Errorf("what listens at %s is not a gRPC benchmark worker: it has no grpc.testing.WorkerService", w.Address)
	}
	if strings.Contains(err.Error(), "server preface") { // grpc-go gives no code of its own to a peer without HTTP/2
		return fmt.Errorf("what listens at %s does not speak gRPC without TLS: %s", w.Address, reason(err))
	}
	return fmt.Errorf("%s can't be reached: %s", w, reason(err))
}

// maxReason is the maximum length of a worker's reason in a sentence.
const maxReason = 300

// reason returns the message of a status as one line.
func reason(err error) string {
	s := status.Convert(err)
	words := plain.Short(s.Message(), maxReason)
	if _, dialing, found := strings.Cut(words, "Error while dialing: "); found {
		return strings.TrimSuffix(dialing, `"`)
	}
	return strings.TrimSuffix(s.Code().String()+": "+words, ": ")
}
