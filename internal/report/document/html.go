package document

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/report/page"
)

// A Page is the HTML frame of a document.
type Page struct {
	Title  string
	Kicker string   // above the title
	About  []string // where and when, below it
	Data   any      // of the charts; nil for none
}

// A Chart is the place of a chart on a page: the answer that it gives, and a picture of it for readers without JavaScript. Text
// and Markdown have the answer alone, where it is Spoken: else a Table has it.
type Chart struct {
	Of      string // which part of Page.Data it draws: "case", "changes", "published"
	Number  int    // which one of these
	Title   string
	Name    string // what it shows, for who can't see it
	Answer  []string
	Spoken  bool
	Picture func() []byte // SVG; nil for none
}

func (c Chart) plain() Block {
	c.Of, c.Title, c.Name, c.Answer = plain.Line(c.Of), plain.Line(c.Title), plain.Line(c.Name), each(c.Answer, plain.Line)
	return c
}

// WriteHTML writes a document as a page that reads well without JavaScript, which adds charts and interactive tables.
func WriteHTML(w io.Writer, d Document, p Page) error {
	out := &htmlWriter{}
	p.Title = cmp.Or(plain.Line(p.Title), "Report")
	if i := afterAnswer(d); i < len(d) {
		if first, ok := d[i].(Notes); ok && first.Title != "" && strings.HasPrefix(first.Title, p.Title) {
			d, p.About = slices.Delete(slices.Clone(d), i, i+1), append(slices.Clone(first.Lines), p.About...)
		}
	}
	out.header(p)
	out.WriteString("<main id=\"main\">\n")
	for _, block := range d {
		if heading, is := block.(Heading); is && strings.HasSuffix(plain.Line(string(heading)), p.Title) {
			continue // the title says it
		}
		out.block(block.plain())
	}
	out.WriteString("</main>\n")
	return page.Write(w, page.Page{Title: p.Title, Body: out.String(), Data: p.Data})
}

// afterAnswer returns where a document continues after its initial answers.
func afterAnswer(d Document) int {
	for i, block := range d {
		if _, is := block.(Answer); !is {
			return i
		}
	}
	return len(d)
}

type htmlWriter struct {
	strings.Builder

	tables int
	headed bool   // by a Heading, below which the titles of blocks are a level lower
	titled string // the title of the Chart directly above
}

// title writes the title of a block. Levels of headings are not skipped, as people who can't see the page jump by them.
func (h *htmlWriter) title(id, text string) {
	tag := "h2"
	if h.headed {
		tag = "h3"
	}
	attributes := ` class="part"`
	if id != "" {
		attributes += ` id="` + id + `"`
	}
	h.WriteString("<" + tag + attributes + ">" + marked(text) + "</" + tag + ">\n")
}

// add writes an element with escaped text in it.
func (h *htmlWriter) add(tag, class, text string) {
	open := tag
	if class != "" {
		open += ` class="` + class + `"`
	}
	h.WriteString("<" + open + ">" + marked(text) + "</" + tag + ">\n")
}

const (
	units   = `(?: (?:[nµm]?s|[kMG]?B|(?:[kMG]?B|calls|ops|messages)/s)\b|×|%|/s\b)`
	letters = `[\x{590}-\x{8ff}\x{fb1d}-\x{fdff}\x{fe70}-\x{fefc}]` // of Hebrew, Arabic and their neighbors
)

var (
	// figures are numbers with their units and spreads, which a line does not break.
	figures = regexp.MustCompile(`[+−-]?\d[\d,.]*(?:–\d[\d,.]*)?` + units + `?\)?`)
	// backwards are words of scripts that are written from right to left. Figures next to them would change their places.
	backwards = regexp.MustCompile(letters + `+(?: ` + letters + `+)*`)
)

// marked escapes a text, in which figures stay on a line and words from right to left stay where they are.
func marked(text string) string {
	text = backwards.ReplaceAllString(html.EscapeString(text), "<bdi>$0</bdi>")
	return figures.ReplaceAllStringFunc(text, func(figure string) string {
		if !strings.ContainsAny(figure, " –") {
			return figure
		}
		return `<span class="figure">` + figure + "</span>"
	})
}

func (h *htmlWriter) header(p Page) {
	h.WriteString("<a class=\"skip\" href=\"#main\">Skip to the results</a>\n<header>\n")
	h.add("p", "kicker", plain.Line(p.Kicker))
	h.add("h1", "", plain.Line(p.Title))
	for _, line := range p.About {
		h.add("p", "about", plain.Line(line))
	}
	h.WriteString("</header>\n")
}

