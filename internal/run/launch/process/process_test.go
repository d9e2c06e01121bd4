package process_test

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/process"
)

// asEcho as the first argument turns the test binary into a program that repeats its input.
const asEcho = "as-echo"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == asEcho {
		_, _ = io.Copy(os.Stdout, os.Stdin)
		return
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // programs with the race detector would sleep for a second when they end
	os.Exit(m.Run())
}

func echo(t *testing.T) launch.Process {
	t.Helper()
	p, err := process.Command([]string{os.Args[0], asEcho}).Launch(t.Context(), launch.Order{Stack: "any"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Kill(); _ = p.Wait() })
	return p
}

func TestAProcessIsAPipeOnLoopback(t *testing.T) {
	t.Parallel()
	p := echo(t)
	if _, err := p.Write([]byte("to and fro")); err != nil {
		t.Error(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if back, err := io.ReadAll(p); err != nil || string(back) != "to and fro" {
		t.Errorf("%q came back, %v", back, err)
	}
	if err := p.Wait(); err != nil {
		t.Error(err)
	}
	if at := p.Host().Address; at != "127.0.0.1" {
		t.Errorf("it is reached at %s", at)
	}
}

func TestAKilledProcessIsToldFromOneThatFailed(t *testing.T) {
	t.Parallel()
	p := echo(t)
	p.Kill()
	err := p.Wait()
	if killed, ok := errors.AsType[*launch.KilledError](err); !ok || killed.Error() != "signal: killed" {
		t.Errorf("%T: %v", err, err)
	}
	failing, err := process.Start(process.Program{Command: []string{"false"}}, launch.Order{})
	if err != nil {
		t.Fatal(err)
	}
	err = failing.Wait()
	if _, ok := errors.AsType[*launch.KilledError](err); ok || err == nil || err.Error() != "exit status 1" {
		t.Errorf("%T: %v", err, err)
	}
}

func TestWhatCannotBeLaunchedIsNoProcess(t *testing.T) {
	t.Parallel()
	for want, launcher := range map[string]process.Launcher{
		"no such stack": func(order launch.Order) (process.Program, error) {
			return process.Program{}, errors.New("no such stack " + order.Stack)
		},
		"no-such-file": process.Command([]string{"./no-such-file"}),
	} {
		p, err := launcher.Launch(t.Context(), launch.Order{Stack: "s"})
		if p != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %v; want an error that says %q", p, err, want)
		}
	}
}
