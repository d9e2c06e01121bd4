// Package cut bounds what others say of a failure, where it is received: a status message may have megabytes, and every failed
// call has one.
package cut

import (
	"fmt"
	"unicode/utf8"
)

// Most is how many bytes are kept, before it is said what was cut.
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
