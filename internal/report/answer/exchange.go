package answer

import (
	"fmt"
	"strings"

	"rpcbench/internal/call/once"
	"rpcbench/internal/call/plain"
)

// Exchange describes one call in words: how it ended, what was sent, what came back, and how long each part took.
func Exchange(x *once.Exchange, server string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s at %s: %s", x.Call, server, plain.Line(x.Status.Code))
	if x.Status.Message != "" {
		fmt.Fprintf(&text, ": %s", plain.Line(x.Status.Message))
	}
	text.WriteString("\n\nRequest\n")
	writeFields(&text, "metadata", x.Request.Metadata)
	writeMessages(&text, x.Request.Messages)
	text.WriteString("\nReply\n")
	writeFields(&text, "header", x.Reply.Headers)
	writeMessages(&text, x.Reply.Messages)
	if x.Reply.Cut {
		text.WriteString("  message   more, which was not read\n")
	}
	writeFields(&text, "trailer", x.Reply.Trailers)
	text.WriteString("\nTime\n")
	for _, part := range x.Timing {
		fmt.Fprintf(&text, "  %-10s %8.3f ms\n", strings.ReplaceAll(part.Name, "_", " "), float64(part.Ns)/1e6)
	}
	return text.String()
}

func writeFields(text *strings.Builder, word string, fields []once.Field) {
	for _, f := range fields {
		fmt.Fprintf(text, "  %-9s %s: %s\n", word, plain.Line(f.Name), plain.Line(f.Value))
	}
}

// writeMessages writes JSON behind its length, and a text of several lines below it.
func writeMessages(text *strings.Builder, messages []once.Message) {
	if len(messages) == 0 {
		text.WriteString("  message   none\n")
	}
	for _, m := range messages {
		fmt.Fprintf(text, "  message   %d B", m.Bytes)
		if m.Unpacked > 0 {
			fmt.Fprintf(text, ", %d B unpacked", m.Unpacked)
		}
		if m.JSON != nil {
			fmt.Fprintf(text, "  %s\n", plain.Line(string(m.JSON)))
			continue
		}
		if m.Bin != nil {
			text.WriteString("  not text\n")
			continue
		}
		text.WriteString("\n")
		for line := range strings.Lines(m.Text) {
			fmt.Fprintf(text, "    %s\n", plain.Line(line))
		}
	}
}
