package stack_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"rpcbench/internal/stack"
)

// A status message of megabytes is not kept, neither by itself nor as a cause: each slot keeps its last failure.
func TestALongFailureIsCut(t *testing.T) {
	t.Parallel()
	long := errors.New(strings.Repeat("a", 8<<20))
	for name, err := range map[string]error{
		"8388608": stack.Failure(context.Background(), stack.Internal, &stack.Error{Code: stack.Aborted, Err: long}),
		"8388616": stack.Errorf(stack.Internal, "it said %w", long),
	} {
		said := stack.Reason(err)
		if len(said) > 4200 || !strings.HasSuffix(said, "… (cut; "+name+" bytes in all)") {
			t.Errorf("%s: %d bytes end with %.60q", name, len(said), said[len(said)-60:])
		}
		if errors.Is(err, long) || stack.CodeOf(err) != stack.Internal {
			t.Errorf("%s: it keeps its cause, or has the code %v", name, stack.CodeOf(err))
		}
	}
	if short := errors.New("no"); !errors.Is(stack.Errorf(stack.Internal, "it said %w", short), short) {
		t.Error("a short failure has lost its cause")
	}
}
