package point

import (
	"testing"
	"time"
)

// From the first of its messages to the last there are as many gaps as messages, less one.
func TestACallTakesAsLongAsItsMessageRateHasIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		messages, most int // of the Spec, of the requests
		perSec         float64
		want           time.Duration
	}{
		{21, 0, 20, time.Second}, {0, 21, 20, time.Second}, {11, 21, 20, 500 * time.Millisecond}, {1, 0, 20, 0}, {0, 0, 20, 0},
		{21, 0, 0, 0},
	} {
		s := Spec{Messages: c.messages, Method: &Method{MessagesMost: c.most}, MessageRatePerSec: c.perSec}
		if got := s.CallLeast(); got != c.want {
			t.Errorf("%+v: %v, want %v", c, got, c.want)
		}
	}
	if got := (Spec{Messages: 1000}).CallLeast(); got != 0 {
		t.Errorf("a call of our own service takes %v at the least, want 0", got)
	}
}
