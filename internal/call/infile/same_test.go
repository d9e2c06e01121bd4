package infile_test

import (
	"os"
	"path/filepath"
	"testing"

	"rpcbench/internal/call/infile"
)

func TestOneFileHasManyNames(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	for _, err := range []error{
		os.WriteFile(in("a"), nil, 0o600), os.WriteFile(in("b"), nil, 0o600), os.Mkdir(in("sub"), 0o700),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	links := os.Symlink(in("a"), in("link")) == nil && os.Symlink(folder, in("round")) == nil && os.Link(in("a"), in("hard")) == nil
	for _, c := range []struct {
		one, two string
		want     bool
		linked   bool // needs links
	}{
		{in("a"), in("a"), true, false},
		{in("a"), in("b"), false, false},
		{in("a"), in("sub/../a"), true, false},
		{in("a"), in("link"), true, true},
		{in("a"), in("hard"), true, true},
		{in("new"), in("sub/../new"), true, false}, // which is not there yet
		{in("new"), in("round/new"), true, true},
		{in("new"), in("newer"), false, false},
		{in("a"), in("new"), false, false},
		{os.DevNull, os.DevNull, false, false},
	} {
		if c.linked && !links {
			continue
		}
		if got := infile.IsSame(c.one, c.two); got != c.want {
			t.Errorf("%s and %s: %v, want %v", c.one, c.two, got, c.want)
		}
	}
}
