package schedule

import "time"

// WindowsKept is the number of windows that a trial keeps by default, and so of the parts of a load that a reader is shown.
const WindowsKept = 20

// pieces divides the lines of a schedule of several stages, so that each has windows of its own: a window begins where a stage
// does, and nowhere else. All pieces last about as long, a second or more unless the line is shorter, and with the other stages
// there are at most WindowsKept. With as many stages as that no line is divided. The load is the same.
func pieces(stages []Stage) []Stage {
	if len(stages) >= WindowsKept {
		return stages
	}
	length := time.Second
	for divided(stages, length) > WindowsKept {
		length += time.Second
	}
	var all []Stage
	for _, s := range stages {
		all = append(all, s.divided(s.pieces(length))...)
	}
	return all
}

// divided is how many stages there are if each line is divided into pieces of that length.
func divided(stages []Stage, length time.Duration) int {
	sum := 0
	for _, s := range stages {
		sum += s.pieces(length)
	}
	return sum
}

// pieces is how many pieces of that length, or a little more, a line has; 1 for a step.
func (s Stage) pieces(length time.Duration) int {
	if s.From == s.To {
		return 1
	}
	return max(1, int(time.Duration(s.LengthNs)/length))
}

// divided returns n equal pieces of the stage.
func (s Stage) divided(n int) []Stage {
	all := make([]Stage, n)
	value, began := s.From, int64(0)
	for i := range all {
		end := s.LengthNs * int64(i+1) / int64(n)
		next := s.To // exactly, which rounding might miss
		if i < n-1 {
			next = s.From + (s.To-s.From)*float64(i+1)/float64(n)
		}
		all[i] = Stage{From: value, To: next, LengthNs: end - began}
		value, began = next, end
	}
	return all
}
