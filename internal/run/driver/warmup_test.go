package driver

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/worker/control"
)

func TestAWarmUpEndsWhenItIsSteady(t *testing.T) {
	t.Parallel()
	const interval = int64(100 * time.Millisecond)
	rising := []int64{10, 20, 30, 40, 50, 50, 50, 50}
	flat := func(perSec []float64) bool { // the last two are alike
		n := len(perSec)
		return n >= 2 && perSec[n-1] == perSec[n-2]
	}
	for name, c := range map[string]struct {
		warming warming
		calls   []int64
		ends    int // with which interval, from 1; 0 is not before the most
		steady  bool
		perSec  []float64
	}{
		"when they are alike": {warming{least: 0, most: 8 * interval, steady: flat}, rising, 6, true,
			[]float64{100, 200, 300, 400, 500, 500}},
		"not before the least": {warming{least: 7 * interval, most: 8 * interval, steady: flat}, rising, 7, true,
			[]float64{100, 200, 300, 400, 500, 500, 500}},
		"with the most": {warming{least: 0, most: 5 * interval, steady: flat}, rising, 0, false,
			[]float64{100, 200, 300, 400, 500}},
		"steady before the least, and not at its end": {warming{least: 4 * interval, most: 5 * interval, steady: flat},
			[]int64{10, 10, 10, 20, 30}, 0, false, []float64{100, 100, 100, 200, 300}},
		"counted, with the most": {warming{least: 0, most: 3 * interval, counted: true, steady: flat}, rising, 3, false,
			[]float64{100, 200, 300}},
		"counted, after the most": {warming{least: 0, most: 3*interval - 1, counted: true}, rising, 3, false,
			[]float64{100, 200}},
		"a fixed one": {warming{least: 8 * interval, most: 8 * interval}, rising, 0, false,
			[]float64{100, 200, 300, 400, 500, 500, 500, 500}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, ended := c.warming, 0
			for i, calls := range c.calls {
				end := int64(i+1) * interval
				// A tenth of the calls fails: that is progress too.
				enough := w.see(&control.Interval{StartNs: end - interval, EndNs: end, Ok: calls * 9 / 10, Errors: calls / 10})
				if enough && ended == 0 {
					ended = i + 1
				}
				if enough != (ended > 0) {
					t.Errorf("interval %d: enough is %v, after it was in interval %d", i+1, enough, ended)
				}
			}
			if ended != c.ends || w.isSteady != c.steady {
				t.Errorf("ended with interval %d, steady %v; want %d, %v", ended, w.isSteady, c.ends, c.steady)
			}
			if diff := cmp.Diff(c.perSec, w.perSec); diff != "" {
				t.Errorf("calls a second (-want +got):\n%s", diff)
			}
		})
	}
}
