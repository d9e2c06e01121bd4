package driver

import (
	"testing"

	"rpcbench/internal/plan"
)

func TestAProcessListensWhereItsHostIsReached(t *testing.T) {
	t.Parallel()
	s := played(t, Config{}, plan.Spec{Network: "tcp"}, &player{}, &player{})
	if at, err := s.listen(s.servers[0].Worker, "s0"); err != nil || at != "[fd00::7]:0" {
		t.Errorf("it listens at %s, %v", at, err)
	}
}
