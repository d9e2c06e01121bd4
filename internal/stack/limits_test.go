package stack

import "testing"

func TestAResponseIsCheckedAgainstTheServersLimits(t *testing.T) {
	t.Parallel()
	small := Limits{ResponseBytes: 1000, Batch: 10}
	for _, c := range []struct {
		limits     Limits
		operations int
		bytes      int64
		want       Code
	}{
		{Limits{}, 0, MessageBytesMax, OK},
		{Limits{}, 0, MessageBytesMax + 1, InvalidArgument},
		{Limits{}, 0, -1, InvalidArgument},
		{Limits{}, 2, MessageBytesMax / 2, InvalidArgument},
		{Limits{}, BatchMax, 0, OK},
		{Limits{}, BatchMax + 1, 0, ResourceExhausted},
		{small, 0, 1000, OK},
		{small, 0, 1001, ResourceExhausted},
		{small, 0, MessageBytesMax + 1, InvalidArgument},
		{small, 10, 92, OK},
		{small, 10, 93, ResourceExhausted},
		{small, 11, 0, ResourceExhausted},
	} {
		if err := c.limits.CheckResponse("size", c.operations, c.bytes); CodeOf(err) != c.want {
			t.Errorf("%+v, %d of %d bytes: %v, want %v", c.limits, c.operations, c.bytes, err, c.want)
		}
	}
}
