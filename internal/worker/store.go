package worker

import (
	"math"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/store"
	"rpcbench/internal/worker/control"
)

// storePart is the part of the memory that a store may take.
const storePart = 2

// newStore makes the store that a Serve asks for; nil where it asks for none.
func newStore(info stack.Info, c *control.Serve, memory int64) (stack.Store, error) {
	s := c.GetStore()
	if s == nil {
		return nil, nil
	}
	value := int(min(s.GetValueBytes(), math.MaxInt32))
	switch most := uint64(memory / storePart); {
	case !info.Stores:
		return nil, control.Faultf("serve.store", "%s has none", info.Name)
	case s.GetRecords() < 1 || s.GetRecords() > stack.RecordsMax:
		return nil, control.Faultf("serve.store.records", "%d is not between 1 and %d", s.GetRecords(), stack.RecordsMax)
	case value < stack.ValueBytesMin || value > stack.MessageBytesMax:
		return nil, control.Faultf("serve.store.value_bytes",
			"%d is not between %d and %d", value, stack.ValueBytesMin, stack.MessageBytesMax)
	case store.MemoryBytes(s.GetRecords(), value) > most:
		return nil, control.Faultf("serve.store.records",
			"%d values of %d bytes take %d bytes of memory, and this server gives at most %d",
			s.GetRecords(), value, store.MemoryBytes(s.GetRecords(), value), most)
	}
	return store.New(s.GetRecords(), stack.Payload(c.GetPayload(), c.GetSeed(), value)), nil
}
