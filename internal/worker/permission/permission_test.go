package permission_test

import (
	"strings"
	"testing"

	"rpcbench/internal/worker/permission"
)

func TestPatternsMatchAsInVanadium(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		list    string
		allowed string // names with blanks between them
		keptOut string
	}{
		{`{"Read":{"In":["..."]}}`, "root root:alice bob", ""},
		{`{"Read":{"In":["root:alice"]}}`, "root:alice root:alice:phone", "root root:alic root:alicex root:bob alice"},
		{`{"Read":{"In":["root:alice:$"]}}`, "root:alice", "root:alice:phone root"},
		{`{"Read":{"In":["root"],"NotIn":["root:bob"]}}`, "root root:alice root:bobby", "root:bob root:bob:phone"},
		{`{"Read":{"In":["..."],"NotIn":["root:bob:$"]}}`, "root root:bob:phone", "root:bob"},
		{`{"Read":{}}`, "", "root"},
		{`{}`, "", "root"},
	} {
		list, err := permission.Parse(c.list)
		if err != nil {
			t.Fatalf("%s: %v", c.list, err)
		}
		for name := range strings.FieldsSeq(c.allowed) {
			if !list.Allows(name) {
				t.Errorf("%s keeps %s out", c.list, name)
			}
		}
		for name := range strings.FieldsSeq(c.keptOut) {
			if list.Allows(name) {
				t.Errorf("%s lets %s in", c.list, name)
			}
		}
	}
}

func TestBadPermissionsAreNamed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"I":{"":1}}`:                  `the tag "I" is not supported: all methods need Read`,
		`{"read":{"In":["root"]}}`:      `the tag "read" is not supported: all methods need Read`,
		`{"Read":{"in":["root"]}}`:      `the key "in" is neither In nor NotIn`,
		`{"Read":{"Not_In":["root"]}}`:  `the key "Not_In" is neither In nor NotIn`,
		`{"Read":{},"Read":{"In":[]}}`:  `the key "Read" is given twice`,
		`{"Read":{"In":["a"],"In":[]}}`: `the key "In" is given twice`,
		`{"Read":{"NotIn":["root:*"]}}`: `"root:*" is not a pattern: "root:*" is not a name, such as root:alice`,
		`{"Read":{"NotIn":["root,alice"]}}`: `"root,alice" is not a pattern: "root,alice" is not a name, such as ` +
			"root:alice",
		`{"Read":{"NotIn":["root:[ab]"]}}`: `"root:[ab]" is not a pattern: "root:[ab]" is not a name, such as ` +
			"root:alice",
		`[]`: `"[]" is not a permission such as {"Read": {"In": ["..."]}}: [ is ` +
			"given; expected an object",
		`{"Read":1}`: "\"{\\\"Read\\\":1}\" is not a permission such as {\"Read\": {\"In\": " +
			`["..."]}}: 1 is given; expected an object`,
		`{`: `"{" is not a permission such as {"Read": {"In": ["..."]}}: ` +
			"unexpected EOF",
		`{"Write":{"In":["..."]}}`: `the tag "Write" is not supported: all methods need Read`,
		`{"Read":{"In":["root::alice"]}}`: `"root::alice" is not a pattern: "root::alice" is not a name, such ` +
			"as root:alice",
		`{"Read":{"In":["root:$:alice"]}}`: `"root:$:alice" is not a pattern: "root:$:alice" is not a name, ` +
			"such as root:alice",
		`{"Read":{"NotIn":[""]}}`: `"" is not a pattern: "" is not a name, such as root:alice`,
		`{} {}`:                   `"{} {}" has data after the end of the object`,
		`{}}`:                     `"{}}" has data after the end of the object`,
	} {
		if _, err := permission.Parse(text); err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`{"Read":{"In":["..."],"NotIn":["root:bob:$"]}}`)
	f.Add(`{}`)
	f.Fuzz(func(t *testing.T, text string) {
		list, err := permission.Parse(text)
		if err == nil && len(list.In) == 0 && list.Allows("root") {
			t.Error("somebody is let in by an empty list")
		}
	})
}
