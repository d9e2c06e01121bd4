package ui

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"slices"

	"rpcbench/internal/report/comparison"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/page"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/archive"
	"rpcbench/internal/results/compare"
	"rpcbench/internal/results/result"
)

// maxCompared limits the results files that are compared at once.
const maxCompared = 8

// compare compares results files with the oldest of them, or, if it is given an axis, the values that it has in them.
func (s *server) compare(w http.ResponseWriter, r *http.Request) {
	values := r.URL.Query()
	names := values["file"]
	axis, isAxis := compare.AxisOf(values.Get("by"))
	if isEnough := len(names) > 1 || isAxis && len(names) == 1; !isEnough || len(names) > maxCompared {
		s.notCompared(w, r, http.StatusBadRequest, refusal{Sentence: "Choose two results files or more, up to 8. The oldest is what " +
			"the others are compared with. To compare what differs within a file, such as its stacks, one is enough: choose by what."})
		return
	}
	files, err := s.readAll(r.Context(), names)
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	var sides []compare.Set
	if isAxis {
		sides, err = valuesOf(files, axis)
	} else {
		sides, err = s.sidesOf(r.Context(), files)
	}
	var compared *compare.Comparison
	if err == nil {
		compared, err = compare.Of(compare.SameUsually, sides[0], sides[1:]...)
	}
	if err != nil {
		shown := refusal{Instead: choicesOf(files, names, values.Get("by"))}
		shown.Sentence = "These results can't be compared: " + err.Error() + "."
		if disjoint := new(compare.DisjointError); errors.As(err, &disjoint) {
			shown.setDisjoint(disjoint)
		}
		s.notCompared(w, r, http.StatusUnprocessableEntity, shown)
		return
	}
	var text bytes.Buffer
	if err := comparison.Write(&text, document.HTML, compared, document.Checks{}, document.Style{}); err != nil {
		s.failPage(w, r, err)
		return
	}
	w.Header().Set("Content-Security-Policy", page.Policy(false)+"; frame-ancestors 'none'")
	s.html(w, text.Bytes(), "./")
}

// readAll reads results files, whose names are escaped: a name may hide what must not be on a page. The oldest comes first.
func (s *server) readAll(ctx context.Context, names []string) ([]*result.File, error) {
	var files []*result.File
	for _, escaped := range names {
		name, err := url.PathUnescape(escaped)
		if err != nil {
			return nil, fs.ErrNotExist
		}
		file, err := s.read(ctx, name)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	slices.SortStableFunc(files, func(a, b *result.File) int { return a.Header.Created.Compare(b.Header.Created) })
	return files, nil
}

// sidesOf makes a side of each file.
func (s *server) sidesOf(ctx context.Context, files []*result.File) ([]compare.Set, error) {
	shown := s.commitsOf(ctx, files)
	var sides []compare.Set
	for i, file := range files {
		side, err := archive.SetOf(file, compare.Selection{})
		if err != nil {
			return nil, err
		}
		side.Name = shown[i]
		sides = append(sides, side)
	}
	return sides, nil
}

// valuesOf makes a side of each value that an axis has in the files.
func valuesOf(files []*result.File, by *compare.Axis) ([]compare.Set, error) {
	built, err := analysis.Build(files)
	if err != nil {
		return nil, err
	}
	sides := compare.ByAxis(built, compare.Selection{By: by})
	if len(sides) < 2 {
		return nil, fmt.Errorf("%s is the same in all rows, so there is nothing to compare", by.Name)
	}
	return sides, nil
}

// A choice is a link to another comparison of the same files.
type choice struct{ By, Address string }

// choicesOf returns the axes by which files can be compared instead: those whose values have something in common.
func choicesOf(files []*result.File, names []string, but string) []choice {
	built, err := analysis.Build(files)
	if err != nil {
		return nil
	}
	var choices []choice
	for _, by := range compare.Differing(built) {
		if by != but && isAnswered(built, by) {
			choices = append(choices, choice{by, "compare?" + url.Values{"file": names, "by": {by}}.Encode()})
		}
	}
	return choices
}

// isAnswered reports whether a comparison by an axis has something to compare.
func isAnswered(r *analysis.Report, by string) bool {
	axis, ok := compare.AxisOf(by)
	if !ok {
		return false
	}
	sides := compare.ByAxis(r, compare.Selection{By: axis})
	return len(sides) > 1 && compare.HasCommon(sides[0], sides[1:]...)
}

// notCompared writes a page that says why nothing is compared, with what can be compared instead.
func (s *server) notCompared(w http.ResponseWriter, r *http.Request, code int, shown refusal) {
	shown.Of, shown.Title = "comparison", "Not compared"
	s.refuse(w, r, code, shown)
}

// setDisjoint says in what the points most alike differ, key by key. The page has links for what a command's flag does.
func (f *refusal) setDisjoint(e *compare.DisjointError) {
	f.Sentence = "These results can't be compared: " + e.Sentence + "."
	if len(e.Differ) > 0 {
		f.Sentence = fmt.Sprintf("Nothing was measured in both %s and %s. The points that are most alike differ in:", e.Base, e.Side)
		f.Base, f.Side, f.Differ = e.Base, e.Side, e.Differ
	}
}
