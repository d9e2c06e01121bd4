package archive_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"rpcbench/internal/report/reporttest"
	"rpcbench/internal/results/archive"
)

// As several processes do: each has an index of its own, which the first of them makes.
func TestAnIndexIsOpenedAndMadeAnewByManyAtOnce(t *testing.T) {
	t.Parallel()
	from := t.TempDir()
	file := reporttest.ResultsFile(t, from, "lab", 1, 1)
	for range 3 {
		folder := t.TempDir()
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				d, err := archive.Create(folder)
				if err != nil {
					t.Error(err)
					return
				}
				defer d.Close()
				if _, _, err := addTo(t, d, file, archive.Facts{Commit: "aa"}); err != nil {
					t.Error(err)
				}
				for range 3 {
					if n, err := d.Reindex(t.Context()); err != nil || n != 1 {
						t.Errorf("%d entries after reindex: %v", n, err)
					}
					if entries, err := d.List(t.Context(), archive.Query{}); err != nil || commits(entries) != "aa" {
						t.Errorf("%q, %v", commits(entries), err)
					}
				}
			})
		}
		wg.Wait()
	}
}

func TestAnIndexIsNotOpenedWhileAnotherProcessWrites(t *testing.T) {
	t.Parallel()
	d := create(t, t.TempDir())
	unlock, err := d.Locked(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var written atomic.Bool
	waited := make(chan bool)
	go func() {
		second, err := archive.Create(d.Path())
		waited <- err == nil && written.Load()
		if err == nil {
			second.Close()
		}
	}()
	for range 1000 {
		runtime.Gosched()
	}
	written.Store(true)
	unlock()
	if !<-waited {
		t.Error("the second process did not wait for the first")
	}
}

// Others have the file open.
func TestReindexKeepsTheFile(t *testing.T) {
	t.Parallel()
	folder, from := t.TempDir(), t.TempDir()
	first, second := create(t, folder), create(t, folder)
	added(t, first, reporttest.ResultsFile(t, from, "lab", 1, 1), archive.Facts{Commit: "aa"})
	before, err := os.Stat(filepath.Join(folder, ".index.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := second.Reindex(context.Background()); err != nil || n != 1 {
		t.Errorf("%d entries after reindex: %v", n, err)
	}
	after, err := os.Stat(filepath.Join(folder, ".index.sqlite"))
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("it is another file, error %v", err)
	}
	added(t, first, reporttest.ResultsFile(t, from, "lab", 2, 1), archive.Facts{Commit: "bb"})
	if got := commits(list(t, second, archive.Query{})); got != "aa bb" {
		t.Errorf("%q", got)
	}
}

// An error of opening may be of the moment, and the index be in use.
func TestAnIndexThatCannotBeOpenedIsKept(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, ".index.sqlite")
	if err := os.Symlink(filepath.Join(t.TempDir(), "unmounted", "index"), path); err != nil {
		t.Skip(err)
	}
	if d, err := archive.Create(folder); err == nil {
		d.Close()
		t.Error("it was opened")
	}
	if info, err := os.Lstat(path); err != nil || info.Mode().Type() != os.ModeSymlink {
		t.Errorf("it was replaced: %v, %v", info, err)
	}
}

// The handle of a process that has the archive open leads nowhere then.
func TestAnIndexThatWasDeletedIsMadeAnew(t *testing.T) {
	t.Parallel()
	folder, from := t.TempDir(), t.TempDir()
	d := create(t, folder)
	added(t, d, reporttest.ResultsFile(t, from, "lab", 1, 1), archive.Facts{Commit: "aa"})
	if err := os.Remove(filepath.Join(folder, ".index.sqlite")); err != nil {
		t.Skip(err)
	}
	added(t, d, reporttest.ResultsFile(t, from, "lab", 2, 1), archive.Facts{Commit: "bb"})
	for _, each := range []*archive.Dir{d, create(t, folder)} {
		if got := commits(list(t, each, archive.Query{})); got != "aa bb" {
			t.Errorf("%q", got)
		}
	}
}

func TestAFolderThatCannotBeWrittenIsNamed(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "gone")
	d := create(t, folder)
	if err := os.RemoveAll(folder); err != nil {
		t.Skip(err)
	}
	_, _, err := addTo(t, d, reporttest.ResultsFile(t, t.TempDir(), "lab", 1, 1), archive.Facts{})
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), folder+" can't be written: ") {
		t.Errorf("adding: %v", err)
	}
	if _, err := d.List(t.Context(), archive.Query{}); err == nil || !strings.HasPrefix(err.Error(), folder+" can't be locked: ") {
		t.Errorf("listing: %v", err)
	}
}
