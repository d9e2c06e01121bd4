package scenario

import (
	"slices"

	"rpcbench/internal/stack"
)

// checkSizes refuses messages that no stack takes, and bursts that no server would hold.
func checkSizes(c Case) error {
	for i, batch := range orZero(c.Batches) {
		for _, payload := range slices.Concat(c.RequestBytes, c.ResponseBytes) {
			for j, messages := range orZero(c.Messages) {
				n := stack.Numbers{Kind: c.Kind, RequestBytes: payload, Batch: batch, Messages: messages}
				if fault := n.CheckSizes(); fault != nil {
					at := map[string]int{"batch": i, "messages": j}[fault.Field]
					return Errorf(c.Where(fault.Field, at), "%s: %s", fault.Field, fault.Reason)
				}
			}
		}
	}
	return nil
}

// orZero stands for a key that a case does not have.
func orZero(values []int) []int {
	if len(values) == 0 {
		return []int{0}
	}
	return values
}
