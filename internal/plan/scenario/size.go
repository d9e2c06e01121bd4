package scenario

import (
	"slices"

	"rpcbench/internal/stack"
)

// checkSizes refuses messages that no stack takes, and bursts that no server would hold: it collects all messages of one
// before it answers the first.
func checkSizes(c Case) error {
	batches := c.Batches
	if len(batches) == 0 {
		batches = []int{0}
	}
	for i, batch := range batches {
		for _, payload := range slices.Concat(c.RequestBytes, c.ResponseBytes) {
			bytes := stack.Call{Batch: batch}.MessageBytes(payload)
			if bytes > stack.MessageBytesMax {
				return Errorf(c.Where("batch", i),
					"batch: %d operations of %d bytes and an id of %d make a message over the limit of %d bytes (64 MiB)",
					batch, payload, stack.OperationIDBytes, stack.MessageBytesMax)
			}
			if err := checkBurst(c, bytes); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkBurst judges bursts of messages of so many bytes.
func checkBurst(c Case, bytes int64) error {
	if c.Kind != stack.KindBurst {
		return nil
	}
	for i, messages := range c.Messages {
		if messages > stack.BurstMax {
			return Errorf(c.Where("messages", i), "messages: %d is over the limit of %d for a burst", messages, stack.BurstMax)
		}
		if int64(messages)*bytes > stack.MessageBytesMax {
			return Errorf(c.Where("messages", i), "messages: a burst of %d messages of %d bytes is over the limit of "+
				"%d bytes (64 MiB), which the server holds before it answers", messages, bytes, stack.MessageBytesMax)
		}
	}
	return nil
}
