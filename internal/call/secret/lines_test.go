package secret

import (
	"strings"
	"testing"
)

func TestLinesHideSecretsHoweverTheyArePrinted(t *testing.T) {
	t.Parallel()
	var kept strings.Builder
	lines := &Lines{To: &kept}
	for _, piece := range []string{"one\nPicked up -Dx.pass", "word=hunter2 more\n", "no end"} {
		if n, err := lines.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Fatal(n, err)
		}
	}
	if got, want := kept.String(), "one\n"+Text("Picked up -Dx.password=hunter2 more")+"\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if strings.Contains(kept.String(), "hunter2") {
		t.Error("the password is in it")
	}
	lines.End()
	_, _ = lines.Write([]byte("late\n"))
	if got := kept.String(); !strings.HasSuffix(got, "more\nno end") {
		t.Errorf("the end is %q", got)
	}
}

func TestLinesWithoutEndTakeBoundedMemory(t *testing.T) {
	t.Parallel()
	var kept strings.Builder
	lines := &Lines{To: &kept}
	for range 3 {
		_, _ = lines.Write([]byte(strings.Repeat("a", maxLineBytes)))
	}
	if len(lines.rest) > maxLineBytes || kept.Len()+len(lines.rest) != 3*maxLineBytes {
		t.Errorf("%d bytes wait, %d are written", len(lines.rest), kept.Len())
	}
}
