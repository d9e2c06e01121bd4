package conform

import (
	"fmt"
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestWhatIsWaitedForIsNamedWhileNothingIsFound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var notices []string
		s := &Suite{
			Cases: []Case{{Name: "slow", run: func(*rig) (string, error) { time.Sleep(25 * time.Second); return "", nil }}},
			Config: Config{Notice: func(format string, args ...any) {
				notices = append(notices, fmt.Sprintf(format, args...))
			}},
		}
		if v, err := s.Run(t.Context(), io.Discard); err != nil || v.OK != 1 {
			t.Errorf("got %v, %v", v, err)
		}
		want := []string{
			`waiting for "slow", for 10s so far, 10m0s at the most`, `waiting for "slow", for 20s so far, 10m0s at the most`,
		}
		if !slices.Equal(notices, want) {
			t.Errorf("the notices are %q, want %q", notices, want)
		}
	})
}
