package report

import (
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"rpcbench/internal/results/analysis"
)

// writeMarkdown prints the tables of the text format as GitHub's, with all columns: a page scrolls.
func writeMarkdown(w io.Writer, r *analysis.Report, options Options) error {
	out, ref := &printer{w: w}, options.Reference
	scenario := ""
	for _, t := range r.Tables {
		if t.Scenario != scenario {
			scenario = t.Scenario
			out.printf("### %s\n\n", escaped(heading(r, scenario)))
		}
		for _, v := range newViews(t, options) {
			writeMarkdownView(out, v)
		}
	}
	if ref != nil {
		out.printf("### %s\n\n", escaped(publishedHeading(ref)))
		for _, v := range publishedViews(r, ref) {
			writeMarkdownView(out, v)
		}
		for _, note := range publishedNotes(r, ref) {
			out.printf("- %s\n", escaped(note))
		}
		out.printf("\n")
	}
	for _, line := range footer(r) {
		out.printf("- %s\n", escaped(line))
	}
	if mistakes := Mistakes(r); len(mistakes) > 0 {
		out.printf("\n**%s**\n\n", caveats)
		for _, m := range mistakes {
			out.printf("- %s\n", escaped(m.Text))
		}
	}
	return out.err
}

func writeMarkdownView(out *printer, v *view) {
	out.printf("**%s**", escaped(v.caption))
	if v.detail != "" {
		out.printf("<br>\n%s", escaped(v.detail))
	}
	out.printf("\n\n%s\n\n", markdownTable(v))
	for _, note := range v.notes {
		out.printf("- %s\n", escaped(note))
	}
	if len(v.notes) > 0 {
		out.printf("\n")
	}
}

func markdownTable(v *view) string {
	writer := table.NewWriter()
	var heads table.Row
	var configs []table.ColumnConfig
	body := make([]table.Row, v.height())
	for i, c := range v.columns {
		heads = append(heads, strings.TrimSpace(c.group+" "+c.head))
		config := table.ColumnConfig{Number: i + 1, Align: text.AlignLeft}
		if c.right {
			config.Align = text.AlignRight
		}
		configs = append(configs, config)
		for row, cell := range c.cells {
			value := escaped(cell.value)
			if cell.spread != "" {
				value += " (" + cell.spread + ")"
			}
			body[row] = append(body[row], value)
		}
	}
	writer.AppendHeader(heads)
	writer.AppendRows(body)
	writer.SetColumnConfigs(configs)
	return writer.RenderMarkdown()
}

// escaped makes one line of a text and takes the meaning from signs that Markdown and HTML know. go-pretty escapes the
// bars in a table.
func escaped(s string) string {
	return strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "<", "&lt;", ">", "&gt;", "[", `\[`).
		Replace(clean(s))
}
