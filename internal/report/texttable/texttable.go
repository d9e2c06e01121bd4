// Package texttable sets tables for people to read: columns apart by spaces, no borders.
package texttable

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// New returns a table without rows, whose columns will stand gap apart.
func New(gap string, heads ...any) table.Writer {
	style := table.StyleDefault
	style.Options = table.OptionsNoBordersAndSeparators
	style.Format = table.FormatOptions{Header: text.FormatDefault, HeaderVAlign: text.VAlignTop}
	style.Box.PaddingLeft, style.Box.PaddingRight = "", gap
	t := table.NewWriter()
	t.SetStyle(style)
	t.AppendHeader(heads)
	return t
}

// AlignRight sets columns and their heads flush right, as numbers are. The first column is 1.
func AlignRight(t table.Writer, columns ...int) {
	var configs []table.ColumnConfig
	for _, n := range columns {
		configs = append(configs, table.ColumnConfig{Number: n, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	t.SetColumnConfigs(configs)
}

// Render returns the table's lines without spaces at their ends, and no line break after the last.
func Render(t table.Writer) string {
	lines := strings.Split(t.Render(), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}
