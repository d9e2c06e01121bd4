package jsonbound_test

import (
	"strings"
	"testing"

	"rpcbench/internal/call/jsonbound"
)

func TestTheFirstLevelsAreBoundedMore(t *testing.T) {
	t.Parallel()
	limits := jsonbound.Limits{Depth: 9, Members: 4, Values: 99, Shallow: 2}
	for text, ok := range map[string]bool{
		`{"a":[{},{}]}`: true, `{"a":[{},{},{}]}`: false, `{"a":1,"b":2,"c":3}`: false, `{"a":[[1,2,3,4]]}`: true,
	} {
		if err := limits.Check([]byte(text)); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestObjectsHaveText(t *testing.T) {
	t.Parallel()
	limits := jsonbound.Limits{Depth: 9, Members: 1 << 20, Values: 1 << 20, ObjectBytes: 10}
	many := func(object string) []byte { return []byte("[" + strings.Repeat(object+",", 5000) + "1]") }
	if err := limits.Check(many(`{"a":1234}`)); err != nil {
		t.Error(err)
	}
	if err := limits.Check(many(`{}`)); err == nil || err.Error() != "its 5001 objects and lists have less than 10 bytes each" {
		t.Error(err)
	}
	if err := limits.Check([]byte(`[{},{},{}]`)); err != nil {
		t.Errorf("a few: %v", err)
	}
}

func TestJSONIsBounded(t *testing.T) {
	t.Parallel()
	limits := jsonbound.Limits{Depth: 3, Members: 4, Values: 10}
	for text, want := range map[string]string{
		"":                          "",
		"1":                         "",
		`[[[1]]]`:                   "",
		`[[[[1]]]]`:                 "values are nested more than 3 levels deep",
		`{"a":{"b":{"c":{}}}}`:      "values are nested more than 3 levels deep",
		`[1,2,3,4]`:                 "",
		`[1,2,3,4,5]`:               "a list or an object has more than 4 members",
		`[[],[],[],[]]`:             "",
		`[[1,2],[1,2],[1,2]]`:       "",
		`[[1,2],[1,2],[1,2],[1,2]]`: "there are more than 10 values",
		`["[[[[,,,,,,,"]`:           "",
		`["\"[[[[,,,,,,,"]`:         "",
		`["\\"[[[[`:                 "values are nested more than 3 levels deep",
		"]]]]]]]]":                  "",
		strings.Repeat("[]", 20):    "there are more than 10 values",
	} {
		got := ""
		if err := limits.Check([]byte(text)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
