package cut_test

import (
	"strings"
	"testing"

	"rpcbench/internal/stack/cut"
)

func TestALongTextIsCutBetweenCharacters(t *testing.T) {
	t.Parallel()
	short, a := strings.Repeat("é", cut.Most/2), strings.Repeat("a", cut.Most-1)
	for text, want := range map[string]string{
		"":                                      "",
		short:                                   short,
		a + "é":                                 a + "… (cut; 4097 bytes in all)",
		short + "a":                             short + "… (cut; 4097 bytes in all)",
		strings.Repeat("\x80", 8<<20):           strings.Repeat("\x80", cut.Most-4) + "… (cut; 8388608 bytes in all)",
		strings.Repeat("b", cut.Most) + "bbbbb": strings.Repeat("b", cut.Most) + "… (cut; 4101 bytes in all)",
	} {
		if got := cut.Text(text); got != want {
			t.Errorf("%.20q… is %.20q… of %d bytes, want %d", text, got, len(got), len(want))
		}
	}
}
