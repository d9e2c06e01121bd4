package capacity_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/capacity"
	"rpcbench/internal/results/result"
	"rpcbench/internal/test/coursetest"
)

// measuredCourse is a course whose server carries 800 calls/s and whose client is its limit above 500, and the file of its
// trials, as it was when the course wanted no more.
func measuredCourse(t *testing.T) (*capacity.Course, *result.File) {
	t.Helper()
	design := &result.Capacity{Requirements: []string{"response_p99<5ms"}, Trials: 2, SearchNs: 2e9, TimeNs: int64(time.Hour)}
	base := begun(t, false).Base
	base.Spec.ClientCPUs, base.Spec.Connections = "0/1", 2
	design.Bases = []plan.Trial{base}
	file := &result.File{Name: "a", Header: result.Header{Hosts: []result.Host{{Processors: 2}}, Capacity: design}}
	c := capacity.New(design)[0]
	for request, more := c.Next(); more; request, more = c.Next() {
		clients := float64(request.Spec.ClientCount())
		rate := request.Spec.OfferedPerSec
		failed := int64(0)
		if rate > 800 || rate > 500*clients {
			failed = 30
		}
		trial := coursetest.Trial(t, failed, time.Duration(min(1, rate/500/clients)*clients*0.95*float64(time.Second)), 0)
		number := len(file.Trials) + 1
		trial.ID, trial.Repetition, trial.Spec = c.ID(number), number, request.Spec
		trial.Cases = []plan.Case{{Scenario: request.Scenario, Title: request.Scenario}}
		if err := c.See(rowOf(t, file, trial)); err != nil {
			t.Fatal(err)
		}
		file.Trials = append(file.Trials, trial)
	}
	return c, file
}

// rowOf is the row of a trial by itself.
func rowOf(t *testing.T, file *result.File, trial result.Trial) *analysis.Row {
	t.Helper()
	row, err := analysis.BuildOne(file.Name, file.Header, trial)
	if err != nil {
		t.Fatal(err)
	}
	return row
}

// of returns the courses of a file.
func of(t *testing.T, file *result.File) []*capacity.Course {
	t.Helper()
	built, err := analysis.Build([]*result.File{file})
	if err != nil {
		t.Fatal(err)
	}
	return capacity.Of(built)
}

func TestAFileHasTheCourseThatWasMeasured(t *testing.T) {
	t.Parallel()
	c, file := measuredCourse(t)
	if c.Find().State != capacity.Confirmed || len(c.Added) != 1 {
		t.Fatalf("%+v, added %v", c.Find(), c.Added)
	}
	slices.Reverse(file.Trials) // the order of lines means nothing
	got := of(t, file)
	if len(got) != 1 || got[0].File != "a" || got[0].Ending != capacity.Complete || got[0].Find() != c.Find() ||
		!reflect.DeepEqual(got[0].Outcomes, c.Outcomes) || !reflect.DeepEqual(got[0].Reasons, c.Reasons) ||
		!reflect.DeepEqual(got[0].Added, c.Added) || len(got[0].Shares) != len(capacity.Shares) {
		t.Errorf("%+v, want %+v", got, c)
	}
}

func TestAFileThatEndsEarlySaysSo(t *testing.T) {
	t.Parallel()
	_, file := measuredCourse(t)
	file.Trials = file.Trials[:len(file.Trials)-1]
	if got := of(t, file); len(got) != 1 || got[0].Ending != capacity.Unknown || !got[0].HasRate() {
		t.Errorf("without the last trial: %+v", got)
	}
	last := &file.Trials[len(file.Trials)-1]
	last.Interrupted = true
	if got := of(t, file); len(got) != 1 || got[0].Ending != capacity.Interrupted || !got[0].HasRate() {
		t.Errorf("with an interrupted one: %+v", got)
	}
	file.Trials = file.Trials[:1]
	file.Trials[0].Fail(result.FailureServer, "nobody listens")
	if got := of(t, file); len(got) != 1 || got[0].Ending != capacity.Broken ||
		got[0].Failure != "the first trial failed: nobody listens" {
		t.Errorf("with a first trial that failed: %+v", got)
	}
}

// A search goes on after any of its trials, as it would have: what it has seen is all that it goes by.
func TestASearchGoesOnAfterAnyOfItsTrials(t *testing.T) {
	t.Parallel()
	want, file := measuredCourse(t)
	all := file.Trials
	for n := range len(all) + 1 {
		file.Trials = all[:n]
		courses, err := capacity.Resume(file)
		if err != nil || len(courses) != 1 || courses[0].Ending != capacity.Complete {
			t.Fatalf("after %d trials: %v, %+v", n, err, courses)
		}
		c := courses[0]
		for _, trial := range all[n:] {
			if request, more := c.Next(); !more || request.Scenario != trial.Cases[0].Scenario ||
				!reflect.DeepEqual(request.Spec, trial.Spec) {
				t.Fatalf("after %d trials it asks for %+v, want %+v", n, request, trial.Spec)
			}
			if err := c.See(rowOf(t, file, trial)); err != nil {
				t.Fatal(err)
			}
		}
		if _, more := c.Next(); more || !reflect.DeepEqual(c.Outcomes, want.Outcomes) {
			t.Errorf("after %d trials: %+v, want %+v", n, c.Outcomes, want.Outcomes)
		}
	}
	file.Trials = all[1:]
	lacks := "a lacks a trial of the search with grpc-go, so the search can't go on"
	if _, err := capacity.Resume(file); err == nil || err.Error() != lacks {
		t.Errorf("without its first trial: %v", err)
	}
}

