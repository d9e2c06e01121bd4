package naming

import (
	"testing"

	"rpcbench/internal/plan"
)

func TestAxesAreInWordsForPeople(t *testing.T) {
	t.Parallel()
	link := func(l plan.Link) plan.Spec { return plan.Spec{Link: &l} }
	sent := func(m plan.Method) plan.Spec { return plan.Spec{Method: &m} }
	for _, test := range []struct {
		of   func(plan.Spec) string
		spec plan.Spec
		want string
	}{
		{LinkOf, plan.Spec{}, "loopback"},
		{LinkOf, link(plan.Link{Name: "wan", RTTNs: 45e6}), "wan"},
		{LinkOf, link(plan.Link{RTTNs: 20e6}), "rtt 20 ms"},
		{LinkOf, link(plan.Link{RTTNs: 1500e6, JitterNs: 250e3}), "rtt 1,500 ms jitter 0.25 ms"},
		{LinkOf, link(plan.Link{RTTNs: 1e6, UpBytesPerSec: 187_500, DownBytesPerSec: 2.5e6}),
			"rtt 1 ms up 1.5 Mbit/s down 20 Mbit/s"},
		{deadline, plan.Spec{DeadlineNs: 1500e6}, "1,500 ms"},
		{deadline, plan.Spec{DeadlineNs: 500e3}, "0.5 ms"},
		{requestSizes, plan.Spec{}, ""},
		{requestSizes, sent(plan.Method{RequestCount: 1, RequestBytesLeast: 22, RequestBytesMost: 22}), "22 B"},
		{requestSizes, sent(plan.Method{
			RequestCount: 3000, RequestBytesLeast: 22, RequestBytesMost: 4000, MessagesMost: 10, Sample: true,
		}),
			"sampled from 3,000 of up to 10 × 22 B–4 kB"},
	} {
		if got := test.of(test.spec); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}
