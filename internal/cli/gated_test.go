package cli_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"rpcbench/internal/cli"
	"rpcbench/internal/run/manifest"
	"rpcbench/internal/stack"
	"rpcbench/internal/stack/grpcgo"
)

// gated is a program of its own that hosts grpc-gated: grpc-go, one of whose servers stops at a gate, so that a test knows
// which trial is on, for as long as it wants. With a path it is such a server itself, until a SIGTERM.
func gated() {
	served := gatedStack{grpcgo.New()}
	if len(os.Args) != 3 || os.Args[1] != "listen" {
		os.Exit(cli.Main(os.Args[1:], []stack.Stack{served}, work))
	}
	if err := serveUntilTerminated(served, os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serveUntilTerminated(served stack.Stack, path string) error {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	listener, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	server, err := served.Serve(stack.ServeConfig{Listener: listener, Reply: func(n int) []byte { return make([]byte, n) }})
	if err != nil {
		return err
	}
	<-signals
	return server.Stop(context.Background())
}

// What the program is told by its environment.
const (
	gateFolder   = "GATE"          // holds what servers and the test tell each other; "" is no gate
	gateServer   = "GATE_SERVER"   // of the servers that are started, the one that stops at the gate
	gateCall     = "GATE_CALL"     // the call at which it does
	gateStubborn = "GATE_STUBBORN" // "1" has it ignore from then on who asks it to end
	gateDeath    = "GATE_DEATH"    // "1" has every server end at its first call instead
)

// A gate is the test's side of it.
type gate struct{ folder string }

// environment has a server, counted from 1, stop at one of its calls, and at all that follow, until the gate opens.
func (g gate) environment(server, call int) []string {
	return []string{gateFolder + "=" + g.folder, fmt.Sprintf("%s=%d", gateServer, server), fmt.Sprintf("%s=%d", gateCall, call)}
}

// await returns the process id of the server that stands at the gate, once one does, before the program that starts it has ended.
func (g gate) await(t *testing.T, p *program) (pid int) {
	t.Helper()
	waitUntil(t, "a server at the gate", func() bool {
		select {
		case err := <-p.ended:
			t.Fatalf("rpcbench ended before, with code %d: %s%s", code(err), p.out.String(), p.err.String())
		default:
		}
		text, err := os.ReadFile(filepath.Join(g.folder, "waiting"))
		if err == nil {
			pid, err = strconv.Atoi(string(text))
		}
		return err == nil
	})
	return pid
}

func (g gate) open(t *testing.T) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(g.folder, "open"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

// gatedScenario puts a scenario and the manifest of gated into a fresh folder.
func gatedScenario(t *testing.T, yaml string) (folder string) {
	t.Helper()
	folder = write(t, yaml)
	writeText(t, filepath.Join(folder, manifest.FileName), "name: gated\ncommand: [gated, worker]\nstacks: [grpc-gated]\n"+
		"environment: [GATE, GATE_SERVER, GATE_CALL, GATE_STUBBORN, GATE_DEATH]\n")
	return folder
}

type gatedStack struct{ stack.Stack }

func (s gatedStack) Info() stack.Info {
	info := s.Stack.Info()
	info.Name = "grpc-gated"
	return info
}

// Serve has calls pass the gate before they are answered.
func (s gatedStack) Serve(config stack.ServeConfig) (stack.Server, error) {
	stopsAt, err := gatedCall()
	if err != nil {
		return nil, err
	}
	var calls atomic.Int64
	stopped := make(chan struct{})
	config.Authorize = func(tls.ConnectionState) error {
		switch n := calls.Add(1); {
		case os.Getenv(gateDeath) != "":
			fmt.Fprintln(os.Stderr, "out of heart")
			os.Exit(7)
		case stopsAt > 0 && n >= stopsAt:
			standAtGate(stopped)
		}
		return nil
	}
	server, err := s.Stack.Serve(config)
	return gatedServer{server, stopped}, err
}

type gatedServer struct {
	stack.Server

	stopped chan struct{}
}

// Stop lets go who stands at the gate: a server waits for its calls.
func (s gatedServer) Stop(ctx context.Context) error {
	close(s.stopped)
	return s.Server.Stop(ctx)
}

// gatedCall is the call at which this server stops; 0 is none.
func gatedCall() (int64, error) {
	folder := os.Getenv(gateFolder)
	if folder == "" {
		return 0, nil
	}
	for n := 1; ; n++ { // each server takes the first number that is free
		file, err := os.OpenFile(filepath.Join(folder, fmt.Sprintf("server-%d", n)), os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return 0, err
		}
		file.Close()
		if strconv.Itoa(n) != os.Getenv(gateServer) {
			return 0, nil
		}
		return strconv.ParseInt(os.Getenv(gateCall), 10, 64)
	}
}

// standAtGate says that this process waits, and waits until the gate is open, or the server is to stop.
func standAtGate(stopped <-chan struct{}) {
	if os.Getenv(gateStubborn) != "" {
		signal.Ignore(syscall.SIGTERM, syscall.SIGHUP)
	}
	folder := os.Getenv(gateFolder)
	written := filepath.Join(folder, "writing")
	_ = os.WriteFile(written, []byte(strconv.Itoa(os.Getpid())), 0o600) // without it the test says what is missing
	_ = os.Rename(written, filepath.Join(folder, "waiting"))
	look := time.NewTicker(2 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-stopped:
			return
		case <-look.C:
		}
		if _, err := os.Stat(filepath.Join(folder, "open")); err == nil {
			return
		}
	}
}
