package stack

import (
	"slices"
	"strconv"
	"strings"
)

// IntOption reads the option name, a whole number from least to most. It is 0 where the option is not given.
func IntOption(options map[string]string, name string, least, most int) (int, error) {
	text, given := options[name]
	if !given {
		return 0, nil
	}
	value, err := strconv.Atoi(text)
	if err != nil || value < least || value > most {
		return 0, Errorf(InvalidArgument, "option %s is %q; it must be a whole number from %d to %d", name, text, least, most)
	}
	return value, nil
}

// WordOption returns the option name, which must be one of words. Its default is the first of them.
func WordOption(options map[string]string, name string, words ...string) (string, error) {
	word, given := options[name]
	switch {
	case !given:
		return words[0], nil
	case !slices.Contains(words, word):
		return "", Errorf(InvalidArgument, "option %s is %q; it must be one of %s", name, word, strings.Join(words, ", "))
	default:
		return word, nil
	}
}
