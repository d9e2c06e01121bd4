package dist

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rpcbench/internal/test/programtest"
)

// invented is a make whose targets are good, bad and busy; the last one computes for 0.6 s.
const invented = `#!/usr/bin/env bash
case $2 in
good) echo "a good part" ;;
bad) echo '--- FAIL: TestOfThisPart (0.01s)' && exit 2 ;;
busy)
  while times >"$0.times" && read -r user kernel <"$0.times" && [[ $user < 0m0.6 ]]; do
    : {1..10000}
  done
  ;;
esac
`

// inParts returns what the parts of the invented make print, and whether all of them are good.
func inParts(t *testing.T, parts ...string) (said string, good bool) {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	path := filepath.Join(t.TempDir(), "make")
	programtest.Write(t, path, invented)
	command := exec.CommandContext(t.Context(), filepath.Join(root, "tools", "parts.sh"), parts...)
	command.Env = append(os.Environ(), "MAKE="+path, "jobs=2")
	output, err := command.CombinedOutput()
	return string(output), err == nil
}

// summary returns the lines after the one that counts the parts, with x for times on the wall, and that line.
func summary(t *testing.T, said string) (head string, lines []string) {
	t.Helper()
	wall := regexp.MustCompile(`, \d+ s(,|$)`)
	_, end, found := strings.Cut(said, "\n\n== ")
	if !found {
		t.Fatalf("there is no summary: %s", said)
	}
	all := strings.Split(strings.TrimSpace(end), "\n")
	for i := range all {
		all[i] = wall.ReplaceAllString(all[i], ", x s$1")
	}
	return all[0], all[1:]
}

func TestPartsGoOnWhenOneFailsAndTheSummaryNamesIt(t *testing.T) {
	t.Parallel()
	said, good := inParts(t, "bad", "good:bad")
	if good {
		t.Error("a part failed, and the exit code says that all are good")
	}
	head, lines := summary(t, said)
	want := []string{
		"FAILED  bad, x s, 0 s of CPU; to run it alone: make bad",
		"          --- FAIL: TestOfThisPart (0.01s)",
		"ok      good, x s, 0 s of CPU",
	}
	if head != "2 parts, 1 failed, x s, 0 s of CPU" || strings.Join(lines, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\n%s\nwant\n%s", head, strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	began, ended := strings.Index(said, "make good: begun"), strings.Index(said, "make bad: ended")
	if began < ended || !strings.Contains(said, "\na good part\n") {
		t.Errorf("a part did not wait for the one before it, or what it printed is missing: %s", said)
	}
}

func TestTheSummarySaysWhatEachPartComputed(t *testing.T) {
	t.Parallel()
	said, good := inParts(t, "busy", "good")
	if !good {
		t.Fatal(said)
	}
	head, lines := summary(t, said)
	all := head + "\n" + strings.Join(lines, "\n")
	for _, want := range []string{
		`^2 parts, 0 failed, x s, [1-9]\d* s of CPU\n`, `ok      busy, x s, [1-9]\d* s of CPU`, `ok      good, x s, 0 s of CPU`,
	} {
		if !regexp.MustCompile(want).MatchString(all) {
			t.Errorf("there is no %q in\n%s", want, all)
		}
	}
}

func TestAPartAfterOneThatIsNotThereFails(t *testing.T) {
	t.Parallel()
	said, good := inParts(t, "good", "busy:bad")
	_, lines := summary(t, said)
	if want := "FAILED  busy was not begun: there is no part bad before it"; good || lines[len(lines)-1] != want {
		t.Errorf("good %v: %q, want %q", good, lines[len(lines)-1], want)
	}
}
