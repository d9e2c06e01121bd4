// Package canarytest puts text that could control a terminal, a spreadsheet or a page into every string of a type, so that a
// test can look for it in what is printed. Added fields are covered automatically.
package canarytest

import (
	"encoding/csv"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/call/plain"
)

// Text is what is put in: escape sequences of C0 and C1, what turns the direction of writing, a mention, and a bar.
const Text = "@canary\x1b]0;a\x07\u009b31m\u202eb\u2066|"

// Formula is what a spreadsheet would compute.
const Formula = "=1+canary"

// Each calls use with a copy of an example for each of its strings, in which that string is the text. Pointers, lists and maps
// on the way that are empty get an element.
func Each[T any](t *testing.T, example *T, text string, use func(t *testing.T, changed *T)) {
	t.Helper()
	written, err := json.Marshal(example)
	if err != nil {
		t.Fatal(err)
	}
	paths := leaves(reflect.TypeFor[T](), nil)
	if len(paths) == 0 {
		t.Fatalf("%T has no strings", example)
	}
	for _, path := range paths {
		changed := new(T)
		if err := json.Unmarshal(written, changed); err != nil {
			t.Fatal(err)
		}
		set(reflect.ValueOf(changed).Elem(), path, text)
		t.Run(name(path), func(t *testing.T) { use(t, changed) })
	}
}

// NotHidden fails a test whose output has something raw that nobody sees.
func NotHidden(t *testing.T, what, output string) {
	t.Helper()
	if i := strings.IndexFunc(output, func(r rune) bool { return r != '\n' && r != '\t' && plain.Hidden(r) }); i >= 0 {
		t.Errorf("%s has %q", what, output[max(i-40, 0):min(i+20, len(output))])
	}
}

// NoFormula fails a test whose CSV has the Formula in a cell.
func NoFormula(t *testing.T, output string) {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(output)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, cell := range slices.Concat(records...) {
		if strings.HasPrefix(cell, Formula) {
			t.Errorf("a cell is %q", cell)
		}
	}
}

// A step leads to a field, to the first element of a list, or to the key or the value of a map.
type step struct {
	field int
	name  string
	key   bool
}

// leaves are the ways to all strings of a type. A type within itself is followed once.
func leaves(of reflect.Type, within []reflect.Type) [][]step {
	if slices.Contains(within, of) {
		return nil
	}
	within = append(slices.Clip(within), of)
	var all [][]step
	add := func(s step, of reflect.Type) {
		for _, rest := range leaves(of, within) {
			all = append(all, append([]step{s}, rest...))
		}
	}
	switch of.Kind() {
	case reflect.String:
		return [][]step{nil}
	case reflect.Pointer:
		return leaves(of.Elem(), within)
	case reflect.Slice, reflect.Array:
		add(step{name: "0"}, of.Elem())
	case reflect.Map:
		add(step{name: "key", key: true}, of.Key())
		add(step{name: "value"}, of.Elem())
	case reflect.Struct:
		for field := range of.Fields() {
			if field.IsExported() {
				add(step{field: field.Index[0], name: field.Name}, field.Type)
			}
		}
	default: // it holds no text
	}
	return all
}

func set(v reflect.Value, path []step, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		set(v.Elem(), path, text)
	case reflect.Slice:
		if v.Len() == 0 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
		set(v.Index(0), path[1:], text)
	case reflect.Map:
		setEntry(v, path, text)
	default:
		set(v.Field(path[0].field), path[1:], text)
	}
}

func setEntry(v reflect.Value, path []step, text string) {
	if v.IsNil() {
		v.Set(reflect.MakeMap(v.Type()))
	}
	key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
	for _, one := range v.MapKeys() {
		key.Set(one)
		value.Set(v.MapIndex(one))
	}
	if path[0].key {
		set(key, path[1:], text)
	} else {
		set(value, path[1:], text)
	}
	v.SetMapIndex(key, value)
}

func name(path []step) string {
	names := make([]string, len(path))
	for i, s := range path {
		names[i] = s.name
	}
	return strings.Join(names, ".")
}

// Markup is what a page would run, or take for a part of itself, beside the Text.
const Markup = `"'></script><script>hacked=1</script><i class=canary onclick=hacked=1>&lt;` + Text

// Most returns a copy of an example in which as many of its strings as possible are the text: those with which it is still
// accepted.
func Most[T any](t *testing.T, example *T, text string, accepted func(*T) bool) *T {
	t.Helper()
	written, err := json.Marshal(example)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range leaves(reflect.TypeFor[T](), nil) {
		changed := new(T)
		if err := json.Unmarshal(written, changed); err != nil {
			t.Fatal(err)
		}
		set(reflect.ValueOf(changed).Elem(), path, text)
		next, err := json.Marshal(changed)
		if err != nil {
			t.Fatal(err)
		}
		if read := new(T); json.Unmarshal(next, read) == nil && accepted(read) {
			written = next
		}
	}
	most := new(T)
	if err := json.Unmarshal(written, most); err != nil {
		t.Fatal(err)
	}
	return most
}
