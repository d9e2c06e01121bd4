package result

import (
	"fmt"
	"slices"

	"rpcbench/internal/plan"
)

// AB is the design of an experiment with two servers. The scenario of a trial is its side, its repetition the number of its pair.
type AB struct {
	A Program `json:"a"` // the baseline
	B Program `json:"b"`
	// Metrics are columns of CSV: the first is that of the answer, and pairs went on until the others were clear, too.
	Metrics    []string `json:"metrics"`
	SameRatio  float64  `json:"same_ratio"`            // a change within it is none: 0.05 is 5%
	WidthRatio float64  `json:"width_ratio,omitempty"` // how narrow the interval had to be, too; 0 is however wide
	AlikePairs int      `json:"aa_pairs"`              // of A with itself
	TimeNs     int64    `json:"time_ns"`               // limit for all pairs
	// Base is a trial of either side, whose ID begins with that of it; nil in files made before it was kept.
	Base *plan.Trial `json:"base,omitempty"`
}

// check returns an error if nothing could have been measured like this.
func (ab *AB) check() error {
	if ab == nil {
		return nil
	}
	for i, metric := range ab.Metrics {
		if slices.Contains(ab.Metrics[:i], metric) {
			return fmt.Errorf("metrics: %q is there twice", metric)
		}
	}
	if ab.Base == nil {
		return nil
	}
	return ab.Base.Check()
}

// Program is a server of the user's.
type Program struct {
	Command []string `json:"command"`          // without secrets
	SHA256  string   `json:"sha256,omitempty"` // of its first word's file; empty is unknown
}
