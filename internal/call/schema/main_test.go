package schema

import (
	"testing"
	"time"
)

// A test's server may have to wait for a processor.
func TestMain(m *testing.M) {
	patience = 10 * time.Minute
	m.Run()
}
