package grpcwire_test

import (
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/stack/grpcwire"
	"rpcbench/internal/test/stacktest"
)

// served is grpc-wire with grpc-go's server.
type served struct{ stack.Stack }

func (s served) Serve(config stack.ServeConfig) (stack.Server, error) {
	if err := s.Info().CheckServe(config); err != nil {
		return nil, err
	}
	return grpcgo.New().Serve(config)
}

func TestConforms(t *testing.T) { stacktest.Run(t, served{grpcwire.New()}) }

func TestConformsOnLoops(t *testing.T) { stacktest.Run(t, stacktest.OnLoops(served{grpcwire.New()})) }
