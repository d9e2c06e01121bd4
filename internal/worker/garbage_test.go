package worker

import (
	"sync"
	"testing"
)

func TestCollectingGarbageEmptiesPools(t *testing.T) {
	t.Parallel()
	var pool sync.Pool
	for range 100 {
		pool.Put(new([64]byte))
	}
	collectGarbage()
	if pool.Get() != nil {
		t.Error("a buffer was kept")
	}
}
