package store_test

import (
	"bytes"
	"sync"
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/store"
)

func TestRecordsAreReadAndReplacedByTheirKeys(t *testing.T) {
	t.Parallel()
	like := []byte("........behind")
	s := store.New(1000, like)
	for r := range uint64(1000) {
		want := bytes.Clone(like)
		stack.PutKey(want, stack.RecordKey(r))
		if got, ok := s.Get(stack.RecordKey(r)); !ok || !bytes.Equal(got, want) {
			t.Fatalf("record %d is %q, %v", r, got, ok)
		}
	}
	key := stack.RecordKey(7)
	before, _ := s.Get(key)
	written := []byte("another value.")
	if err := s.Put(key, written); err != nil {
		t.Fatal(err)
	}
	written[0] = 'X'
	if got, _ := s.Get(key); string(got) != "another value." || string(before[8:]) != "behind" {
		t.Errorf("got %q, and what was read before is %q", got, before)
	}
	if _, ok := s.Get(stack.RecordKey(1000)); ok {
		t.Error("there is a record beyond the last")
	}
}

func TestAStoreTakesNoOtherKeysAndLengths(t *testing.T) {
	t.Parallel()
	s := store.New(3, make([]byte, 16))
	if got := stack.CodeOf(s.Put(stack.RecordKey(3), make([]byte, 16))); got != stack.NotFound {
		t.Errorf("another key is %v", got)
	}
	for _, n := range []int{0, 15, 17} {
		if got := stack.CodeOf(s.Put(stack.RecordKey(0), make([]byte, n))); got != stack.InvalidArgument {
			t.Errorf("a value of %d bytes is %v", n, got)
		}
	}
}

func TestAStoreIsSharedByGoroutines(t *testing.T) {
	t.Parallel()
	s := store.New(2, make([]byte, 8))
	var all sync.WaitGroup
	for g := range byte(4) {
		all.Go(func() {
			for range 1000 {
				value := bytes.Repeat([]byte{g}, 8)
				if err := s.Put(stack.RecordKey(0), value); err != nil {
					t.Error(err)
				}
				if got, ok := s.Get(stack.RecordKey(0)); !ok || bytes.Count(got, got[:1]) != 8 {
					t.Errorf("a value is torn: %v", got)
				}
			}
		})
	}
	all.Wait()
}