// A trial that was interrupted is replaced by the next one of its course, whatever others came in between.
func TestAnInterruptedTrialIsReplaced(t *testing.T) {
	t.Parallel()
	_, file := measuredCourse(t)
	file.Trials = file.Trials[:5]
	whole := of(t, file)[0]
	file.Trials[4].Interrupted = true
	courses, err := capacity.Resume(file)
	if err != nil || len(courses) != 1 {
		t.Fatal(courses, err)
	}
	c := courses[0]
	if request := next(c); c.Number(9) != 5 || request.Spec.OfferedPerSec != file.Trials[4].Spec.OfferedPerSec {
		t.Errorf("number %d, %+v", c.Number(9), request)
	}
	if err := c.See(rowOf(t, file, file.Trials[4])); err != nil || c.Number(9) != 9 {
		t.Errorf("number %d, %v", c.Number(9), err)
	}
	if !slices.Equal(c.Outcomes, whole.Outcomes) {
		t.Errorf("%+v, want %+v", c.Outcomes, whole.Outcomes)
	}
}

// What failed before the search had begun is measured again, though other searches came in between.
func TestAFirstTrialThatFailedIsMeasuredAgain(t *testing.T) {
	t.Parallel()
	want, file := measuredCourse(t)
	failed := file.Trials[0]
	failed.Fail(result.FailureServer, "nobody listens")
	for i := range file.Trials {
		file.Trials[i].Repetition++
		file.Trials[i].ID = want.ID(i + 2)
	}
	file.Trials = slices.Insert(file.Trials, 0, failed)
	got := of(t, file)
	if len(got) != 1 || got[0].Ending != capacity.Complete || !reflect.DeepEqual(got[0].Outcomes, want.Outcomes) {
		t.Errorf("%+v, want %+v", got, want)
	}
	file.Trials = file.Trials[:1]
	courses, err := capacity.Resume(file)
	if err != nil || len(courses) != 1 {
		t.Fatalf("%v, %+v", err, courses)
	}
	if c := courses[0]; c.Ending != capacity.Complete || next(c).Scenario != capacity.ScenarioProbe {
		t.Errorf("%+v", c)
	}
}

// A part of the trials, those of another design, and requirements of a newer rpcbench have no answer.
func TestTrialsThatNoCourseAsksForAreNone(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*result.File){
		"no probe":             func(f *result.File) { f.Trials = f.Trials[1:] },
		"a gap":                func(f *result.File) { f.Trials = slices.Delete(f.Trials, 3, 4) },
		"another rate":         func(f *result.File) { f.Trials[2].Spec.OfferedPerSec++ },
		"more than asked for":  func(f *result.File) { f.Header.Capacity.Trials = 1 },
		"an unknown figure":    func(f *result.File) { f.Header.Capacity.Requirements = []string{"joy>5"} },
		"trials of another":    func(f *result.File) { f.Header.Capacity.Bases[0].ID = "y" },
		"no design":            func(f *result.File) { f.Header.Capacity = nil },
		"a design without any": func(f *result.File) { f.Header.Capacity.Bases = nil },
	} {
		_, file := measuredCourse(t)
		change(file)
		if got := of(t, file); len(got) != 0 {
			t.Errorf("%s: %+v", name, got[0])
		}
	}
}

// A search whose server was gone says so, and goes on with the trial that it lacks.
func TestASearchGoesOnWhenItsServerIsBack(t *testing.T) {
	t.Parallel()
	_, file := measuredCourse(t)
	lacks := file.Trials[3]
	file.Trials = file.Trials[:3]
	for n := range 3 {
		trial := gone(t)
		trial.ID, trial.Repetition, trial.Spec, trial.Cases = fmt.Sprintf("x-%d", 4+n), 4+n, lacks.Spec, lacks.Cases
		file.Trials = append(file.Trials, trial)
	}
	if got := of(t, file); len(got) != 1 || got[0].Ending != capacity.Broken ||
		!strings.HasPrefix(got[0].Failure, "3 trials in a row") {
		t.Fatalf("%+v", got[0])
	}
	courses, err := capacity.Resume(file)
	if err != nil || len(courses) != 1 {
		t.Fatal(err)
	}
	if request, more := courses[0].Next(); !more || !reflect.DeepEqual(request.Spec, lacks.Spec) {
		t.Errorf("it asks for %+v, want %+v", request, lacks.Spec)
	}
	for n := range 3 {
		if err := courses[0].See(coursetest.Row(t, gone(t))); (err != nil) != (n == 2) {
			t.Errorf("gone again, trial %d: %v", n+1, err)
		}
	}
}
