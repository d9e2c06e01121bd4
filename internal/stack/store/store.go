// Package store keeps the records of a server that operations read and replace by their keys: it implements stack.Store.
//
// The records are in a B-tree in memory, in the order of their keys. No key is ever added, so writes of strangers take no
// more memory than the store took when it was made, except for garbage.
package store

import (
	"sync/atomic"

	"github.com/tidwall/btree"

	"rpcbench/internal/stack"
)

// recordBytes is about the memory of a record without its value: its place in the tree, which is at least half full, and the
// reference to the value.
const recordBytes = 80

// MemoryBytes returns about the memory of a store.
func MemoryBytes(records uint64, valueBytes int) uint64 {
	return records * uint64(valueBytes+recordBytes)
}

// A Store is safe for concurrent use: after New its tree stays as it is, and values are replaced as a whole.
type Store struct {
	tree       *btree.Map[uint64, *atomic.Pointer[[]byte]]
	valueBytes int
}

// New makes the records 0 to records − 1. Each has the key stack.RecordKey, and a value of like, with its key at the begin.
func New(records uint64, like []byte) *Store {
	s := &Store{btree.NewMap[uint64, *atomic.Pointer[[]byte]](0), len(like)}
	for r := range records {
		key := stack.RecordKey(r)
		value := append([]byte(nil), like...)
		stack.PutKey(value, key)
		kept := new(atomic.Pointer[[]byte])
		kept.Store(&value)
		s.tree.Set(key, kept)
	}
	return s
}

// Get is stack.Store's.
func (s *Store) Get(key uint64) (value []byte, ok bool) {
	kept, ok := s.tree.Get(key)
	if !ok {
		return nil, false
	}
	return *kept.Load(), true
}

// Put is stack.Store's: NOT_FOUND where the store has no such key, INVALID_ARGUMENT where the value is of another length.
func (s *Store) Put(key uint64, value []byte) error {
	if len(value) != s.valueBytes {
		return stack.Errorf(stack.InvalidArgument, "a value of %d bytes; those of this store have %d", len(value), s.valueBytes)
	}
	kept, ok := s.tree.Get(key)
	if !ok {
		return stack.Errorf(stack.NotFound, "the store has no key %d", key)
	}
	replaced := append([]byte(nil), value...)
	kept.Store(&replaced)
	return nil
}
