package plan

import (
	"slices"

	"rpcbench/internal/plan/point"
	"rpcbench/internal/stack"
)

// codings expands a Spec with all messages or codecs into one Spec for each that the stack has.
func codings(spec Spec, info stack.Info) []Spec {
	specs := []Spec{spec}
	if spec.Message == point.All {
		specs = cross(specs, info.Messages, func(s *Spec, name string) { s.Message = name })
	}
	if spec.Codec == point.All {
		specs = cross(specs, info.Codecs, func(s *Spec, name string) { s.Codec = name })
	}
	return specs
}

// cross makes every Spec once for each name. Without names it changes nothing.
func cross(specs []Spec, names []string, set func(*Spec, string)) []Spec {
	if len(names) == 0 {
		return specs
	}
	crossed := make([]Spec, 0, len(specs)*len(names))
	for _, spec := range specs {
		for _, name := range names {
			next := spec
			set(&next, name)
			crossed = append(crossed, next)
		}
	}
	return crossed
}

// lacksCoding says why the stack can't encode or decode the point's message; the zero lack when it can. There is no server.
func lacksCoding(info stack.Info, s Spec) lack {
	switch {
	case !slices.Contains(info.Kinds, s.Kind):
		return lack{info.Name, "has no kind " + s.Kind}
	case !slices.Contains(info.Messages, s.Message):
		return lack{info.Name, "has no message " + s.Message}
	case !slices.Contains(info.Codecs, s.Codec):
		return lack{info.Name, "has no codec " + s.Codec}
	default:
		return lack{}
	}
}
