package scenario

import (
	"regexp"
	"slices"
	"strings"

	"rpcbench/internal/plan/point"
)

// retitle makes a title of the case's own keys where the command line gave it others than the title was written for: another
// kind, or other values of a key of which the title has some.
func (c *Case) retitle(l layers) {
	if len(l.set) == 0 || !c.strange(l) {
		return
	}
	var words []string
	for _, k := range point.Keys() {
		if _, own := l.own[k.Name]; !own || len(k.Columns) == 0 || k.Paired {
			continue
		}
		if texts := c.texts(k); len(texts) > 0 {
			words = append(words, strings.ReplaceAll(k.Name, "_", " ")+" "+strings.Join(texts, ", "))
		}
	}
	c.Title = strings.TrimSuffix(c.Kind+": "+strings.Join(words, "; "), ": ")
}

// strange reports whether the title was written for other keys.
func (c *Case) strange(l layers) bool {
	plain := layers{set: layer{}, own: l.own, defaults: l.defaults}
	if g, ok := plain.given(point.KindKey); ok {
		if kinds, err := point.ReadKinds(g.value); err == nil && !slices.Contains(kinds, c.Kind) {
			return true
		}
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
		isNew := func(text string) bool { return !slices.Contains(had, text) }
		if mentions(c.Title, had, strings.HasSuffix(name, "_bytes")) && slices.ContainsFunc(textsOf(k, c.Each(name)), isNew) {
			return true
		}
	}
	return false
}

// amounts are the numbers of a title, with the unit of sizes.
var amounts = regexp.MustCompile(`([0-9][0-9,]*)(?: ?([kMG]?B)\b)?`)

// mentions reports whether a title has one of the values: a size, or a number without a unit that is part of it.
func mentions(title string, texts []string, sizes bool) bool {
	var numbers []string
	for _, text := range texts {
		for _, match := range amounts.FindAllStringSubmatch(text, -1) {
			numbers = append(numbers, match[1])
		}
	}
	zeros := map[string]string{"kB": "000", "MB": "000000", "GB": "000000000"}
	for _, match := range amounts.FindAllStringSubmatch(title, -1) {
		number, unit := strings.ReplaceAll(strings.TrimSuffix(match[1], ","), ",", ""), match[2]
		if sizes == (unit != "") && slices.Contains(numbers, number+zeros[unit]) {
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
		text := inline(k.Write(p))
		if text == "" && len(k.Columns) == 1 {
			text = k.Columns[0].Text(p.Spec) // one server, for example, goes without saying
		}
		if text != "" && !slices.Contains(texts, text) {
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
