// Package words writes plans for people.
package words

import (
	"fmt"
	"io"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
)

// Plan prints the trials of a plan, a line each, and how long they take.
func Plan(out io.Writer, p plan.Plan) error {
	for i, t := range p.Trials {
		if _, err := fmt.Fprintf(out, "%4d  %s  %s\n", i+1, t.ID, t.Spec); err != nil {
			return err
		}
	}
	for _, note := range p.Notes {
		if _, err := fmt.Fprintf(out, "note: %s\n", note.Text); err != nil {
			return err
		}
	}
	warmUps := ""
	if ends := plan.UntilSteady(p.Trials); ends != "" {
		warmUps = fmt.Sprintf(" at the most (warm-up %s, until steady)", ends)
	}
	_, err := fmt.Fprintf(out, "%s, about %s%s, in the order of seed %d\n",
		number.Count(len(p.Trials), "trial"), number.About(p.Expected()), warmUps, p.Seed)
	return err
}
