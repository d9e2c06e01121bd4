package point

import "rpcbench/internal/stack"

// Check returns an *Error if no case could ask for the point: the limits are those of scenarios. Values from a file are checked
// before anything is computed from them. Check does not test whether the kind can have a key.
func (a Asked) Check() error {
	if _, err := oneOf(kinds...)(a.Kind); err != nil {
		return Errorf("", "kind: %v", err)
	}
	if err := a.checkKeys(); err != nil {
		return err
	}
	for _, rule := range rules {
		if fault := rule.Fault(a); fault != nil {
			return Errorf("", "%s: %s", fault.Field, fault.Reason)
		}
	}
	return a.checkUndeclared()
}

// Check checks the Spec as an Asked does.
func (s Spec) Check() error { return Asked{Spec: s}.Check() }

// checkKeys reads back what the keys write.
func (a Asked) checkKeys() error {
	has := map[string]bool{}
	for _, k := range settable {
		n := k.Write(a)
		if n.Form == Null {
			continue
		}
		if has[k.Rival] {
			return Errorf("", "%s and %s are mutually exclusive; give only one", k.Name, k.Rival)
		}
		if _, err := k.Read(n); err != nil {
			return err
		}
		has[k.Name] = true
	}
	return nil
}

// checkUndeclared checks fields that no case can set.
func (s Spec) checkUndeclared() error {
	if err := s.checkBinary(); err != nil {
		return err
	}
	if err := s.checkSizes(); err != nil {
		return err
	}
	if s.Method != nil && len(s.Method.Mix) > 0 {
		if reason := stack.CheckWeights(s.Method.weights()); reason != "" {
			return Errorf("", "mix: %s", reason)
		}
	}
	if s.Schedule != nil {
		if err := s.Schedule.Check(s.maxSchedule()); err != nil {
			return Errorf("", "ramp %q: %v", s.Schedule, err)
		}
	}
	if most := s.CompilersMostNs; most < 0 || most > DurationMax.Nanoseconds() {
		return Errorf("", "compilers_most_ns: %d is not between 0 and %d", most, DurationMax.Nanoseconds())
	}
	switch rate := s.MessageRatePerSec; {
	case !(rate >= 0 && rate <= PerSecMax):
		return Errorf("", "message_rate_per_sec: %v is not between 0 and %d", rate, PerSecMax)
	case rate > 0 && s.Method == nil:
		return Errorf("", "message_rate_per_sec: only calls of a method support it")
	default:
		return nil
	}
}
