package recipe

import (
	"testing"
	"time"
)

// A test's server may have to wait for a processor.
func TestMain(m *testing.M) {
	probePatience, againPatience = 10*time.Minute, 10*time.Minute
	m.Run()
}
