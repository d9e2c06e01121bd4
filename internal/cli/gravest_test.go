package cli

import (
	"errors"
	"testing"
)

func TestAFailureToWriteIsSaidBesideWhatWasFound(t *testing.T) {
	t.Parallel()
	full := failed(errors.New("--out: no space left"))
	notMet := &exitError{exitNotMet, errors.New("no rate is confirmed")}
	unclear := &exitError{exitInconclusive, errors.New("the capacity is inconclusive")}
	interrupted := &exitError{exitInterrupted, errors.New("interrupted")}
	short := badInput(errors.New("--time: it is too short"))
	for _, test := range []struct {
		errs []error
		code int
		text string
	}{
		{[]error{notMet, full}, exitTrialFailed, "no rate is confirmed\n--out: no space left"},
		{[]error{unclear, notMet, full}, exitTrialFailed, "the capacity is inconclusive\nno rate is confirmed\n--out: no space left"},
		{[]error{interrupted, full}, exitTrialFailed, "interrupted\n--out: no space left"},
		{[]error{notMet, interrupted, unclear}, exitInterrupted, "no rate is confirmed\ninterrupted\nthe capacity is inconclusive"},
		{[]error{nil, notMet, unclear}, exitInconclusive, "no rate is confirmed\nthe capacity is inconclusive"},
		{[]error{short, nil, notMet}, exitNotMet, "--time: it is too short\nno rate is confirmed"},
		{[]error{full, full}, exitTrialFailed, "--out: no space left"},
	} {
		if err := gravest(test.errs...); codeOf(err) != test.code || err.Error() != test.text {
			t.Errorf("%v: exit code %d, %q; want %d, %q", test.errs, codeOf(err), err, test.code, test.text)
		}
	}
	if err := gravest(nil, nil); err != nil {
		t.Errorf("of nothing: %v", err)
	}
}
