package service

import (
	"cmp"

	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
)

// checkKinds refuses a kind that is not that of the method: its own or, of one that streams both ways, ping_pong.
func (s *Services) checkKinds(scenarios []scenario.Scenario) error {
	for _, one := range scenarios {
		for _, c := range one.Cases {
			if !c.Service().IsForeign() {
				continue
			}
			own := s.known[c.Service().Identity()].kind
			switch {
			case c.Kind == own, c.Kind == stack.KindPingPong && own == stack.KindStream:
			case own == stack.KindStream:
				return scenario.Errorf(c.Where("kind", 0), "kind: %s streams both ways, so that it is stream or ping_pong, not %s",
					c.Service().Call, c.Kind)
			default:
				return scenario.Errorf(c.Where("kind", 0), "kind: %s is %s, not %s",
					cmp.Or(c.Service().Call, "a call of a URL"), own, c.Kind)
			}
		}
	}
	return nil
}
