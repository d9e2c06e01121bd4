package endtoend

import (
	"slices"
	"testing"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/stack"
)

func TestAnyTwoStacksOfOneProtocolPair(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, client := range stacks() {
		for _, server := range stacks() {
			c, s := client.Info(), server.Info()
			if c.Name == s.Name || c.Protocol != s.Protocol || !c.Calls || !s.Serves {
				continue
			}
			tried++
			t.Run(c.Name+" against "+s.Name, func(t *testing.T) {
				t.Parallel()
				_, address := serve(t, s.Name)
				for _, kind := range c.Kinds {
					if slices.Contains(s.Kinds, kind) {
						checkKind(t, c.Name, address, kind)
					}
				}
			})
		}
	}
	if tried == 0 {
		t.Error("no two stacks of this binary speak one protocol")
	}
}

// checkKind makes calls of a kind, whose replies are checked byte by byte.
func checkKind(t *testing.T, name, address, kind string) {
	t.Helper()
	checkKindOn(t, start(t), name, address, kind)
}

func checkKindOn(t *testing.T, p *launch.Worker, name, address, kind string) {
	t.Helper()
	const calls = 40
	c := command(name, address)
	c.Call.Kind, c.Connections, c.InFlight = kind, 2, 2
	c.Call.RequestBytes, c.Call.ResponseBytes = 3000, 700
	switch kind {
	case stack.KindConnect, stack.KindFirstCall:
		c.Call.RequestBytes, c.Call.ResponseBytes = 0, 0
	case stack.KindStream, stack.KindUpload, stack.KindDownload, stack.KindBothWays:
		c.Call.Messages = 5
	case stack.KindPingPong:
		c.Streams = 1
	case stack.KindBurst:
		c.Call.Messages, c.Streams = 5, 1
	}
	wantAll(t, name+" "+kind, measure(t, connectOn(t, p, c), closed(calls)), "OK", calls)
}
