package point

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Node is a value as it was written, with its place: in YAML, on the command line, or by a point that writes its values.
type Node struct {
	At     string // "my.yaml:3:5" or "--set KEY=VALUE"; "" of a point
	Form   Form
	Text   string // of a scalar, without quotes
	List   []Node
	Fields []Field // of a map, in the order in which they were written
}

// A Form is the type of a Node.
type Form int

// Forms.
const (
	Scalar Form = iota
	Null
	List
	Map
)

func (f Form) String() string {
	return [...]string{"a value", "nothing", "a list", "a map"}[f]
}

// A Field is one key of a map.
type Field struct {
	At    string
	Name  string
	Value Node
}

// Items returns a list's values; any other node is its own only item.
func (n Node) Items() []Node {
	if n.Form == List {
		return n.List
	}
	return []Node{n}
}

// absent returns what a point writes for a key that it does not have.
func absent() Node { return Node{Form: Null} }

// textNode is absent for the empty text.
func textNode(text string) Node {
	if text == "" {
		return absent()
	}
	return Node{Text: text}
}

// countNode is absent for 0.
func countNode[T int | int64](n T) Node {
	if n == 0 {
		return absent()
	}
	return Node{Text: strconv.FormatInt(int64(n), 10)}
}

// spanNode is absent for 0.
func spanNode(ns int64) Node {
	if ns == 0 {
		return absent()
	}
	return Node{Text: time.Duration(ns).String()}
}

// mapNode has the fields in alphabetical order.
func mapNode(texts map[string]string) Node {
	n := Node{Form: Map}
	for name, text := range texts {
		n.Fields = append(n.Fields, Field{Name: name, Value: Node{Text: text}})
	}
	slices.SortFunc(n.Fields, func(a, b Field) int { return strings.Compare(a.Name, b.Name) })
	return n
}
