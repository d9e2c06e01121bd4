package comparison

import (
	"slices"
	"strings"
)

// sharedWords shortens names made of words to the words that differ, and returns the words they share. A single name is shared
// completely.
func sharedWords(names []string) (short map[string]string, shared string) {
	split := make([][]string, len(names))
	for i, name := range names {
		split[i] = wordsOf(name)
	}
	common := sharedPlaces(split)
	short = map[string]string{}
	for i, name := range names {
		var left []string
		for at, word := range split[i] {
			if !common(at, len(split[i])) {
				left = append(left, word)
			}
		}
		short[name] = strings.Join(left, " ")
	}
	if len(names) > 0 {
		var same []string
		for at, word := range split[0] {
			if common(at, len(split[0])) {
				same = append(same, word)
			}
		}
		shared = strings.Join(same, " ")
	}
	return short, strings.TrimSuffix(shared, ",")
}

// sharedPlaces reports which positions hold the same word in all names: any position if all names have the same number of words,
// otherwise only those at the beginning and at the end.
func sharedPlaces(names [][]string) func(at, words int) bool {
	fewest, alike := 0, true
	if len(names) > 0 {
		fewest = len(slices.MinFunc(names, func(a, b []string) int { return len(a) - len(b) }))
	}
	for _, words := range names {
		alike = alike && len(words) == fewest
	}
	same := func(place func([]string) string) bool {
		return !slices.ContainsFunc(names, func(w []string) bool { return place(w) != place(names[0]) })
	}
	head, tail := 0, 0
	for head < fewest && same(func(w []string) string { return w[head] }) {
		head++
	}
	for tail < fewest-head && same(func(w []string) string { return w[len(w)-1-tail] }) {
		tail++
	}
	return func(at, words int) bool {
		if alike {
			return same(func(w []string) string { return w[at] })
		}
		return at < head || at >= words-tail
	}
}

// wordsOf splits a name into words, of which a number and its unit are one.
func wordsOf(name string) []string {
	var words []string
	for word := range strings.FieldsSeq(name) {
		if last := len(words) - 1; last >= 0 && isUnit(word) && strings.Trim(words[last], "0123456789.,") == "" {
			words[last] += " " + word
			continue
		}
		words = append(words, word)
	}
	return words
}

func isUnit(word string) bool {
	return slices.Contains([]string{"B", "kB", "MB", "x", "ms", "s"}, word)
}
