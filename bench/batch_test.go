package main

import "testing"

func TestABatchIsHeldToItsRatesAndToWhatAnOperationAdds(t *testing.T) {
	t.Parallel()
	one := []batchRun{{perSec: 10_000, message: 100}}
	for _, c := range []struct {
		many, four batchRun
		pass       [3]bool
	}{
		{batchRun{1.2e6, 899.2}, batchRun{perSec: 2e6}, [3]bool{true, true, true}},
		{batchRun{1.19e6, 899.3}, batchRun{perSec: 1.99e6}, [3]bool{false, false, false}},
	} {
		lines := batchLines(one, []batchRun{c.many}, []batchRun{c.four})
		for i, want := range c.pass {
			if lines[i].pass != want {
				t.Errorf("%v: pass is %t, want %t", lines[i], lines[i].pass, want)
			}
		}
		if lines[3].limit != "" {
			t.Errorf("%v has a limit", lines[3])
		}
	}
}

func TestABatchRunCountsOperationsAndTheTimeOfAMessage(t *testing.T) {
	t.Parallel()
	if got, want := batchRunOf(2000, 4e9, 1000, 4), (batchRun{perSec: 500_000, message: 8000}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
