package cli

import (
	"strings"
	"testing"
)

func TestALibrarysLogIsSaidToUsers(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`Unsolicited response received on idle HTTP channel starting with "HTTP/1.1 500 \x1b[31m"; err=<nil>` + "\n": "warning: the " +
			`server sent bytes that answer no request: "HTTP/1.1 500 \x1b[31m"` + "\n",
		"http2: something\nelse \x1b[31m\n": "warning: http2: something else [31m\n",
		strings.Repeat("x", 1000):           "warning: " + strings.Repeat("x", 200) + "…\n",
	} {
		var out strings.Builder
		log := &libraryLog{to: &out}
		for range 1000 {
			if n, err := log.Write([]byte(line)); n != len(line) || err != nil {
				t.Fatal(n, err)
			}
		}
		if out.String() != strings.Repeat(want, libraryLines)+"warning: further such lines are left out\n" {
			t.Errorf("%q: %q, want %d times %q and that there are more", line, out.String(), libraryLines, want)
		}
	}
}
