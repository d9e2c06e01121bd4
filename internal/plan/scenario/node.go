package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/yamlbound"
)

// Values as they are written; the rest of the package knows nothing of the YAML library.
type (
	node  = point.Node
	field = point.Field
)

// A reader turns YAML into nodes. Its function returns the place of a token.
type reader func(*token.Token) string

func readFile(filename string, data []byte) (node, error) {
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 { // UTF-16 has zeros
		return node{}, Errorf(filename, "the file is not UTF-8")
	}
	if line, err := yamlbound.Check(data); err != nil {
		return node{}, Errorf(fmt.Sprintf("%s:%d", filename, line), "%v", err)
	}
	return reader(func(t *token.Token) string {
		if t == nil || t.Position == nil {
			return filename
		}
		return fmt.Sprintf("%s:%d:%d", filename, t.Position.Line, t.Position.Column)
	}).read(yamlbound.TrimMark(data))
}

// readFlag reads a value from the command line, where every error is the flag's.
func readFlag(flag, value string) (node, error) {
	if _, err := yamlbound.Check([]byte(value)); err != nil {
		return node{}, Errorf(flag, "%v", err)
	}
	return reader(func(*token.Token) string { return flag }).read([]byte(value))
}

func (r reader) read(data []byte) (node, error) {
	file, err := parser.ParseBytes(data, 0)
	if syntax, ok := errors.AsType[*yaml.SyntaxError](err); ok {
		message := strings.ReplaceAll(syntax.Message, "\t", `\t`)
		return node{}, Errorf(r(syntax.Token), "not YAML: %s", oneLine(message))
	}
	if err != nil {
		return node{}, Errorf(r(nil), "not YAML: %s", oneLine(err.Error()))
	}
	var body []ast.Node
	for _, document := range file.Docs {
		if document.Body != nil {
			body = append(body, document.Body)
		}
	}
	switch len(body) {
	case 0:
		return node{At: r(nil), Form: point.Null}, nil
	case 1:
		return r.node(body[0])
	default:
		return node{}, Errorf(r(body[1].GetToken()), "a second YAML document starts here; a file has one scenario")
	}
}

func (r reader) node(n ast.Node) (node, error) {
	at := r(n.GetToken())
	switch n := n.(type) {
	case *ast.NullNode:
		return node{At: at, Form: point.Null}, nil
	case *ast.StringNode:
		return node{At: at, Text: n.Value}, nil
	case *ast.LiteralNode:
		return node{At: at, Text: n.Value.Value}, nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return node{At: at, Text: n.GetToken().Value}, nil
	case *ast.SequenceNode:
		return r.list(at, n.Values)
	case *ast.MappingNode:
		return r.mapping(at, n.Values)
	case *ast.MappingValueNode:
		return r.mapping(at, []*ast.MappingValueNode{n})
	default:
		return node{}, Errorf(at, "anchors, aliases, merge keys and tags are not supported; write the value out")
	}
}

func (r reader) list(at string, values []ast.Node) (node, error) {
	n := node{At: at, Form: point.List}
	for _, value := range values {
		item, err := r.node(value)
		if err != nil {
			return node{}, err
		}
		n.List = append(n.List, item)
	}
	return n, nil
}

func (r reader) mapping(at string, values []*ast.MappingValueNode) (node, error) {
	n := node{At: at, Form: point.Map}
	for _, value := range values {
		name, err := r.node(value.Key)
		if err != nil {
			return node{}, err
		}
		if name.Form != point.Scalar {
			return node{}, Errorf(name.At, "a key must be a word")
		}
		content, err := r.node(value.Value)
		if err != nil {
			return node{}, err
		}
		n.Fields = append(n.Fields, field{At: name.At, Name: name.Text, Value: content})
	}
	if len(n.Fields) > 0 {
		n.At = n.Fields[0].At
	}
	return n, nil
}

// oneLine joins the lines and the runs of white space of a text by single spaces.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