func (h *htmlWriter) block(block Block) {
	above := h.titled
	h.titled = ""
	switch b := block.(type) {
	case Heading:
		h.headed = true
		h.add("h2", "", string(b))
	case Answer:
		for i, line := range b {
			class := "answer"
			if i > 0 {
				class = "rest"
			}
			h.add("p", class, line)
		}
	case Notes:
		h.notes(b)
	case *Table:
		h.table(b, above)
	case Facts:
		h.facts(b)
	case Bars:
		h.bars(b)
	case Marks:
		h.marks(b)
	case Chart:
		h.chart(b)
	}
}

func (h *htmlWriter) notes(n Notes) {
	class := "notes"
	if n.Quiet {
		class += " quiet"
	}
	h.WriteString(`<section class="` + class + "\">\n")
	if n.Title != "" {
		h.title("", n.Title)
	}
	h.list(n.Lines)
	h.WriteString("</section>\n")
}

func (h *htmlWriter) list(lines []string) {
	if len(lines) == 0 {
		return
	}
	h.WriteString("<ul>\n")
	for _, line := range lines {
		h.add("li", "", line)
	}
	h.WriteString("</ul>\n")
}

func (h *htmlWriter) facts(facts Facts) {
	h.WriteString("<dl>\n")
	for _, fact := range facts {
		h.add("dt", "", fact.Name)
		for i, line := range fact.Lines {
			class := ""
			if i == 0 {
				class = toneClasses[fact.Tone]
			}
			h.add("dd", class, line)
		}
	}
	h.WriteString("</dl>\n")
}

var toneClasses = map[Tone]string{Warning: "warning", Alarm: "alarm"}

// table writes a table that scrolls by itself where the page is too narrow for it. Of its caption it does not repeat what is the
// title of the chart above.
func (h *htmlWriter) table(t *Table, above string) {
	h.tables++
	id := "t" + strconv.Itoa(h.tables)
	h.WriteString("<section class=\"table\">\n")
	label := `aria-label="table"`
	rest, repeats := strings.CutPrefix(t.Caption, above)
	switch {
	case t.Caption == "":
	case above != "" && repeats && (strings.HasPrefix(rest, ", ") || strings.HasPrefix(rest, " · ")):
		h.add("p", "detail", strings.TrimLeft(rest, ",· "))
		label = `aria-label="` + html.EscapeString(t.Caption) + `"`
	default:
		h.title(id, t.Caption)
		label = `aria-labelledby="` + id + `"`
	}
	if t.Detail != "" {
		h.add("p", "detail", t.Detail)
	}
	h.WriteString(`<div class="scroll" role="region" tabindex="0" ` + label + "><table " + label + ">\n<thead>\n")
	columns := answerFirst(t.Columns)
	spreads := spreadWidths(columns)
	h.heads(columns, spreads)
	h.WriteString("</thead>\n<tbody>\n")
	for row := range t.Height() {
		h.row(columns, t.Lines, row, spreads)
	}
	h.WriteString("</tbody>\n</table></div>\n")
	h.list(t.Notes)
	h.WriteString("</section>\n")
}

// answerFirst returns columns with the First ones next to the headline, which are in sight where a table is wider than its page.
func answerFirst(columns []Column) []Column {
	at := slices.IndexFunc(columns, func(c Column) bool { return c.Headline })
	if at < 0 {
		return columns
	}
	at += groupLength(columns[at:]) // a group stays together
	var before, first, after []Column
	for i, c := range columns {
		switch {
		case c.First:
			first = append(first, c)
		case i < at:
			before = append(before, c)
		default:
			after = append(after, c)
		}
	}
	return slices.Concat(before, first, after)
}

func (h *htmlWriter) heads(columns []Column, spreads []int) {
	if slices.ContainsFunc(columns, func(c Column) bool { return c.Group != "" }) {
		h.WriteString(`<tr class="groups">`)
		for _, unit := range grouped(columns) {
			if unit[0].Group == "" {
				fmt.Fprintf(h, `<td colspan="%d"></td>`, len(unit))
				continue
			}
			fmt.Fprintf(h, `<th colspan="%d" scope="colgroup"><span>%s</span></th>`, len(unit), html.EscapeString(unit[0].Group))
		}
		h.WriteString("</tr>\n")
	}
	h.WriteString("<tr>")
	for i, c := range columns {
		class := ""
		if c.Right {
			class = ` class="right"`
		}
		if c.Head == "" {
			h.WriteString("<td></td>")
			continue
		}
		h.WriteString(`<th scope="col"` + class + ">" + html.EscapeString(c.Head))
		h.spread("", spreads[i])
		h.WriteString("</th>")
	}
	h.WriteString("</tr>\n")
}

// spreadWidths returns how many characters wide the spreads of each column are, 0 where it has none, in steps of the style
// sheet's classes: with their spreads, which are as wide in all cells, the figures of a column are aligned.
func spreadWidths(columns []Column) []int {
	const step, most = 2, 32
	widths := make([]int, len(columns))
	for i, c := range columns {
		if spread := c.width().spread; spread > 0 {
			widths[i] = min((spread+step-2)/step*step, most) // width counts the gap before a spread
		}
	}
	return widths
}

