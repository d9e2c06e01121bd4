package conform

import (
	"errors"
	"testing"
)

func TestCasesThatJudgeNoProcessShareSome(t *testing.T) {
	config := Config{
		Command: command(), Reference: command(), Stacks: []string{"tcp"}, Timing: NoTiming, Share: true, Case: cases("tcp unary"),
	}
	suite, err := New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	verdict, lines := run(t, suite)
	if verdict.Failed != 0 || verdict.OK < 5 {
		t.Errorf("%+v\n%s", verdict, lines)
	}
	if got := len(suite.sharing.all); got != sharedProcesses {
		t.Errorf("there were %d processes, want %d", got, sharedProcesses)
	}
}

func TestCasesThatJudgeAProcessHaveTheirOwn(t *testing.T) {
	config := Config{Command: command(), Reference: command(), Stacks: []string{"tcp"}, Timing: NoTiming}
	suite, err := New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	own := map[string]bool{}
	for _, c := range suite.Cases {
		own[c.Name] = c.wantsProcess()
	}
	for name, want := range map[string]bool{
		"end of input, idle": true, "an interrupt is ignored": true, "a profile": true, "tcp end of input, calling": true,
		"tcp the server dies": true, "tcp a frozen server, 1 slot": true, "tcp unary": false, "tcp rate at 1x1": false,
	} {
		if got, ok := own[name]; !ok || got != want {
			t.Errorf("%s: a process of its own: %v, want %v", name, got, want)
		}
	}
}

func TestAFailedCaseSpoilsTheProcessesOfLaterOnes(t *testing.T) {
	s, err := newSharing(t.Context(), Config{Command: command()})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for index := range 5 {
			session, err := s.start(t.Context(), index, hangPatience)
			if err != nil {
				t.Fatal(err)
			}
			if err := session.end(); err != nil {
				t.Errorf("a session's end: %v", err)
			}
		}
		s.spoil()
	}
	if got := len(s.all); got != 2*sharedProcesses {
		t.Errorf("there were %d processes, want %d", got, 2*sharedProcesses)
	}
	if err := s.close(); err != nil {
		t.Error(err)
	}
}

func TestAWorkerThatHoldsOneSessionCannotBeShared(t *testing.T) {
	_, err := New(t.Context(), Config{Command: command("a JVM"), Reference: command(), Timing: NoTiming, Share: true})
	if !errors.Is(err, ErrNoSessions) {
		t.Errorf("the error is %v", err)
	}
}
