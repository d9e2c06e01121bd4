package pipe

import (
	"testing"

	"rpcbench/internal/run/launch"
)

func TestALayoutPadsTheEnvironmentThere(t *testing.T) {
	t.Parallel()
	h := &Host{program: "/opt/rpcbench"}
	for bytes, want := range map[int]string{
		0:  "exec /opt/rpcbench worker --tether",
		22: "export RPCBENCH_PADDING=xxxx; exec /opt/rpcbench worker --tether",
	} {
		if got := h.script(launch.Order{Layout: launch.Layout{EnvironmentBytes: bytes}}); got != want {
			t.Errorf("%d bytes: %s", bytes, got)
		}
	}
}
