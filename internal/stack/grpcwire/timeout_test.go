package grpcwire

import (
	"testing"
	"time"
)

func TestATimeoutIsInTheFinestUnitThatFits(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		1:                          "1n",
		99_999_999:                 "99999999n",
		100_000_000:                "100000u",
		100_000_001:                "100001u",
		10 * time.Second:           "10000000u",
		100 * time.Second:          "100000m",
		100 * time.Hour:            "360000S",
		99_999_999 * time.Second:   "99999999S",
		99_999_999*time.Second + 1: "1666667M",
		1<<63 - 1:                  "2562048H",
	} {
		got := timeout(d)
		if len(got) != 1 || got[0].Name != "grpc-timeout" || got[0].Value != want {
			t.Errorf("%v: %v, want %s", d, got, want)
		}
	}
	if got := timeout(0); got != nil {
		t.Errorf("no deadline: %v", got)
	}
}
