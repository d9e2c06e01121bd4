// Package page writes one self-contained HTML page: a style sheet, a script and data as JSON within it, so that it opens from
// disk and asks for nothing elsewhere. Its Content-Security-Policy allows the script and the styles by their hashes and nothing
// else, so that no text on the page can become code.
//
// The folder web has the sources of the assets, which are committed as built: make web builds them, and make check compares.
package page

import (
	"crypto/sha256"
	_ "embed" // the assets
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"strings"

	"rpcbench/internal/call/plain"
)

//go:embed assets/report.js
var script string

//go:embed assets/report.css
var style string

// injected lists the hashes of the styles that the chart library adds to its pictures, one on each line.
//
//go:embed assets/styles.txt
var injected string

// A Page is the content of an HTML page.
type Page struct {
	Title string
	Body  string // HTML; whoever makes it escapes what others said
	Data  any    // for the script's charts, marshalled as JSON; nil for a page without charts

	// Served is a page of a server, which may ask this server for more and send it forms.
	Served bool
}

// Write writes a page.
func Write(w io.Writer, p Page) error {
	data, err := embedded(p.Data)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, strings.Join([]string{
		"<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
		`<meta http-equiv="Content-Security-Policy" content="` + Policy(p.Served) + "\">\n",
		`<meta name="viewport" content="width=device-width, initial-scale=1">` + "\n",
		`<meta name="color-scheme" content="light dark">` + "\n",
		"<title>" + html.EscapeString(plain.Line(p.Title)) + "</title>\n",
		"<style>" + style + "</style>\n</head>\n<body>\n", p.Body,
		`<script type="application/json" id="data">` + data + "</script>\n",
		"<script>" + script + "</script>\n</body>\n</html>\n",
	}, ""))
	return err
}

// embedded encodes JSON that can neither end its element nor hide anything: encoding/json escapes the special characters of HTML.
func embedded(data any) (string, error) {
	text, err := json.Marshal(data)
	return string(plain.Escape(text)), err
}

// Policy is the Content-Security-Policy of a page.
func Policy(served bool) string {
	styles := []string{hash(style)}
	for line := range strings.Lines(injected) {
		styles = append(styles, "'"+strings.TrimSpace(line)+"'")
	}
	if served {
		return policyOf(styles, "'self'") + "; connect-src 'self'"
	}
	return policyOf(styles, "'none'")
}

func policyOf(styles []string, forms string) string {
	return "default-src 'none'; script-src " + hash(script) + "; style-src " + strings.Join(styles, " ") +
		"; img-src data:; base-uri 'none'; form-action " + forms
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
