// Package hint answers unknown words with those that may have been meant.
package hint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	nearMax      = 3   // near words in a sentence
	knownMax     = 40  // known words in a sentence
	wordBytesMax = 200 // what is longer is near to no word
)

// Of completes a sentence about an unknown word: it lists the known words that are close enough to have been meant, nearest
// first. If none is close, it lists the known words, as many as a sentence can hold.
func Of(word string, known []string) string {
	if near := Near(word, known); near != "" {
		return near
	}
	if len(known) == 0 {
		return "; there is none"
	}
	var words []string
	for _, word := range known[:min(len(known), knownMax)] {
		words = append(words, short(word))
	}
	list := "; known: " + strings.Join(words, ", ")
	if more := len(known) - knownMax; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// OfPart is Of for a word that stands for the last part of a known one, after a separator, such as a method without its service.
func OfPart(word string, known []string, separator string) string {
	last := func(k string) string { return k[strings.LastIndex(k, separator)+1:] }
	parts := make([]string, len(known))
	for i, k := range known {
		parts[i] = last(k)
	}
	near := nearest(word, parts)
	whole := slices.DeleteFunc(slices.Clone(known), func(k string) bool { return !slices.Contains(near, last(k)) })
	if len(whole) == 0 || len(whole) > nearMax {
		return Of("", known)
	}
	return meant(whole)
}

// short is a word, or the beginning of one that would fill the sentence: a server's names may be of any length.
func short(word string) string {
	if len(word) <= wordBytesMax {
		return word
	}
	return strings.ToValidUTF8(word[:wordBytesMax], "") + "…"
}

// Near is Of without the list: empty where no known word is near.
func Near(word string, known []string) string {
	near := nearest(word, known)
	if len(near) == 0 {
		return ""
	}
	return meant(near)
}

// meant asks whether one of the words was.
func meant(words []string) string {
	var quoted []string
	for _, word := range words {
		quoted = append(quoted, strconv.Quote(short(word)))
	}
	return "; did you mean " + strings.Join(quoted, " or ") + "?"
}

// nearest returns at most nearMax of the known words that the word may have been meant for.
func nearest(word string, known []string) []string {
	type candidate struct {
		word string
		far  int
	}
	var list []candidate
	for _, k := range known {
		if far, ok := farness(strings.ToLower(word), strings.ToLower(k)); ok {
			list = append(list, candidate{k, far})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return a.far - b.far })
	var words []string
	for _, c := range list {
		if c.far == list[0].far && len(words) < nearMax && !slices.Contains(words, c.word) {
			words = append(words, c.word)
		}
	}
	return words
}

// farness returns the edit distance of two words, or of the parts after their last dots, so a missing or wrong package counts as
// one mistake. The dashes of a flag do not count. It returns false if the words are not similar: see mistakes.
func farness(word, known string) (int, bool) {
	if len(word) > wordBytesMax || len(known) > wordBytesMax {
		return 0, false
	}
	far := distance(word, known)
	last, knownLast := lastPart(word), lastPart(known)
	if last != word || knownLast != known {
		part := distance(last, knownLast)
		if part <= len([]rune(last))/3 && part+1 < far {
			return part + 1, true
		}
	}
	return far, far <= mistakes(len([]rune(strings.TrimLeft(word, "-"))))
}

// mistakes returns how many edits a word may be away from what was meant, by its length: a quarter of its letters, and at least
// one. With a third, --sleep is near to --seed, and --retries to --metrics.
func mistakes(letters int) int {
	if letters < 2 {
		return 0
	}
	return max(1, letters/4)
}

func lastPart(word string) string { return word[strings.LastIndexByte(word, '.')+1:] }

// distance counts the insertions, deletions, replacements and swaps of neighbors that turn a into b (the optimal
// string alignment distance).
func distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	before, last, row := make([]int, len(to)+1), make([]int, len(to)+1), make([]int, len(to)+1)
	for j := range last {
		last[j] = j
	}
	for i := range from {
		row[0] = i + 1
		for j := range to {
			replace := last[j]
			if from[i] != to[j] {
				replace++
			}
			row[j+1] = min(replace, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && from[i] == to[j-1] && from[i-1] == to[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(to)]
}
