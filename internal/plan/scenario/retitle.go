package scenario

import (
	"slices"
	"strings"

	"rpcbench/internal/plan/point"
)

// retitle makes a title of the case's keys where the command line gave it others than the title was written for: another kind,
// or, if the title has numbers, values that the case itself had not.
func (c *Case) retitle(l layers) {
	if len(l.set) == 0 || !c.strange(l) {
		return
	}
	var words []string
	for _, k := range point.Keys() {
		_, own := l.own[k.Name]
		if _, set := l.set[k.Name]; len(k.Columns) == 0 || k.Paired || !own && !set {
			continue
		}
		if texts := c.texts(k); len(texts) > 0 {
			words = append(words, strings.ReplaceAll(k.Name, "_", " ")+" "+strings.Join(texts, ", "))
		}
	}
	c.Title = strings.TrimSuffix(c.Kind+": "+strings.Join(words, "; "), ": ")
}

// strange tells whether the title was written for other keys.
func (c *Case) strange(l layers) bool {
	plain := layers{set: layer{}, own: l.own, defaults: l.defaults}
	if g, ok := plain.given(point.KindKey); ok {
		if kinds, err := point.ReadKinds(g.value); err == nil && !slices.Contains(kinds, c.Kind) {
			return true
		}
	}
	if !strings.ContainsAny(c.Title, "0123456789") {
		return false
	}
	for name := range l.set {
		own, has := l.own[name]
		k, known := point.Named(name)
		if !has || !known || len(k.Columns) == 0 {
			continue
		}
		before, err := k.Read(own.value)
		if err != nil {
			return true
		}
		had := textsOf(k, values{k, before}.cross([]point.Asked{{Spec: point.Spec{Kind: c.Kind}}}))
		if slices.ContainsFunc(textsOf(k, c.Each(name)), func(text string) bool { return !slices.Contains(had, text) }) {
			return true
		}
	}
	return false
}

// texts are the values that the case's points have of a key, each once.
func (c *Case) texts(k *point.Key) []string {
	if !c.enumerable() {
		return textsOf(k, c.Each(k.Name))
	}
	return textsOf(k, c.points())
}

func textsOf(k *point.Key, points []point.Asked) []string {
	var texts []string
	for _, p := range points {
		if text := inline(k.Write(p)); text != "" && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}

// inline is a value as YAML has it in one line.
func inline(n node) string {
	switch n.Form {
	case point.Null:
		return ""
	case point.List:
		var items []string
		for _, item := range n.List {
			items = append(items, inline(item))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case point.Map:
		var fields []string
		for _, f := range n.Fields {
			fields = append(fields, f.Name+": "+inline(f.Value))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	default:
		return n.Text
	}
}
