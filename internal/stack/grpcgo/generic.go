package grpcgo

import (
	"errors"
	"io"

	"google.golang.org/grpc"

	"rpcbench/internal/stack"
)

// A generic answers every message of any method with the same bytes, and looks at none.
type generic struct{ answer rawMessage }

// readGeneric reads the option; nil without it.
func readGeneric(given map[string]string) *generic {
	if _, asked := given[stack.GenericResponse]; !asked {
		return nil
	}
	return &generic{rawMessage{bytes: make([]byte, stack.GenericResponseOption.Int(given)), shared: true}}
}

// handle answers the messages of a call.
func (g *generic) handle(_ any, stream grpc.ServerStream) error {
	var in rawReply
	for {
		err := stream.RecvMsg(&in)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = stream.SendMsg(&g.answer)
		}
		if err != nil {
			return err
		}
	}
}
