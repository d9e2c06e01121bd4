package server_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"rpcbench/internal/run/server"
)

// TestMain makes a copy of this test binary a server: SERVER_TEST says what it does, at the address in its last word.
func TestMain(m *testing.M) {
	behave := os.Getenv("SERVER_TEST")
	if behave == "" {
		os.Exit(m.Run())
	}
	if behave == "stubborn" {
		signal.Ignore(syscall.SIGTERM)
	}
	println("hello from", behave)
	switch behave {
	case "crashes":
		println("panic: not now\npanic: no cache\n\ngoroutine 1 [running]:\n" + strings.Repeat("main.f()\n", 1000))
		os.Exit(2)
	case "dies":
		os.Exit(3)
	case "fails":
		os.Exit(255)
	case "deaf":
		time.Sleep(time.Hour) // an empty select would be a deadlock, which ends a program without cgo
	}
	listener, err := net.Listen("unix", os.Args[len(os.Args)-1])
	if err != nil {
		println(err.Error())
		os.Exit(4)
	}
	for {
		conn, err := listener.Accept()
		if err != nil {
			os.Exit(5)
		}
		conn.Close()
	}
}

// patience only ends hangs: a machine may stall for a while.
const patience = 3 * time.Minute

// A logged server has its output in a Log.
type logged struct {
	*server.Server
	*server.Log
}

// run starts a server that behaves so.
func run(t *testing.T, behave string) (logged, server.Address) {
	t.Helper()
	at := server.Address{Network: "unix", Text: filepath.Join(t.TempDir(), "s")}
	t.Setenv("SERVER_TEST", behave)
	log := server.NewLog(io.Discard, 1<<20)
	s, err := server.Start("server a", nil, []string{os.Args[0], at.Text}, "", log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Kill)
	return logged{s, log}, at
}

func TestAServerIsAwaitedAndStopped(t *testing.T) {
	s, at := run(t, "serves")
	if err := s.Await(t.Context(), at, patience); err != nil {
		t.Fatal(err)
	}
	if s.Ended() != nil {
		t.Errorf("ended %v", s.Ended())
	}
	if err := s.Stop(at, patience); err != nil {
		t.Fatal(err)
	}
	if got := s.LastWords(); got != "hello from serves" {
		t.Errorf("last words %q", got)
	}
	if _, err := os.Lstat(at.Text); !errors.Is(err, fs.ErrNotExist) || at.Accepts(t.Context()) {
		t.Errorf("after the end its socket is there: %v", err)
	}
}

func TestAServerThatEndsOrNeverListensIsOneSentence(t *testing.T) {
	for behave, want := range map[string]string{"dies": "3", "fails": "255"} {
		s, at := run(t, behave)
		if err := s.Await(t.Context(), at, patience); err == nil ||
			err.Error() != "server a exited unexpectedly with exit status "+want {
			t.Errorf("%v", err)
		}
		if err := s.Stop(at, patience); err != nil {
			t.Error(err)
		}
	}
	s, at := run(t, "deaf")
	err := s.Await(t.Context(), at, 100*time.Millisecond)
	if want := "server a did not listen on " + at.Text + " within 100ms"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Await(ctx, at, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if err := s.Stop(at, patience); err != nil {
		t.Error(err)
	}
}

func TestAServerThatWillNotEndIsKilled(t *testing.T) {
	s, at := run(t, "stubborn")
	if err := s.Await(t.Context(), at, patience); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	if err := s.Stop(at, 100*time.Millisecond); err != nil || time.Since(begun) < 100*time.Millisecond || at.Accepts(t.Context()) {
		t.Errorf("%v after %v", err, time.Since(begun))
	}
	if err := s.Ended(); err == nil || err.Error() != "server a exited unexpectedly with signal: killed" {
		t.Errorf("%v, want it to have been killed", err)
	}
}

func TestAProgramThatIsNotThereIsNamed(t *testing.T) {
	t.Parallel()
	if _, err := server.Start("server b", nil, []string{"/nowhere/serve"}, "", server.NewLog(io.Discard, 0)); err == nil ||
		!strings.HasPrefix(err.Error(), "cannot start server b: ") || !strings.Contains(err.Error(), "/nowhere/serve") {
		t.Errorf("%v", err)
	}
}

func TestAFileThatIsNoProgramIsToldFromOneThatIsMissing(t *testing.T) {
	t.Parallel()
	plain := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(plain, []byte("notes"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		plain: plain + " is not an executable file (chmod +x makes a program or a script one)",
		"/nowhere/serve": `there is no such program: exec: "/nowhere/serve": stat /nowhere/serve: no such file or ` +
			"directory",
		"DELAY_MS=3": "there is no such program: no shell carries out the command; write env DELAY_MS=3 PROGRAM … to set a variable",
		"cd":         "there is no such program: no shell carries out the command; write sh -c 'cd …' if one is to",
	} {
		if path, err := server.Program(name); path != "" || err == nil || err.Error() != want {
			t.Errorf("%s, %v, want %s", path, err, want)
		}
	}
}

// A trace of a Go program is longer than what is kept of an output.
func TestTheLastWordsOfAGoProgramAreWhyItCrashed(t *testing.T) {
	s, at := run(t, "crashes")
	if err := s.Await(t.Context(), at, patience); err == nil {
		t.Fatal("it listens")
	}
	words := s.LastWords()
	if want := "panic: no cache goroutine 1 [running]: main.f() "; !strings.HasPrefix(words, want) || len(words) > 1<<10 {
		t.Errorf("last words %q of %d bytes, want those that begin %q", words, len(words), want)
	}
	if err := s.Stop(at, patience); err != nil {
		t.Error(err)
	}
}

// Between the two calls anybody else may have taken a port, but hardly each of a hundred.
func TestAFreePortCanBeHad(t *testing.T) {
	t.Parallel()
	for range 100 {
		port, err := server.FreePort()
		if err != nil {
			t.Fatal(err)
		}
		if port < 20_000 || port >= 30_000 {
			t.Fatalf("%d is one that a system gives to any program", port)
		}
		if listener, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port)); err == nil {
			listener.Close()
			return
		}
	}
	t.Error("none of a hundred free ports could be had")
}
