//go:build unix

package child_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"rpcbench/internal/run/child"
)

// asProgram as the first argument turns the test binary into a program, which the second one describes.
const asProgram = "as-program"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == asProgram {
		os.Exit(play(os.Args[2]))
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // programs with the race detector would sleep for a second when they end
	os.Exit(m.Run())
}

// program is the command of a program that plays a role.
func program(role string) *exec.Cmd { return exec.Command(os.Args[0], asProgram, role) }

// play prints "ready" and plays its role until its input ends.
func play(role string) int {
	asked := make(chan os.Signal, 1)
	switch role {
	case "polite":
		signal.Notify(asked, syscall.SIGTERM)
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
	case "talkative":
		fmt.Fprint(os.Stderr, strings.Repeat("x", 9000)+" and that was all")
	case "fails":
		fmt.Fprintln(os.Stderr, "out of paper")
		return 3
	case "leaves a child":
		own := program("endless")
		own.Stdout, own.Stderr = os.Stdout, os.Stderr
		if own.Start() != nil {
			return 4
		}
	case "endless":
		fmt.Println("ready")
		time.Sleep(time.Hour)
	case "has a child":
		own := program("stubborn") // which keeps this one's output open
		own.Stdout = os.Stdout
		if _, err := own.StdinPipe(); err != nil || own.Start() != nil {
			return 4
		}
	}
	fmt.Println("ready")
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(asked)
	}()
	if _, told := <-asked; told {
		return 7
	}
	return 0
}

// patience only ends hangs: a machine may stall for a while.
const patience = 3 * time.Minute

// start returns a program that is ready, with the rest of its output.
func start(t *testing.T, role string) (*child.Piped, *bufio.Reader) {
	t.Helper()
	c, err := child.StartPiped(program(role), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Kill(); _ = c.Wait() })
	out := bufio.NewReader(c.Out)
	lines := map[string]int{"has a child": 2, "leaves a child": 2}[role] // its own, and its child's
	for range max(lines, 1) {
		if line, err := out.ReadString('\n'); line != "ready\n" {
			t.Fatalf("%s said %q, %v", role, line, err)
		}
	}
	return c, out
}

// wantEnd checks how a program ended: nil is well.
func wantEnd(t *testing.T, c *child.Piped, how string, killed bool) {
	t.Helper()
	if err := c.Wait(); fmt.Sprint(err) != how || c.WasKilled() != killed {
		t.Errorf("it ended with %v, killed %v; want %s, %v", err, c.WasKilled(), how, killed)
	}
}

func TestAChildLeadsAGroupOfItsOwn(t *testing.T) {
	t.Parallel()
	c, _ := start(t, "good")
	group, err := syscall.Getpgid(c.PID())
	if err != nil || group != c.PID() {
		t.Errorf("its group is %d, %v; want %d", group, err, c.PID())
	}
	select {
	case <-c.Ended():
		t.Error("it has ended")
	default:
	}
	c.In.Close()
	wantEnd(t, c, "<nil>", false)
}

func TestKillEndsWhatTheProgramStartedToo(t *testing.T) {
	t.Parallel()
	c, out := start(t, "has a child")
	c.Kill()
	wantEnd(t, c, "signal: killed", true)
	if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 { // until the last that has it open has ended
		t.Errorf("%q, %v", rest, err)
	}
	c.Kill() // of what is gone is nothing
}

// The end of its input ends it, but not its child, which has its outputs open.
func TestAnEndLeavesNothingOfTheGroup(t *testing.T) {
	t.Parallel()
	c, out := start(t, "leaves a child")
	c.In.Close()
	wantEnd(t, c, "<nil>", false)
	if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 {
		t.Errorf("%q, %v", rest, err)
	}
}

func TestStopAsksBeforeItKills(t *testing.T) {
	t.Parallel()
	polite, _ := start(t, "polite")
	polite.Stop(patience)
	wantEnd(t, polite, "exit status 7", false)
	stubborn, _ := start(t, "stubborn")
	stubborn.Stop(time.Millisecond)
	wantEnd(t, stubborn, "signal: killed", true)
}

func TestStopLeavesNothingOfTheGroup(t *testing.T) {
	t.Parallel()
	c, out := start(t, "has a child")
	c.Stop(patience)
	wantEnd(t, c, "signal: terminated", false)
	if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 {
		t.Errorf("%q, %v", rest, err)
	}
}

func TestWhatWasPrintedCanBeReadAfterTheEnd(t *testing.T) {
	t.Parallel()
	c, err := child.StartPiped(program("good"), nil)
	if err != nil {
		t.Fatal(err)
	}
	c.In.Close()
	wantEnd(t, c, "<nil>", false)
	if all, err := io.ReadAll(c.Out); err != nil || string(all) != "ready\n" {
		t.Errorf("%q, %v", all, err)
	}
	if err := c.Out.Close(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("after its end the output is open: %v", err)
	}
}

func TestLastWordsAreTheLastFourKilobytes(t *testing.T) {
	t.Parallel()
	c, _ := start(t, "talkative")
	c.In.Close()
	wantEnd(t, c, "<nil>", false)
	const end = " and that was all"
	if got, want := c.LastWords(), strings.Repeat("x", 4<<10-len(end))+end; got != want {
		t.Errorf("%d bytes, the last of them %q", len(got), got[max(0, len(got)-40):])
	}
}

func TestAPausedChildStandsStillUntilItIsResumed(t *testing.T) {
	t.Parallel()
	c, _ := start(t, "good")
	if err := c.Pause(); err != nil {
		t.Fatal(err)
	}
	for {
		still, err := c.Paused()
		if err != nil {
			t.Fatal(err)
		}
		if still {
			break
		}
		runtime.Gosched()
	}
	c.In.Close()
	if err := c.Resume(); err != nil {
		t.Fatal(err)
	}
	wantEnd(t, c, "<nil>", false)
}

func TestAnInterruptReachesTheGroup(t *testing.T) {
	t.Parallel()
	c, out := start(t, "has a child")
	if err := c.Interrupt(); err != nil {
		t.Fatal(err)
	}
	wantEnd(t, c, "signal: interrupt", false)
	if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 {
		t.Errorf("%q, %v", rest, err)
	}
}

func TestRunReturnsWhatWasPrintedOrWhyNot(t *testing.T) {
	t.Parallel()
	if out, err := child.Run(t.Context(), program("good"), nil); err != nil || out != "ready\n" {
		t.Errorf("%q, %v", out, err)
	}
	over, giveUp := context.WithCancelCause(t.Context())
	giveUp(errors.New("enough"))
	endless := program("good")
	in, err := endless.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	for want, run := range map[string]func() (string, error){
		"exit status 3: out of paper": func() (string, error) { return child.Run(t.Context(), program("fails"), nil) },
		"enough":                      func() (string, error) { return child.Run(over, endless, nil) },
		"/nowhere/program":            func() (string, error) { return child.Run(t.Context(), exec.Command("/nowhere/program"), nil) },
		"processors [1023]":           func() (string, error) { return child.Run(t.Context(), program("good"), []int{1023}) },
	} {
		if out, err := run(); err == nil || !strings.Contains(err.Error(), want) || out != "" {
			t.Errorf("%q, %v; want an error that says %q", out, err, want)
		}
	}
}
