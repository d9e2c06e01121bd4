package trust

import (
	"fmt"
	"slices"
	"strings"
)

// A Consent is the user's way to allow what files ask for.
type Consent struct {
	// Trusts reports whether the user named the file as one that may do all that it asks for.
	Trusts func(file string) bool
	// Remembers reports whether the user allowed these Asks of these files for good; nil where nothing is remembered.
	Remembers func([]Ask) bool
	// Confirm shows the Asks to the user, who allows all of them or none; nil without a terminal.
	Confirm func([]Ask) (allowed bool, err error)
}

// To returns nil if the user consents to everything, and otherwise an error that says what was asked for. Files that the user
// trusts need no consent.
func (c Consent) To(list []Ask) error {
	left := slices.DeleteFunc(slices.Clone(list), func(a Ask) bool { return c.Trusts(a.File) })
	switch {
	case len(left) == 0, c.Remembers != nil && c.Remembers(left):
		return nil
	case c.Confirm == nil:
		return fmt.Errorf("%s. Allow it by --trust %s", sentence(left), left[0].File)
	}
	allowed, err := c.Confirm(left)
	if err == nil && !allowed {
		err = fmt.Errorf("%s was not trusted, so nothing was done", name(left[0].File))
	}
	return err
}

// shown is the number of Asks in a sentence. They are all there unless somebody has written very many: who allows them by a flag
// sees nothing else.
const shown = 100

// sentence is "evil.jsonl would start a JVM with …, load the server at …"; it is of the first file.
func sentence(list []Ask) string {
	var words []string
	for _, ask := range list {
		if ask.File == list[0].File {
			words = append(words, ask.String())
		}
	}
	if all := len(words); all > shown {
		words = append(words[:shown], fmt.Sprintf("and other things, %d in all", all))
	}
	return name(list[0].File) + " would " + strings.Join(words, ", ")
}

// Listing is the Asks for people, a line each, below the file that asks.
func Listing(list []Ask) string {
	var text strings.Builder
	file := ""
	for _, ask := range list {
		if ask.File != file {
			file = ask.File
			fmt.Fprintf(&text, "%s would:\n", name(file))
		}
		fmt.Fprintf(&text, "  %s\n", ask)
	}
	return text.String()
}

func name(file string) string {
	if file == Stdin {
		return "standard input"
	}
	return file
}
