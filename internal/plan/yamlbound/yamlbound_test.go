package yamlbound_test

import (
	"errors"
	"strings"
	"testing"

	"rpcbench/internal/plan/yamlbound"
)

func TestWhatAParserCantBearIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		line int
		want string
	}{
		"open brackets":     {"a: 1\nb: " + strings.Repeat("[", 65), 2, "values are nested more than 64 levels deep"},
		"braces over lines": {strings.Repeat("{\n", 70), 65, "values are nested more than 64 levels deep"},
		"lists in one line": {strings.Repeat("- ", 65) + "a", 1, "values are nested more than 64 levels deep"},
		"keys in one line":  {strings.Repeat("? ", 65) + "a", 1, "values are nested more than 64 levels deep"},
		"lists and brackets": {strings.Repeat("- ", 40) + strings.Repeat("[", 40), 1, "values are nested more " +
			"than 64 levels deep"},
		"lines without words": {"a: |\n" + strings.Repeat(" \n", 2001), 2002, "the file has more than 2000 empty " +
			"lines"},
	} {
		line, err := yamlbound.Check([]byte(c.text))
		if err == nil || err.Error() != c.want || line != c.line {
			t.Errorf("%s: line %d, %v, want line %d, %s", name, line, err, c.line, c.want)
		}
	}
}

func TestWhatPeopleWriteIsLetThrough(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"nothing":              "",
		"many short lists":     strings.Repeat("- [a, {b: c}]\n", 1000),
		"as deep as it may be": strings.Repeat("- ", 30) + strings.Repeat("[", 34) + strings.Repeat("]", 34),
		"closed too often":     strings.Repeat("]\n", 100) + strings.Repeat("[", 64),
		"paragraphs":           strings.Repeat("a\n\n", 2000),
		"a negative number":    "-1\n--\n-\n",
	} {
		if _, err := yamlbound.Check([]byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestADocumentIsDecodedStrictly(t *testing.T) {
	t.Parallel()
	type file struct {
		A int `yaml:"a"`
	}
	for text, want := range map[string]string{
		"a: 1\nb: 2":            `f.yaml:2:1: unknown field "b"`,
		"a: 1\na: 2":            `f.yaml:2:1: mapping key "a" already defined at [1:1]`,
		"a: 1\n---\na: 2":       "f.yaml: a second YAML document begins; the file has to be one",
		strings.Repeat("[", 65): "f.yaml:1: values are nested more than 64 levels deep",
	} {
		if err := yamlbound.Decode("f.yaml", []byte(text), new(file)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]file{"": {}, "\ufeffa: 1\r\n": {1}} {
		var got file
		if err := yamlbound.Decode("f.yaml", []byte(text), &got); err != nil || got != want {
			t.Errorf("%q: %+v, %v, want %+v", text, got, err, want)
		}
	}
	if err := yamlbound.Located("f.yaml", errors.New("two\n lines")); err.Error() != "f.yaml: two lines" {
		t.Error(err)
	}
}
