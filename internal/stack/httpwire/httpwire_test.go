package httpwire_test

import (
	"os"
	"runtime"
	"testing"

	"rpcbench/internal/stack"
	"rpcbench/internal/stack/httpjson"
	"rpcbench/internal/stack/httpwire"
	"rpcbench/internal/test/stacktest"
)

// served is http-wire with http-json-go's server.
type served struct{ stack.Stack }

func (s served) Serve(config stack.ServeConfig) (stack.Server, error) {
	if err := s.Info().CheckServe(config); err != nil {
		return nil, err
	}
	return httpjson.New().Serve(config)
}

func TestConforms(t *testing.T) { stacktest.Run(t, served{httpwire.New()}) }

func TestConformsOnLoops(t *testing.T) { stacktest.Run(t, stacktest.OnLoops(served{httpwire.New()})) }

func TestConformsBlocking(t *testing.T) { stacktest.Run(t, stacktest.Blocking(served{httpwire.New()})) }

func TestCallsResources(t *testing.T) { stacktest.Resources(t, httpwire.New(), "1.1", "2") }

func TestCallsResourcesOnLoops(t *testing.T) {
	stacktest.Resources(t, stacktest.OnLoops(httpwire.New()), "1.1", "2")
}

func TestCallsResourcesBlocking(t *testing.T) {
	stacktest.Resources(t, stacktest.Blocking(httpwire.New()), "1.1")
}

// TestMain gives Go more processors than there are tests at a time, so that the readers of all of them may wait in the kernel.
func TestMain(m *testing.M) {
	runtime.GOMAXPROCS(max(32, 2*runtime.GOMAXPROCS(0)))
	os.Exit(m.Run())
}
