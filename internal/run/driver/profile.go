package driver

import (
	"context"
	"errors"
	"fmt"

	"rpcbench/internal/results/result"
)

// beginProfiles makes both sides profile themselves. It precedes the first Mark, and endProfiles follows the second, so the cost
// of starting and ending is not counted.
func (s *sides) beginProfiles(ctx context.Context) error {
	if !s.Profile {
		return nil
	}
	for _, side := range s.both() {
		switch err := side.Profile(ctx); {
		case err == nil:
			s.profiled = append(s.profiled, side)
			s.evidence.Profiled = true
		case lost(err):
			return blame(side.name, err)
		default:
			s.warnf(result.WarningNoProfile, "no profile of the %s: %v", side.name, err)
		}
	}
	return nil
}

// endProfiles keeps the profiles. One that can't be kept is a warning: the trial was measured.
func (s *sides) endProfiles(ctx context.Context) error {
	for _, side := range s.profiled {
		kept := s.newStore(side.stem)
		err := side.EndProfile(ctx, kept.keep)
		err = errors.Join(err, kept.close())
		s.evidence.Evidence = append(s.evidence.Evidence, kept.names...)
		if err != nil && side.over() {
			return blame(side.name, side.End(ctx))
		}
		if err != nil {
			s.warnf(result.WarningCutProfile, "the profile of the %s is not whole: %v", side.name, err)
		}
	}
	return nil
}

func (s *sides) warnf(code result.WarningCode, format string, args ...any) {
	s.evidence.Warnings = append(s.evidence.Warnings, result.Warning{Code: code, Text: fmt.Sprintf(format, args...)})
}
