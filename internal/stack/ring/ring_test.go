package ring_test

import (
	"slices"
	"testing"

	"rpcbench/internal/stack/ring"
)

// Whatever the order of pushes and pops, and wherever the ring's beginning lies, it is a queue.
func FuzzARingIsAQueue(f *testing.F) {
	f.Add([]byte{1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0}, false)
	f.Add([]byte{1, 1, 0, 1, 1, 0, 1, 1, 2, 1, 0}, true)
	f.Fuzz(func(t *testing.T, steps []byte, over bool) {
		var r ring.Ring[int]
		if over {
			r = ring.Over(make([]int, 1))
		}
		var want []int
		for i, step := range steps {
			switch {
			case step%3 == 1:
				r.Push(i)
				want = append(want, i)
			case step%3 == 2:
				r.Clear()
				want = nil
			case len(want) > 0:
				if got := r.Pop(); got != want[0] {
					t.Fatalf("step %d: popped %d, want %d", i, got, want[0])
				}
				want = want[1:]
			}
			got := make([]int, r.Len())
			for k := range got {
				got[k] = *r.At(k)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("step %d: the queue is %v, want %v", i, got, want)
			}
		}
	})
}

func TestARingLetsGoOfWhatItHeld(t *testing.T) {
	t.Parallel()
	memory := make([]*int, 4)
	r := ring.Over(memory)
	for range 3 {
		r.Push(new(int))
	}
	r.Pop()
	r.Clear()
	for i, one := range memory {
		if one != nil {
			t.Errorf("place %d still refers to something", i)
		}
	}
}

func TestARingThatHasGrownAllocatesNothing(t *testing.T) {
	var r ring.Ring[int]
	for range 100 {
		r.Push(0)
	}
	r.Clear()
	if n := testing.AllocsPerRun(100, func() {
		for range 100 {
			r.Push(0)
		}
		for range 100 {
			r.Pop()
		}
	}); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}
