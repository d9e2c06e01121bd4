package compare

import "fmt"

// missing returns sentences on the points that not all sets have: for each set, those that it alone has, and those that several
// others have and it has not.
func missing(sets []Set) (notes []string) {
	in := map[string]int{} // of how many sets a point is
	var points []string
	for _, set := range sets {
		for _, point := range set.points() {
			if in[point]++; in[point] == 1 {
				points = append(points, point)
			}
		}
	}
	for _, set := range sets {
		own := map[string]bool{}
		for _, point := range set.points() {
			own[point] = true
		}
		var alone, lacking []string
		for _, point := range points {
			switch {
			case own[point] && in[point] == 1:
				alone = append(alone, point)
			case !own[point] && in[point] > 1:
				lacking = append(lacking, point)
			}
		}
		notes = append(notes, pointNote("Only in", set.Name, alone)...)
		notes = append(notes, pointNote("Not in", set.Name, lacking)...)
	}
	return notes
}

// points are those of a set, each once, in the order of its figures.
func (s *Set) points() (points []string) {
	seen := map[string]bool{}
	for _, f := range s.Figures {
		if !seen[f.Point] {
			points = append(points, f.Point)
		}
		seen[f.Point] = true
	}
	return points
}

// pointNote names the first of the points; it is nil without any.
func pointNote(where, name string, points []string) []string {
	switch len(points) {
	case 0:
		return nil
	case 1:
		return []string{fmt.Sprintf("%s %s: %s.", where, name, points[0])}
	default:
		return []string{fmt.Sprintf("%s %s: %s and %d more.", where, name, points[0], len(points)-1)}
	}
}
