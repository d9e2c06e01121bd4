package schema

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// located are .proto files that were given, by their names below the import paths.
type located struct {
	names []string
	roots []string          // the import paths, and the files' own folders
	paths map[string]string // of the files, by their names
	// others are files that an import of such a name could mean too, since their folders come before the given one's.
	others map[string]string
}

// locate finds files below the import paths, and the paths that find them and what they import.
func locate(protos, importPaths []string) (*located, error) {
	roots := slices.Clone(importPaths)
	if len(roots) == 0 {
		roots = []string{"."}
	}
	l := &located{paths: map[string]string{}, others: map[string]string{}}
	var inside, outside []string
	for _, proto := range protos {
		path, name, ok := below(proto, roots)
		folder := filepath.Dir(proto)
		if ok {
			inside = append(inside, folder)
		} else {
			if _, err := os.Stat(proto); err != nil {
				return nil, &PathError{fmt.Sprintf("cannot find %s, neither here nor below an import path (%s)",
					proto, strings.Join(roots, ", "))}
			}
			path, name = proto, filepath.Base(proto)
			outside = append(outside, folder)
		}
		if err := l.add(path, name); err != nil {
			return nil, err
		}
	}
	if len(importPaths) == 0 { // nobody has said that the working directory goes first
		roots, outside = slices.Concat(outside, roots), nil
	}
	l.roots = distinct(slices.Concat(roots, outside, inside))
	for name, path := range l.paths {
		if other := first(l.roots, name); other != "" && !sameFile(other, path) {
			l.others[name] = other
		}
	}
	return l, nil
}

// add adds a file. Another one of its name is refused.
func (l *located) add(path, name string) error {
	if other, ok := l.paths[name]; ok && !sameFile(other, path) {
		return fmt.Errorf("%s and %s are both named %s: give a folder that holds both with --import-path", other, path, name)
	}
	l.names = append(l.names, name)
	if _, ok := l.paths[name]; !ok {
		l.paths[name] = path
	}
	return nil
}

// resolver returns what the compiler reads: of their names the files that were given, and imports below the roots.
func (l *located) resolver() protocompile.Resolver {
	budget := &budget{roots: l.roots}
	imported := &protocompile.SourceResolver{ImportPaths: l.roots, Accessor: budget.open}
	return protocompile.ResolverFunc(func(name string) (found protocompile.SearchResult, err error) {
		path, ok := l.paths[name]
		if !ok {
			return imported.FindFileByPath(name)
		}
		found.Source, err = budget.open(path)
		return found, err
	})
}

// ambiguous refuses an import that may mean a file that was given or another one.
func (l *located) ambiguous(files map[string]protoreflect.FileDescriptor) error {
	for _, importer := range slices.Sorted(maps.Keys(files)) {
		imports := files[importer].Imports()
		for i := range imports.Len() {
			name := imports.Get(i).Path()
			if other, ok := l.others[name]; ok {
				return fmt.Errorf("%s imports %q, which is %s or %s: give the folder of the one that is meant first with --import-path",
					importer, name, l.paths[name], other)
			}
		}
	}
	return nil
}

// explain adds to an error which of two files was read: an import that meant the other one may be the reason.
func (l *located) explain(err error) error {
	for _, name := range slices.Sorted(maps.Keys(l.others)) {
		err = fmt.Errorf("%w (%s is %s, not %s)", err, name, l.paths[name], l.others[name])
	}
	return err
}

// first returns the file of that name below the first root that has one, "" if none has.
func first(roots []string, name string) string {
	for _, root := range roots {
		path := filepath.Join(root, filepath.FromSlash(name))
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

// sameFile reports whether two paths lead to the same file.
func sameFile(one, other string) bool {
	a, err := os.Stat(one)
	if err != nil {
		return false
	}
	b, err := os.Stat(other)
	return err == nil && os.SameFile(a, b)
}

// distinct leaves out what is there already.
func distinct(list []string) []string {
	var kept []string
	for _, entry := range list {
		if !slices.Contains(kept, entry) {
			kept = append(kept, entry)
		}
	}
	return kept
}

// below returns a file's path, and its name relative to the first import path that has it.
func below(proto string, roots []string) (path, name string, ok bool) {
	for _, root := range roots {
		path := filepath.Join(root, proto)
		if _, err := os.Stat(path); err == nil && filepath.IsLocal(proto) {
			return path, filepath.ToSlash(filepath.Clean(proto)), true
		}
	}
	absolute, err := filepath.Abs(proto)
	if err != nil {
		return "", "", false
	}
	if _, err := os.Stat(absolute); err != nil {
		return "", "", false
	}
	for _, root := range roots {
		from, err := filepath.Abs(root)
		if err != nil {
			continue
		}
		if name, err := filepath.Rel(from, absolute); err == nil && filepath.IsLocal(name) {
			return proto, filepath.ToSlash(name), true
		}
	}
	return "", "", false
}