// longCell is the number of characters above which a cell has several lines.
const longCell = 40

func (h *htmlWriter) row(columns []Column, lines []Line, row int, spreads []int) {
	var classes []string
	if row < len(lines) {
		if lines[row].Quiet {
			classes = append(classes, "quiet")
		}
		if lines[row].Apart {
			classes = append(classes, "apart")
		}
	}
	h.WriteString(opened("tr", classes))
	for i, c := range columns {
		cell := c.Cells[row]
		classes = nil
		if c.Right {
			classes = append(classes, "right")
		}
		if tone := toneClasses[cell.Tone]; tone != "" {
			classes = append(classes, tone)
		}
		if utf8.RuneCountInString(cell.Text) > longCell {
			classes = append(classes, "long")
		}
		tag := "td"
		if i == 0 {
			tag = "th"
			h.WriteString(strings.Replace(opened(tag, classes), "<th", `<th scope="row"`, 1))
		} else {
			h.WriteString(opened(tag, classes))
		}
		h.WriteString(marked(strings.Join(append([]string{cell.Text}, cell.More...), " ")))
		h.spread(cell.Spread, spreads[i])
		h.WriteString("</" + tag + ">")
	}
	h.WriteString("</tr>\n")
}

// spread writes what is next to a figure, as wide as in all cells of its column.
func (h *htmlWriter) spread(text string, width int) {
	if width > 0 {
		fmt.Fprintf(h, ` <span class="spread w%d">%s</span>`, width, html.EscapeString(text))
	}
}

func opened(tag string, classes []string) string {
	if len(classes) == 0 {
		return "<" + tag + ">"
	}
	return "<" + tag + ` class="` + strings.Join(classes, " ") + `">`
}

// bars writes each bar next to its name and figures, as a table.
func (h *htmlWriter) bars(b Bars) {
	longest := 0.0
	for _, bar := range b.Bars {
		longest = max(longest, bar.Length)
	}
	h.WriteString("<section class=\"table\">\n")
	h.title("", b.Caption)
	h.WriteString("<table class=\"bars\"><tbody>\n")
	for _, bar := range b.Bars {
		h.WriteString(`<tr><th scope="row" class="right">` + html.EscapeString(bar.Name) + "</th>")
		for _, figure := range bar.Figures {
			h.WriteString(`<td class="right">` + html.EscapeString(figure) + "</td>")
		}
		width := 0.0
		if longest > 0 {
			width = max(100*bar.Length/longest, 0)
		}
		fmt.Fprintf(h, `<td class="length"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">`+
			`<rect width="%.2f" height="10"/></svg></td></tr>`+"\n", width)
	}
	h.WriteString("</tbody></table>\n</section>\n")
}

// marks draws values in a row as bars side by side.
func (h *htmlWriter) marks(m Marks) {
	highest := 0.0
	for _, v := range m.Values {
		highest = max(highest, v)
	}
	h.WriteString("<section class=\"marks\">\n")
	h.title("", m.Caption)
	class := ""
	if tone := toneClasses[m.Tone]; tone != "" {
		class = ` class="` + tone + `"`
	}
	fmt.Fprintf(h, `<svg%s viewBox="0 0 %.4g 40" preserveAspectRatio="none" aria-hidden="true">`, class,
		max(m.Span, float64(len(m.Values)), 1))
	for i, v := range m.Values {
		height := 0.0
		if highest > 0 {
			height = max(40*v/highest, 0)
		}
		fmt.Fprintf(h, `<rect x="%.2f" y="%.2f" width="0.8" height="%.2f"/>`, float64(i)+0.1, 40-height, height)
	}
	h.WriteString("</svg>\n")
	h.add("p", "detail", m.Note)
	h.WriteString("</section>\n")
}

// chart leaves room for the chart that the script draws, with a static picture for readers without scripts.
func (h *htmlWriter) chart(c Chart) {
	fmt.Fprintf(h, `<section class="chart" data-of="%s" data-number="%d">`+"\n", html.EscapeString(c.Of), c.Number)
	if c.Title != "" {
		h.titled = c.Title
		h.title("", c.Title)
	}
	for _, line := range c.Answer {
		h.add("p", "answer", line)
	}
	if c.Picture != nil {
		if picture := c.Picture(); picture != nil {
			h.WriteString(`<noscript><img alt="` + html.EscapeString(c.Name) + `" src="data:image/svg+xml;base64,` +
				base64.StdEncoding.EncodeToString(picture) + "\"></noscript>\n")
		}
	}
	h.WriteString("</section>\n")
}
