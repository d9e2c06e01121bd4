// Package cut limits the length of foreign error messages where they are received: a status message may have megabytes, and
// every failed call has one.
package cut

import (
	"fmt"
	"unicode/utf8"
)

// Most is the number of bytes kept, before the note that the rest was cut.
const Most = 4096

// Text returns a text of at most Most bytes as it is, and of a longer one its beginning and how long it was.
func Text(text string) string {
	if len(text) <= Most {
		return text
	}
	end := Most
	for end > Most-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return fmt.Sprintf("%s… (cut; %d bytes in all)", text[:end], len(text))
}
