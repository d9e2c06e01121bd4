package doctest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pages are all documents that may have links.
func pages(t *testing.T) []string {
	t.Helper()
	list := documents(t)
	for _, name := range []string{"ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"} {
		list = append(list, filepath.Join(root, name))
	}
	return list
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	inCode  = regexp.MustCompile("`([^`\n]+)`")
	place   = regexp.MustCompile(`^(cmd|internal|proto|docs|bench|tools)(/[\w.-]+)*/?$`)
	claim   = regexp.MustCompile(`^(Test|Fuzz)[A-Z]\w+$`)
	// inJava is a test in Java: its class and its method.
	inJava = regexp.MustCompile(`^(\w+Test)\.(\w+)$`)
)

func TestLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	for _, path := range pages(t) {
		for _, match := range link.FindAllStringSubmatch(read(t, path), -1) {
			if strings.Contains(match[1], "://") {
				continue
			}
			file, anchor, _ := strings.Cut(match[1], "#")
			target := filepath.Join(filepath.Dir(path), file)
			if file == "" {
				target = path
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: the link %s leads nowhere: %v", path, match[1], err)
			} else if anchor != "" && !hasAnchor(read(t, target), anchor) {
				t.Errorf("%s: the link %s leads to no heading", path, match[1])
			}
		}
	}
}

// hasAnchor reports whether a heading has the anchor that GitHub makes of it.
func hasAnchor(text, anchor string) bool {
	dropped := regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
	for _, match := range heading.FindAllStringSubmatch(text, -1) {
		slug := dropped.ReplaceAllString(strings.ToLower(match[1]), "")
		if strings.ReplaceAll(slug, " ", "-") == anchor {
			return true
		}
	}
	return false
}

func TestNamedFilesAndTestsExist(t *testing.T) {
	t.Parallel()
	tests, inJavas := testSources(t, "_test.go", "cmd", "internal", "tools"), testSources(t, "Test.java", "java")
	for _, path := range pages(t) {
		for _, match := range inCode.FindAllStringSubmatch(read(t, path), -1) {
			word := match[1]
			if place.MatchString(word) {
				if _, err := os.Stat(filepath.Join(root, word)); err != nil {
					t.Errorf("%s names %s: %v", path, word, err)
				}
			}
			missing := claim.MatchString(word) && !strings.Contains(tests, "func "+word+"(")
			if m := inJava.FindStringSubmatch(word); m != nil {
				_, class, found := strings.Cut(inJavas, "\nclass "+m[1]+" ")
				class, _, _ = strings.Cut(class, "\n}\n")
				missing = !found || !strings.Contains(class, "\n  void "+m[2]+"(")
			}
			if missing {
				t.Errorf("%s names the test %s, which is nowhere", path, word)
			}
		}
	}
}

// testSources returns the files of these folders whose names end so, one after another.
func testSources(t *testing.T, ending string, folders ...string) string {
	t.Helper()
	var all strings.Builder
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ending) {
				return err
			}
			text, err := os.ReadFile(path)
			all.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}
