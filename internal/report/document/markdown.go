package document

import (
	"io"
	"regexp"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// WriteMarkdown prints a document as GitHub's Markdown, tables with all columns: a page scrolls.
func WriteMarkdown(w io.Writer, d Document) error {
	var blocks []string
	for _, block := range d {
		switch b := block.plain().(type) {
		case Heading:
			blocks = append(blocks, "### "+escaped(string(b))+"\n")
		case Answer:
			blocks = append(blocks, strings.Join(each(b, escaped), "<br>\n")+"\n")
		case Chart:
			if b.Spoken && len(b.Answer) > 0 {
				blocks = append(blocks, escaped(answered(b.Answer))+"\n")
			}
		case Notes:
			if b.Title != "" {
				blocks = append(blocks, "**"+escaped(b.Title)+"**\n")
			}
			blocks = append(blocks, listed(b.Lines))
		case *Table:
			blocks = append(blocks, b.markdown()...)
		case Facts:
			blocks = append(blocks, b.markdown())
		case Bars:
			blocks = append(blocks, b.table().markdown()...)
		case Marks:
			blocks = append(blocks, b.markdown())
		}
	}
	_, err := io.WriteString(w, strings.Join(blocks, "\n"))
	return err
}

func (t *Table) markdown() []string {
	var blocks []string
	if t.Caption != "" {
		caption := "**" + escaped(t.Caption) + "**"
		if t.Detail != "" {
			caption += "<br>\n" + escaped(t.Detail)
		}
		blocks = append(blocks, caption+"\n")
	}
	if len(t.Answer) > 0 {
		blocks = append(blocks, escaped(answered(t.Answer))+"\n")
	}
	blocks = append(blocks, t.markdownLines()+"\n")
	if len(t.Notes) > 0 {
		blocks = append(blocks, listed(t.Notes))
	}
	return blocks
}

func listed(lines []string) string {
	var list strings.Builder
	for _, line := range lines {
		list.WriteString("- " + escaped(line) + "\n")
	}
	return list.String()
}

// markdownLines returns the lines of the table. go-pretty escapes the bars.
func (t *Table) markdownLines() string {
	writer := table.NewWriter()
	var heads table.Row
	var configs []table.ColumnConfig
	body := make([]table.Row, t.Height())
	for i, c := range t.Columns {
		heads = append(heads, inCell(strings.TrimSpace(c.Group+" "+c.Head)))
		config := table.ColumnConfig{Number: i + 1, Align: text.AlignLeft}
		if c.Right {
			config.Align = text.AlignRight
		}
		configs = append(configs, config)
		for row, cell := range c.Cells {
			value := inCell(strings.Join(append([]string{cell.Text}, cell.More...), " "))
			if cell.Spread != "" {
				value += " (" + inCell(cell.Spread) + ")"
			}
			body[row] = append(body[row], value)
		}
	}
	writer.AppendHeader(heads)
	writer.AppendRows(body)
	writer.SetColumnConfigs(configs)
	return writer.RenderMarkdown()
}

// escaped escapes everything that Markdown, HTML or GitHub interpret, also at the beginning of a line.
func escaped(s string) string {
	if s != "" && strings.ContainsRune("#+-=", rune(s[0])) {
		return `\` + inCell(s)
	}
	return inCell(s)
}

// inCell does so within a line. A name behind @ would be told that it was mentioned, so an empty character parts them.
func inCell(s string) string {
	return mention.ReplaceAllString(signs.Replace(s), "$1&#8203;$2")
}

var (
	signs = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "&", "&amp;", "<", "&lt;", ">", "&gt;",
		"[", `\[`, "$", `\$`, "://", `\://`, "www.", `www\.`)
	mention = regexp.MustCompile(`([@#])([0-9A-Za-z])`)
)
