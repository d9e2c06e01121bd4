package report

import (
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/analysis"
)

func TestAxesAreInWordsForPeople(t *testing.T) {
	t.Parallel()
	link := func(l plan.Link) analysis.Key { return analysis.KeyOf("", plan.Spec{Link: &l}) }
	sent := func(s plan.RequestSizes) analysis.Key { return analysis.Key{RequestSizes: s} }
	for _, test := range []struct {
		of   func(analysis.Key) string
		key  analysis.Key
		want string
	}{
		{linkOf, analysis.Key{}, "loopback"},
		{linkOf, link(plan.Link{Name: "wan", RTTNs: 45e6}), "wan"},
		{linkOf, link(plan.Link{RTTNs: 20e6}), "rtt 20 ms"},
		{linkOf, link(plan.Link{RTTNs: 1500e6, JitterNs: 250e3}), "rtt 1,500 ms jitter 0.25 ms"},
		{linkOf, link(plan.Link{RTTNs: 1e6, UpBytesPerSec: 187_500, DownBytesPerSec: 2.5e6}),
			"rtt 1 ms up 1.5 Mbit/s down 20 Mbit/s"},
		{deadline, analysis.Key{DeadlineNs: 1500e6}, "1,500 ms"},
		{deadline, analysis.Key{DeadlineNs: 500e3}, "0.5 ms"},
		{requestSizes, analysis.Key{}, ""},
		{requestSizes, sent(plan.RequestSizes{Count: 1, BytesLeast: 22, BytesMost: 22}), "22 B"},
		{requestSizes, sent(plan.RequestSizes{Count: 3000, BytesLeast: 22, BytesMost: 4000, MessagesMost: 10, Sample: true}),
			"sampled of 3,000 of up to 10 × 22 B–4 kB"},
	} {
		if got := test.of(test.key); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}
