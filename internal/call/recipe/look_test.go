package recipe

import (
	"context"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// A stranger has none of our methods, and answers reflection with a status.
type stranger struct{ reflection codes.Code }

func (s stranger) Invoke(context.Context, string, any, any, ...grpc.CallOption) error {
	return status.Error(codes.Unimplemented, "unknown service")
}

func (s stranger) NewStream(context.Context, *grpc.StreamDesc, string, ...grpc.CallOption) (grpc.ClientStream, error) {
	return nil, status.Error(s.reflection, "the descriptor is invalid")
}

func TestReflectionThatFailsIsNotSaidToBeMissing(t *testing.T) {
	t.Parallel()
	for code, want := range map[codes.Code]string{
		codes.Unimplemented: "; it does not offer reflection, so --call also needs --proto or --protoset",
		codes.Internal:      "; its reflection can't be used, so --call also needs --proto or --protoset: ",
	} {
		err := Look(t.Context(), stranger{code}, "here")
		if err == nil {
			t.Fatalf("%s: no error", code)
		}
		rest, is := strings.CutPrefix(err.Error(), "the server at here is not rpcbench serve, so --call must name a method"+want)
		if !is || (rest != "") != strings.Contains(rest, "the descriptor is invalid") {
			t.Errorf("%s: %s", code, err)
		}
	}
}
