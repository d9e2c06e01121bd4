package pairs

// A Side is the subject of one trial of a pair.
type Side string

// The sides, as the scenarios of their trials. Those of the first pairs are both A, and have their own names in the results.
const (
	A      Side = "a"
	B      Side = "b"
	First  Side = "a/a first"  // A, in the part of A
	Second Side = "a/a second" // A, in the part of B
)

// IsB reports whether the server is B.
func (s Side) IsB() bool { return s == B }

// titles are what people call the sides.
var titles = map[Side]string{
	A: "server A", B: "server B", First: "server A against itself, as A", Second: "server A against itself, as B",
}

// Title returns the title of the side's trials, for people; "" of no side.
func (s Side) Title() string { return titles[s] }

// ServerOf returns the server of a case of trials, "A" or "B", by its scenario and title; "" if it is no side's. Files made
// before sides had titles do not say.
func ServerOf(scenario, title string) string {
	switch side := Side(scenario); {
	case title == "" || title != side.Title():
		return ""
	case side.IsB():
		return "B"
	default:
		return "A"
	}
}

// PartOfB reports whether the trial is the numerator of the ratio.
func (s Side) PartOfB() bool { return s == B || s == Second }

// A Step is one pair of trials.
type Step struct {
	Number int     // 1, 2, … over all pairs; the repetition of its trials
	Block  int     // 1, 2, … over all blocks, which have two pairs each
	Sides  [2]Side // in the order of their measurement
	Alike  bool    // both are A
}

// BlockOf returns the block of a pair.
func BlockOf(number int) int { return (number + 1) / 2 }

// An Outcome is the result of a pair.
type Outcome struct {
	Step
	Ratio float64 // of the metric, B to A or Second to First; 0 where a trial failed
}

// maxFailures is the number of consecutive failed pairs that ends an experiment.
const maxFailures = 3

// Failing reports whether the last pairs have all failed.
func Failing(so []Outcome) bool {
	if len(so) < maxFailures {
		return false
	}
	for _, o := range so[len(so)-maxFailures:] {
		if o.Ratio != 0 {
			return false
		}
	}
	return true
}

// Ratios returns those of the pairs that did not fail, in their order: of A with itself, or of A and B.
func Ratios(so []Outcome, alike bool) []float64 {
	var ratios []float64
	for _, o := range so {
		if o.Ratio != 0 && o.Alike == alike {
			ratios = append(ratios, o.Ratio)
		}
	}
	return ratios
}
