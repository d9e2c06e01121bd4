package note

import (
	"strings"
	"testing"
)

func TestLastWordsAreLinesAsFarAsThereIsRoom(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 250)
	for text, want := range map[string]string{
		"": "", "\n boom \n\n": "boom",
		"Unrecognized option: -Xfoo\nError: A fatal exception has occurred.\n": "Unrecognized option: -Xfoo / Error: " +
			"A fatal exception has occurred.",
		"first\n" + long + "\nand " + long: "and " + long,
	} {
		if got := lastWords(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
