package document

import "strings"

// Facts are named figures with a sentence or two each. They describe one thing, where a table compares several.
type Facts []Fact

// A Fact is the text under a name. Each of its lines is a paragraph.
type Fact struct {
	Name  string
	Lines []string
	Tone  Tone // of the first line
}

func (f Facts) plain() Block {
	return Facts(each(f, func(fact Fact) Fact {
		fact.Name, fact.Lines = short(fact.Name), each(fact.Lines, plainLine)
		return fact
	}))
}

// facts prints the names in a column, with their texts to the right.
func (t *textWriter) facts(facts Facts) {
	width := 0
	for _, fact := range facts {
		width = max(width, runes(fact.Name)+len(groupGap))
	}
	for _, fact := range facts {
		name := t.painted(fact.Name, bold) + strings.Repeat(" ", width-runes(fact.Name))
		color := tones[fact.Tone]
		for _, line := range fact.Lines {
			for i, part := range t.broken(line, width+len(groupGap)) {
				if i > 0 {
					part = groupGap + part
				}
				t.WriteString(name + t.painted(part, color) + "\n")
				name = strings.Repeat(" ", width)
			}
			color = ""
		}
	}
}

func (f Facts) markdown() string {
	var out strings.Builder
	for _, fact := range f {
		out.WriteString("- **" + escaped(fact.Name) + "**: " + strings.Join(each(fact.Lines, inCell), "<br>\n  ") + "\n")
	}
	return out.String()
}
