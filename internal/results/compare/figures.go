package compare

import "slices"

// A figureKey tells figures of a Set apart.
type figureKey struct{ point, metric, unit string }

func (f Figure) key() figureKey { return figureKey{f.Point, f.Metric, f.Unit} }

// figures is a list of figures without two of one key.
type figures struct {
	all []Figure
	at  map[figureKey]int
}

// of returns the figure with the key of another one. A new one is like that, without values.
func (fs *figures) of(like Figure) *Figure {
	i, known := fs.at[like.key()]
	if !known {
		if fs.at == nil {
			fs.at = map[figureKey]int{}
		}
		i = len(fs.all)
		like.Values, like.Blocks, like.Occasions, like.Floor, like.Failed = nil, nil, nil, nil, 0
		fs.all, fs.at[like.key()] = append(fs.all, like), i
	}
	return &fs.all[i]
}

// byKey returns where the figures of a set are: the first of those with one key.
func (s *Set) byKey() map[figureKey]int {
	at := make(map[figureKey]int, len(s.Figures))
	for i, f := range slices.Backward(s.Figures) {
		at[f.key()] = i
	}
	return at
}
