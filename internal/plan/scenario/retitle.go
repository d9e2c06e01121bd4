package scenario

import (
	"regexp"
	"slices"
	"strings"

	"rpcbench/internal/plan/point"
)

// retitle makes a title of the case's own keys where the command line gave it others than the title was written for: another
// kind, or other or fewer values of a key of which the title has some.
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
	c.written = c.Title
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
		now, sizes := textsOf(k, c.Each(name)), strings.HasSuffix(name, "_bytes")
		gone := missing(numbersOf(had), numbersOf(now))
		if len(missing(now, had)) > 0 && mentions(c.Title, numbersOf(had), sizes) || mentions(c.Title, gone, sizes) {
			return true
		}
	}
	return false
}

// missing returns the texts that are not among others.
func missing(texts, others []string) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return slices.Contains(others, text) })
}

// amounts are the numbers of a title, with the unit of sizes.
var amounts = regexp.MustCompile(`([0-9][0-9,]*)(?: ?([kMG]?B)\b)?`)

// numbersOf returns the numbers that values have: several of a shape.
func numbersOf(texts []string) (numbers []string) {
	for _, text := range texts {
		for _, match := range amounts.FindAllStringSubmatch(text, -1) {
			numbers = append(numbers, match[1])
		}
	}
	return numbers
}

// mentions reports whether a title has one of the numbers, as a size or without a unit.
func mentions(title string, numbers []string, sizes bool) bool {
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
