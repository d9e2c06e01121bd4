package load

import (
	"math"
	"time"
)

// A curve is a rate over time, read forwards.
type curve struct {
	stages []Stage
	stage  int     // that was reached
	began  float64 // when it began, in seconds
	before float64 // arrivals before it
}

// reach returns when that many arrivals are expected, in ns; +Inf if the rate has ended at 0. Counts must not decrease.
func (c *curve) reach(count float64) float64 {
	for c.stage < len(c.stages) {
		s := c.stages[c.stage]
		all := (s.From + s.To) / 2 * s.Length.Seconds()
		if count-c.before < all {
			return (c.began + s.within(count-c.before)) * float64(time.Second)
		}
		c.stage++
		c.began += s.Length.Seconds()
		c.before += all
	}
	last := c.stages[len(c.stages)-1].To
	if last <= 0 {
		return math.Inf(1)
	}
	return (c.began + (count-c.before)/last) * float64(time.Second)
}

// within returns after how many seconds of the stage that many arrivals are expected: the root of from·t + slope·t²/2 = count, in
// the form that loses no digits.
func (s Stage) within(count float64) float64 {
	if count <= 0 {
		return 0
	}
	slope := (s.To - s.From) / s.Length.Seconds()
	return 2 * count / (s.From + math.Sqrt(max(s.From*s.From+2*slope*count, 0)))
}
