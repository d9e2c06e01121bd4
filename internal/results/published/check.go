package published

import (
	"fmt"
	"maps"
	"slices"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/results/analysis"
)

// complete checks a claim and adds the common case to its comparisons.
func (c *Claim) complete() error {
	for i := range c.Comparisons {
		by := &c.Comparisons[i]
		if len(by.Over) == 0 || len(by.Under) == 0 || by.Name == "" {
			return fmt.Errorf("%s: a comparison needs a name and rows over and under", c.Name)
		}
		by.Over, by.Under = by.Over.with(c.Case), by.Under.with(c.Case)
	}
	return c.check()
}

// with returns the case extended by a common one; its own values take precedence.
func (c Case) with(common Case) Case {
	all := Case{}
	maps.Copy(all, common)
	maps.Copy(all, c)
	return all
}

// check refuses a claim that could never be judged.
func (c *Claim) check() error {
	switch {
	case c.Name == "" || c.Published == "":
		return fmt.Errorf("a claim %q: it needs a name and what was published", c.Name)
	case (c.Lacks == "") == (len(c.Comparisons) == 0 || len(c.Metrics) == 0):
		return fmt.Errorf("%s: it has either metrics and comparisons or something that it lacks", c.Name)
	case c.Unknown != "" && (c.Lacks != "" || len(c.Where) > 0):
		return fmt.Errorf("%s: it says why metrics are unknown, which does not go with lacks or where", c.Name)
	case c.Lacks != "":
		return nil
	case c.AtLeast <= 0 && c.AtMost <= 0:
		return fmt.Errorf("%s: it needs at_least or at_most", c.Name)
	case len(c.UnderMetrics) > 0 && len(c.UnderMetrics) != len(c.Metrics):
		return fmt.Errorf("%s: it has %d metrics over %d", c.Name, len(c.Metrics), len(c.UnderMetrics))
	}
	return c.checkNames()
}

func (c *Claim) checkNames() error {
	known := metricNames()
	for _, metric := range slices.Concat(c.Metrics, c.UnderMetrics) {
		if !slices.Contains(known, string(metric)) {
			return fmt.Errorf("%s: no row has a metric %q%s", c.Name, metric, hint.Of(string(metric), known))
		}
	}
	for name := range c.Where {
		if all := slices.Concat(known, analysis.ColumnNames()); !slices.Contains(all, name) {
			return fmt.Errorf("%s: no row has a column or metric %q%s", c.Name, name, hint.Of(name, all))
		}
	}
	if err := freeCase(slices.Concat(c.Differ, c.Free)).check(c.Name); err != nil {
		return err
	}
	for _, by := range c.Comparisons {
		for _, side := range []Case{by.Over, by.Under} {
			if err := side.check(c.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

func metricNames() []string {
	var names []string
	for _, m := range analysis.Metrics() {
		names = append(names, string(m))
	}
	return names
}
