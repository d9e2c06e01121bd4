package campaign_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/campaign"
	"rpcbench/internal/run/driver"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/worker/credential"
)

// diary is who hears of everything, in its order.
type diary struct{ lines []string }

func (d *diary) addf(format string, args ...any) {
	d.lines = append(d.lines, fmt.Sprintf(format, args...))
}

func (d *diary) Append(t result.Trial) error {
	d.addf("kept %s: %s", t.ID, t.Failure)
	return nil
}

func (d *diary) Begun(trials []plan.Trial, i int) { d.addf("begun %s", trials[i].ID) }

func (d *diary) Ended(t result.Trial) { d.addf("ended %s: %s", t.ID, t.Failure) }

// twice decides on two trials, one after the other.
type twice struct {
	*diary

	err error // what it says to the first
}

func (d twice) Next(_ time.Time, made int) campaign.Batch {
	if made == 2 {
		return campaign.Batch{}
	}
	return campaign.Batch{Trials: []plan.Trial{{ID: fmt.Sprint(made + 1)}}, Label: "more"}
}

func (d twice) See(t campaign.Measured) error {
	d.addf("seen %s: %s", t.ID, t.Failure)
	return d.err
}

// stage lacks what trial 1 needs.
type stage struct{ *diary }

func (s stage) Set(_ context.Context, trial plan.Trial) error {
	s.addf("set %s", trial.ID)
	if trial.ID == "1" {
		return &campaign.AbsentError{Reason: errors.New("absent")}
	}
	return nil
}

func (s stage) Amend(_ context.Context, evidence *result.Trial) { evidence.Failure = "amended" }

func (s stage) Clear() error {
	s.addf("clear")
	return nil
}

// nobody starts no worker.
type nobody struct{}

func (nobody) Launch(context.Context, launch.Order) (launch.Process, error) {
	return nil, errors.New("no worker")
}

// runner has workers that can't be started.
func runner(d *diary) *campaign.Runner {
	return &campaign.Runner{Name: "r", Driver: driver.Config{
		Results: d, Progress: d, Now: time.Now, Keys: &credential.Set{},
		Launcher: nobody{},
	}}
}

func check(t *testing.T, d *diary, want ...string) {
	t.Helper()
	if !slices.Equal(d.lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(d.lines, "\n"), strings.Join(want, "\n"))
	}
}

func TestAPlanIsDrivenAtOnce(t *testing.T) {
	t.Parallel()
	d := &diary{}
	planned := &campaign.Planned{Left: []plan.Trial{{ID: "1"}, {ID: "2"}}}
	r := runner(d)
	if err := r.Run(t.Context(), planned); err != nil || planned.Failed != 2 || r.Made() != 2 {
		t.Errorf("%v; %d failed of %d", err, planned.Failed, r.Made())
	}
	const why = "client: start a worker: no worker"
	check(t, d, "begun 1", "kept 1: "+why, "ended 1: "+why, "begun 2", "kept 2: "+why, "ended 2: "+why)
}

func TestWhatIsMissingFailsATrialAndWhatBecameOfTheStageAmendsIt(t *testing.T) {
	t.Parallel()
	d := &diary{}
	r := runner(d)
	r.Stage = stage{d}
	if err := r.Run(t.Context(), twice{diary: d}); err != nil {
		t.Error(err)
	}
	check(t, d, "set 1", "kept 1: absent", "ended 1: absent", "seen 1: absent",
		"set 2", "begun 2", "kept 2: amended", "ended 2: amended", "seen 2: amended", "clear")
}

func TestADecisionThatGivesUpEndsACampaignAfterItsTrialIsKept(t *testing.T) {
	t.Parallel()
	d := &diary{}
	gaveUp := errors.New("no sense in it")
	if err := runner(d).Run(t.Context(), twice{d, gaveUp}); !errors.Is(err, gaveUp) {
		t.Error(err)
	}
	check(t, d, "begun 1", "kept 1: client: start a worker: no worker",
		"ended 1: client: start a worker: no worker", "seen 1: client: start a worker: no worker")
}

func TestAnInterruptedTrialIsNotKept(t *testing.T) {
	t.Parallel()
	d := &diary{}
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	if err := runner(d).Run(ctx, twice{diary: d}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	check(t, d, "begun 1")
}
