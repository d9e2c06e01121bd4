package launch_test

import (
	"fmt"
	"runtime"
	"testing"

	"rpcbench/internal/run/launch"
)

// Of 4,096 trials every size of a page is about as likely as any other: 16 bins of 256 ± 75 each, which is 4.8 deviations.
func TestLayoutsOfTrialsCoverAPageEvenly(t *testing.T) {
	t.Parallel()
	var environments [16]int
	directories := map[int]bool{}
	for i := range 4096 {
		l := launch.DrawLayout(7, fmt.Sprint("trial-", i))
		if padding := l.Padding(); len(padding)+1 != l.EnvironmentBytes { // the system ends it with a zero byte
			t.Fatalf("%+v is padded by %d bytes", l, len(padding))
		}
		environments[(l.EnvironmentBytes-len("RPCBENCH_PADDING="))*16/4097]++
		directories[l.DirectoryBytes] = true
	}
	for i, n := range environments {
		if n < 181 || n > 331 {
			t.Errorf("bin %d of 16 has %d of 4096 trials", i, n)
		}
	}
	if want := 200; runtime.GOOS != "windows" && (len(directories) != want || directories[0]) {
		t.Errorf("%d lengths of the directory, want %d", len(directories), want)
	}
}

func TestALayoutIsDrawnFromSeedAndTrial(t *testing.T) {
	t.Parallel()
	drawn := launch.DrawLayout(1, "a")
	if again := launch.DrawLayout(1, "a"); again != drawn {
		t.Errorf("%+v, and again %+v", drawn, again)
	}
	for _, other := range []launch.Layout{launch.DrawLayout(2, "a"), launch.DrawLayout(1, "b")} {
		if other == drawn {
			t.Errorf("another seed or trial has %+v too", other)
		}
	}
	if padding := (launch.Layout{}).Padding(); padding != "" {
		t.Errorf("nothing is padded by %q", padding)
	}
}
