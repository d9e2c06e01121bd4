package document

import (
	"fmt"
	"io"
	"iter"
	"strings"
)

// Formats of a Source.
const (
	Text     = "text"
	Markdown = "markdown"
	CSV      = "csv"
	JSON     = "json"
	HTML     = "html"
)

// Formats lists those of a Source.
func Formats() []string { return []string{Text, Markdown, CSV, JSON, HTML} }

// A MisfitError says that results have nothing that a format shows.
type MisfitError struct{ why string }

// Misfit makes a MisfitError of a sentence.
func Misfit(format string, args ...any) error { return &MisfitError{fmt.Sprintf(format, args...)} }

func (e *MisfitError) Error() string { return e.why }

// A Source makes each part of the output on demand.
type Source struct {
	Of       string           // what it is, for an error
	Document func() Document  // for people
	Records  iter.Seq[Object] // for tables of others
	Blank    Object           // a record that names the fields where there may be none; nil where there always is one
	JSON     func() any
	Page     func() Page // around the document as HTML; nil for one that only says what it is
	Checks   Checks      // what it was held against; text is without them, because the verbs say them at its end
}

// Write prints a source in one of the Formats, or as JUnit. Style is of text.
func Write(w io.Writer, format string, s Source, style Style) error {
	switch format {
	case Text:
		return WriteText(w, s.Document(), style)
	case Markdown:
		return WriteMarkdown(w, s.Checks.in(s.Document()))
	case CSV:
		return WriteCSV(w, s.Blank, s.Records)
	case JSON:
		return WriteJSON(w, s.JSON())
	case HTML:
		return WriteHTML(w, s.Checks.in(s.Document()), s.page())
	case JUnit:
		return s.Checks.writeJUnit(w)
	default:
		return fmt.Errorf("--format %s does not support %s; supported formats are %s", format, s.Of, strings.Join(Formats(), ", "))
	}
}

func (s Source) page() Page {
	if s.Page == nil {
		return Page{Kicker: "rpcbench", Title: s.Of}
	}
	return s.Page()
}
