package analysis

import (
	"cmp"
	"slices"
	"strings"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/stack"
)

// kinds in the order in which a reader asks for them.
var kinds = []string{
	stack.KindConnect, stack.KindFirstCall, stack.KindUnary, stack.KindPingPong, stack.KindStream, stack.KindBurst,
	stack.KindUpload, stack.KindDownload, stack.KindBothWays, stack.KindEncode, stack.KindDecode,
}

// messages of encode and decode, small ones first. Others follow in alphabetical order.
var messages = []string{"small", "address-book", "newsfeed", "large", "large-dense", "large-sparse"}

func compareMessages(a, b string) int {
	rank := func(message string) int {
		if i := slices.Index(messages, message); i >= 0 {
			return i
		}
		return len(messages)
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
}

// compareCodecs has those of protobuf first, which the others are set against.
func compareCodecs(a, b string) int {
	return cmp.Or(-compareBool(strings.HasPrefix(a, protobuf), strings.HasPrefix(b, protobuf)), cmp.Compare(a, b))
}

// comparePoints orders points: smaller ones first, and within a point the floor first. Less important keys are compared in the
// order of their columns.
func comparePoints(a, b plan.Spec) int {
	for _, compare := range []func(a, b plan.Spec) int{compareCalls, compareRest, compareCarriers, compareRestOfCarriers} {
		if order := compare(a, b); order != 0 {
			return order
		}
	}
	return 0
}

func compareCalls(a, b plan.Spec) int {
	return cmp.Or(
		-compareBool(a.Closed(), b.Closed()),
		compareMessages(a.Message, b.Message),
		cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)),
		compareMethods(a.Method, b.Method),
		cmp.Compare(a.Schedule.String(), b.Schedule.String()),
		cmp.Compare(a.MessageRatePerSec, b.MessageRatePerSec),
		cmp.Compare(a.Slots(), b.Slots()),
		cmp.Compare(a.Connections, b.Connections),
		cmp.Compare(a.Streams, b.Streams),
		cmp.Compare(a.Load, b.Load),
		cmp.Compare(a.OfferedPerSec, b.OfferedPerSec),
		cmp.Compare(a.RequestBytes+a.ResponseBytes, b.RequestBytes+b.ResponseBytes),
		cmp.Compare(a.RequestBytes, b.RequestBytes),
		cmp.Compare(a.Messages, b.Messages),
		cmp.Compare(a.ServerCount(), b.ServerCount()),
		cmp.Compare(roundTrip(a), roundTrip(b)),
		cmp.Compare(a.LinkText(), b.LinkText()),
		cmp.Compare(a.Batch, b.Batch),
		cmp.Compare(a.Network, b.Network),
		cmp.Compare(a.SecurityText(), b.SecurityText()),
		cmp.Compare(a.Payload, b.Payload),
		cmp.Compare(a.DeadlineNs, b.DeadlineNs),
		compareBackgrounds(a.Background, b.Background),
		cmp.Compare(a.ClientCPUs, b.ClientCPUs),
		cmp.Compare(a.ServerCPUs, b.ServerCPUs),
	)
}

func compareCarriers(a, b plan.Spec) int {
	return cmp.Or(
		-compareBool(likeFloor(a), likeFloor(b)),
		cmp.Compare(a.Stack, b.Stack),
		cmp.Compare(a.Against(), b.Against()),
		cmp.Compare(a.Protocol, b.Protocol),
		-cmp.Compare(a.Compression, b.Compression), // none before gzip
		compareCodecs(a.Codec, b.Codec),
	)
}

func compareRest(a, b plan.Spec) int           { return compareColumns(a, b, false) }
func compareRestOfCarriers(a, b plan.Spec) int { return compareColumns(a, b, true) }

// compareColumns compares the columns that are about who carries the calls, or all others.
func compareColumns(a, b plan.Spec, carriers bool) int {
	for _, c := range point.Columns() {
		if c.Carrier != carriers {
			continue
		}
		if order := compareValues(c.Value(a), c.Value(b)); order != 0 {
			return order
		}
	}
	return 0
}

// compareValues compares numbers by their size and texts by their letters.
func compareValues(a, b any) int {
	if x, ok := a.(int64); ok {
		y, _ := b.(int64) // none is 0
		return cmp.Compare(x, y)
	}
	if x, ok := a.(float64); ok {
		y, _ := b.(float64)
		return cmp.Compare(x, y)
	}
	if a == nil && b != nil {
		return -compareValues(b, a)
	}
	return cmp.Compare(point.Printed(a), point.Printed(b))
}

// compareMethods has our own services first.
func compareMethods(a, b *plan.Method) int {
	source := func(m *plan.Method) string {
		if m == nil {
			return ""
		}
		return m.Requests
	}
	return cmp.Or(
		cmp.Compare(a.String(), b.String()),
		cmp.Compare(source(a), source(b)),
		a.RequestSizes().Compare(b.RequestSizes()),
	)
}

// compareBackgrounds orders by background calls: none and smaller ones first.
func compareBackgrounds(a, b *plan.Background) int {
	if a == nil || b == nil {
		return compareBool(a != nil, b != nil)
	}
	return cmp.Or(
		cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.Messages, b.Messages),
		cmp.Compare(a.RequestBytes+a.ResponseBytes, b.RequestBytes+b.ResponseBytes),
		cmp.Compare(a.Text(), b.Text()),
	)
}

func roundTrip(s plan.Spec) int64 {
	if s.Link == nil {
		return 0
	}
	return s.Link.RTTNs
}

func compareBool(x, y bool) int {
	switch {
	case x == y:
		return 0
	case x:
		return 1
	default:
		return -1
	}
}
