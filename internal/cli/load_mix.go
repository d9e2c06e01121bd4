package cli

import (
	"fmt"
	"strconv"
	"strings"

	"rpcbench/internal/call/target"
)

// mixed writes --mix: a call for each time that the flag is given.
func mixed(w *writer) error {
	values, err := w.flags.GetStringArray("mix")
	if err != nil || len(values) == 0 {
		return err
	}
	isURL := len(w.written.Args) == 1 && target.IsURL(w.written.Args[0])
	calls := make([]string, len(values))
	for i, value := range values {
		if calls[i], err = mixedCall(value, isURL); err != nil {
			return fmt.Errorf("--mix: %w", err)
		}
	}
	w.yaml("mix", "["+strings.Join(calls, ", ")+"]", "--mix")
	return nil
}

// mixedCall returns "WEIGHT METHOD [DATA]", or of a URL "WEIGHT METHOD PATH [DATA]", as a map in YAML. Errors don't repeat the
// data, which may be a secret.
func mixedCall(text string, isURL bool) (string, error) {
	weight, rest := word(text)
	if _, err := strconv.ParseFloat(strings.TrimSuffix(weight, "%"), 64); err != nil {
		return "", fmt.Errorf("%q is not a weight; a call is written as %s", weight, mixedForm(isURL))
	}
	fields := []string{"weight: " + strconv.Quote(weight)}
	add := func(key, value string) { fields = append(fields, key+": "+strconv.Quote(value)) }
	method, rest := word(rest)
	if method == "" {
		return "", fmt.Errorf("weight %s has no call; it is written as %s", weight, mixedForm(isURL))
	}
	if isURL {
		var path string
		if path, rest = word(rest); path == "" {
			return "", fmt.Errorf("%s has no path; a call is written as %s", method, mixedForm(isURL))
		}
		add("path", path)
		add("method", method)
	} else {
		add("call", method)
	}
	if rest != "" {
		add("data", rest)
	}
	return "{" + strings.Join(fields, ", ") + "}", nil
}

// mixedForm is how a call is written, in a sentence.
func mixedForm(isURL bool) string {
	if isURL {
		return `"WEIGHT METHOD /path [DATA]", such as "70 GET /items/7"`
	}
	return `"WEIGHT METHOD [DATA]", such as '70 shop.v1.Shop/Get {"id": 7}'`
}

// word cuts the first word off. Spaces within {{ and }} do not end one.
func word(text string) (first, rest string) {
	text = strings.TrimSpace(text)
	depth := 0
	for i := range len(text) {
		switch {
		case strings.HasPrefix(text[i:], "{{"):
			depth++
		case strings.HasPrefix(text[i:], "}}"):
			depth--
		case depth <= 0 && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n'):
			return text[:i], strings.TrimSpace(text[i:])
		}
	}
	return text, ""
}
