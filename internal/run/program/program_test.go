package program_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"rpcbench/internal/run/program"
	"rpcbench/internal/worker"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/host"
)

// TestMain lets a copy of this test binary be a program: PROGRAM_TEST is what it does, at the address of its first argument.
func TestMain(m *testing.M) {
	behave := os.Getenv("PROGRAM_TEST")
	if behave == "" {
		os.Exit(m.Run())
	}
	network := "tcp"
	if strings.HasPrefix(os.Args[1], "/") {
		network = "unix"
	}
	listener, err := net.Listen(network, os.Args[1])
	if err != nil {
		fmt.Println(err)
		os.Exit(4)
	}
	serve(behave, listener)
}

// serve does not return.
func serve(behave string, listener net.Listener) {
	server := grpc.NewServer()
	switch behave {
	case "says":
		fmt.Println("loading a model")
		fmt.Println("and now: ready to serve")
	case "healthy":
		service := health.NewServer()
		service.SetServingStatus("", grpc_health_v1.HealthCheckResponse_NOT_SERVING)
		grpc_health_v1.RegisterHealthServer(server, service)
		time.AfterFunc(50*time.Millisecond, func() { service.SetServingStatus("", grpc_health_v1.HealthCheckResponse_SERVING) })
	case "tells": // what it was given, into the file that its second argument names
		told := strings.Join(os.Args[3:], "\n")
		for _, path := range os.Args[3:] {
			if text, err := os.ReadFile(path); err == nil {
				info, _ := os.Stat(path)
				told += fmt.Sprintf("\n%s %v %q", filepath.Base(path), info.Mode(), text)
			}
		}
		if err := os.WriteFile(os.Args[2], []byte(told), 0o600); err != nil {
			os.Exit(6)
		}
		fmt.Println("told")
	case "busy":
		for host.Self().CPUUser < busyFor { // the server listens already, and answers after this
		}
		fmt.Println("worked")
	}
	_ = server.Serve(listener)
	os.Exit(5)
}

// busyFor is how much processor time the busy program takes.
const busyFor = 100 * time.Millisecond

// never is what no program needs that works.
const never = time.Hour

func start(t *testing.T, behave, network, address string, told *control.Program) (worker.Program, error) {
	t.Helper()
	t.Setenv("PROGRAM_TEST", behave)
	if told.Command == nil {
		told.Command = []string{os.Args[0], "{address}"}
	}
	if told.ReadyNs == 0 {
		told.ReadyNs = never.Nanoseconds()
	}
	p, err := program.Starter{}.Start(t.Context(), told, network, address, &control.Security{Mode: "plaintext"})
	if err == nil {
		t.Cleanup(p.Close)
	}
	return p, err
}

func TestAProgramListensWhereItIsTold(t *testing.T) {
	p, err := start(t, "serves", "tcp", "127.0.0.1:0", &control.Program{})
	if err != nil {
		t.Fatal(err)
	}
	if host, port, err := net.SplitHostPort(p.Address()); err != nil || host != "127.0.0.1" || port == "0" {
		t.Errorf("it listens on %s", p.Address())
	}
	conn, err := net.Dial("tcp", p.Address())
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	p.Close()
	<-p.Ended()
	if _, err := net.Dial("tcp", p.Address()); err == nil {
		t.Error("somebody listens after its end")
	}

	path := filepath.Join(t.TempDir(), "s")
	p, err = start(t, "serves", "unix", path, &control.Program{})
	if err != nil || p.Address() != path {
		t.Fatalf("%v, %v", p, err)
	}
}

func TestAProgramThatIsToldThePortAlone(t *testing.T) {
	p, err := start(t, "serves", "tcp", "127.0.0.1:0", &control.Program{Command: []string{os.Args[0], "{host}:{port}"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, port, _ := net.SplitHostPort(p.Address()); atLeast(port, 1) {
		return
	}
	t.Errorf("it listens on %s", p.Address())
}

func atLeast(text string, least int) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n >= least
}

func TestAProgramIsWaitedForUntilItIsReady(t *testing.T) {
	for behave, told := range map[string]*control.Program{
		"says":    {ReadyLine: "ready to serve"},
		"healthy": {ReadyHealth: true},
	} {
		if _, err := start(t, behave, "tcp", "127.0.0.1:0", told); err != nil {
			t.Errorf("%s: %v", behave, err)
		}
	}
}

func TestAProgramThatIsNeverReadyIsEnded(t *testing.T) {
	soon := (50 * time.Millisecond).Nanoseconds()
	for behave, test := range map[string]struct {
		told *control.Program
		want string
	}{
		"says": {&control.Program{ReadyLine: "gone fishing", ReadyNs: soon},
			`it printed no line with "gone fishing": it was not ready within 50ms`},
		"serves": {&control.Program{ReadyHealth: true}, "offers no grpc.health.v1.Health"},
	} {
		if _, err := start(t, behave, "tcp", "127.0.0.1:0", test.told); err == nil || !strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", behave, err, test.want)
		}
	}
}

func TestAnAddressOfSomebodyElseIsNoProgram(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	at := taken.Addr().String()
	_, err = start(t, "serves", "tcp", "127.0.0.1:0", &control.Program{Address: at})
	if want := "something else already listens on " + at; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestAProgramThatIsNotThere(t *testing.T) {
	_, err := start(t, "", "tcp", "127.0.0.1:0", &control.Program{Command: []string{"/nowhere/server", "{port}"}})
	if err == nil || !strings.HasPrefix(err.Error(), `there is no such program: exec: "/nowhere/server": `) {
		t.Errorf("%v", err)
	}
}

func TestWhatAProgramUsesIsKnown(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells")
	}
	p, err := start(t, "busy", "tcp", "127.0.0.1:0", &control.Program{
		Command: []string{"sh", "-c", os.Args[0] + " {address} & wait"}, ReadyLine: "worked", // its children count too
	})
	if err != nil {
		t.Fatal(err)
	}
	usage, known := p.Usage()
	if cpu := usage.CPUUser + usage.CPUSystem; !known || cpu < busyFor {
		t.Errorf("%v, %v: it took %v", cpu, known, busyFor)
	}
	if usage.PeakMemoryBytes < 1<<20 || !usage.SwitchesKnown || usage.VoluntarySwitches == 0 {
		t.Errorf("%+v", usage)
	}
}

// A connection is accepted, for sure, once something was answered on it.
func TestSocketsOfAProgramsChildrenAreCounted(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells")
	}
	p, err := start(t, "serves", "tcp", "127.0.0.1:0", &control.Program{
		Command: []string{"sh", "-c", os.Args[0] + " {address} & wait"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		conn, err := grpc.NewClient("passthrough:///"+p.Address(), grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_, err = grpc_health_v1.NewHealthClient(conn).Check(t.Context(), &grpc_health_v1.HealthCheckRequest{})
		if status.Code(err) != codes.Unimplemented {
			t.Fatalf("%v", err)
		}
	}
	if before, after := p.Sockets(), p.Sockets(); before < 2 || before > 3 || after != before { // whoever waited for it had one
		t.Errorf("%d sockets, and then %d", before, after)
	}
}
