package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/results/result"
)

const (
	resultsEnding  = ".jsonl"
	factsEnding    = ".facts.json"
	incomingPrefix = ".incoming-"
	indexName      = ".index.sqlite"
	lockName       = ".lock"
)

// staleIncoming is the age at which an incomplete upload is removed. No upload takes that long.
const staleIncoming = 24 * time.Hour

// A Dir is an archive in a folder, or a folder of results files that is looked at as one. Several processes may use it at once.
type Dir struct {
	path  string
	index *index
	lock  string // the file that writers lock; "" where the folder is only looked at

	// before is called before each step of Add, in tests only; an error simulates a crash.
	before func(step string) error
}

// Create opens an archive, and creates it if it does not exist. It removes what a crash left unfinished.
func Create(path string) (*Dir, error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, err
	}
	d := &Dir{path: path, lock: filepath.Join(path, lockName)}
	unlock, err := d.locked(context.Background())
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := d.tidy(); err != nil {
		return nil, err
	}
	d.index, err = openIndex(filepath.Join(path, indexName))
	return d, err
}

// Open opens a folder. If it is not an archive or not writable, the index is kept in memory and nothing is written to the folder.
func Open(path string) (*Dir, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s is not a directory", path)
	}
	if _, err := os.Stat(filepath.Join(path, indexName)); err == nil {
		if d, err := Create(path); err == nil {
			if d.index.writable() {
				return d, nil
			}
			_ = d.Close() // it was only read
		}
	}
	index, err := openIndex("")
	return &Dir{path: path, index: index}, err
}

// Close closes the index.
func (d *Dir) Close() error { return d.index.close() }

// Path is the folder.
func (d *Dir) Path() string { return d.path }

// ErrRefused marks results that can't be added.
var ErrRefused = errors.New("refused")

type refusal struct{ error }

func (refusal) Is(target error) bool { return target == ErrRefused }
func (r refusal) Unwrap() error      { return r.error }

// Add adds results of at most the given size. Results that are already in the archive are not added again: isNew is false, and
// the entry is the existing one. name stands for them in errors.
func (d *Dir) Add(
	ctx context.Context, name string, from io.Reader, most int64, facts Facts,
) (entry Entry, isNew bool, err error) {
	if err := facts.Check(); err != nil {
		return entry, false, refusal{err}
	}
	incoming, err := os.CreateTemp(d.path, incomingPrefix+"*")
	if err != nil {
		return entry, false, fmt.Errorf("%s can't be written: %w", d.path, plain.Cause(err))
	}
	defer func() { _ = os.Remove(incoming.Name()) }() // unless it was renamed
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(incoming, sum), io.LimitReader(from, most+1))
	if err == nil && n > most {
		err = refusal{fmt.Errorf("%s: more than %d bytes", name, most)}
	}
	if err = errors.Join(err, incoming.Chmod(0o644), incoming.Sync(), incoming.Close()); err != nil {
		return entry, false, err
	}
	file, err := readWhole(incoming.Name(), name)
	if err != nil {
		return entry, false, refusal{err}
	}
	kept := file.Header.Created.UTC().Format("20060102T150405Z") + "-" + hex.EncodeToString(sum.Sum(nil)[:8]) + resultsEnding
	unlock, err := d.locked(ctx)
	if err != nil {
		return entry, false, err
	}
	defer unlock()
	return d.put(incoming.Name(), kept, facts, file)
}

// readWhole reads results that can be added: those without a trial say nothing.
func readWhole(path, name string) (*result.File, error) {
	opened, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	file, err := result.Read(opened, name)
	switch {
	case err != nil:
		return nil, err
	case len(file.Trials) == 0:
		return nil, fmt.Errorf("%s: it has no trial", name)
	}
	if _, err := figuresOf(file); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return file, nil
}

// put makes an incoming file part of the archive, which is locked.
func (d *Dir) put(incoming, name string, facts Facts, file *result.File) (entry Entry, isNew bool, err error) {
	if _, err := os.Lstat(d.at(name)); err == nil {
		if err := d.sync(); err != nil {
			return entry, false, err
		}
		entry, err = d.index.entry(name)
		if err == nil && facts.Commit != "" && entry.Unread == "" && entry.Commit != facts.Commit {
			err = refusal{fmt.Errorf("%s is already in the archive, as of commit %s", file.Name, entry.Commit)}
		}
		return entry, false, err
	}
	facts.Added = facts.Added.UTC()
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"facts", func() error { return d.write(factsOf(name), facts.Text()) }},
		{"results", func() error { return os.Rename(incoming, d.at(name)) }},
		{"tidy", d.tidy},
	} {
		if d.before != nil {
			if err := d.before(step.name); err != nil {
				return entry, false, err
			}
		}
		if err := step.do(); err != nil {
			return entry, false, err
		}
	}
	if err := d.sync(); err != nil {
		return entry, true, fmt.Errorf("%s is in the archive, but its index is not: %w", file.Name, err)
	}
	entry, err = d.index.entry(name)
	return entry, true, err
}

func (d *Dir) at(name string) string { return filepath.Join(d.path, name) }

func factsOf(results string) string { return strings.TrimSuffix(results, resultsEnding) + factsEnding }

// write writes a small file in one step.
func (d *Dir) write(name string, text []byte) error {
	incoming, err := os.CreateTemp(d.path, incomingPrefix+"*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(incoming.Name()) }() // unless it was renamed
	_, err = incoming.Write(text)
	if err := errors.Join(err, incoming.Chmod(0o644), incoming.Sync(), incoming.Close()); err != nil {
		return err
	}
	return os.Rename(incoming.Name(), d.at(name))
}

// tidy removes what a crash left unfinished.
func (d *Dir) tidy() error {
	left, err := filepath.Glob(filepath.Join(d.path, incomingPrefix+"*"))
	if err != nil {
		return err
	}
	for _, path := range left {
		if info, err := os.Lstat(path); err == nil && time.Since(info.ModTime()) > staleIncoming {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}

// lockRetry is the interval between attempts to get a lock that another process holds.
const lockRetry = 20 * time.Millisecond

// locked waits until nobody else writes, in this process or another: an open file is locked, so each writer opens its own.
func (d *Dir) locked(ctx context.Context) (unlock func(), err error) {
	if d.lock == "" {
		return func() {}, nil
	}
	lock := flock.New(d.lock)
	if _, err := lock.TryLockContext(ctx, lockRetry); err != nil {
		return nil, fmt.Errorf("%s can't be locked: %w", d.path, plain.Cause(err))
	}
	return func() { _ = lock.Unlock() }, nil
}

// List returns the entries that a query selects, the oldest first. It looks into the folder first: files that were put there by
// hand, or whose adding was interrupted, are in it.
func (d *Dir) List(ctx context.Context, q Query) ([]Entry, error) {
	done, err := d.refresh(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	return d.entries(q)
}

// refresh makes the index match the folder. Nobody makes it anew until done is called.
func (d *Dir) refresh(ctx context.Context) (done func(), err error) {
	unlock, err := d.locked(ctx)
	if err != nil {
		return nil, err
	}
	if err := d.sync(); err != nil {
		unlock()
		return nil, err
	}
	return unlock, nil
}

// entries returns the entries of the index that a query selects, the oldest first.
func (d *Dir) entries(q Query) ([]Entry, error) {
	entries, err := d.index.entries(q)
	slices.SortStableFunc(entries, func(a, b Entry) int { return a.At().Compare(b.At()) })
	return entries, err
}

// Reindex makes the index anew of the files, and returns how many there are.
func (d *Dir) Reindex(ctx context.Context) (int, error) {
	unlock, err := d.locked(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	if err := d.index.clear(); err != nil {
		return 0, err
	}
	if err := d.sync(); err != nil {
		return 0, err
	}
	entries, err := d.index.entries(Query{})
	return len(entries), err
}

// Open opens a results file of the archive.
func (d *Dir) Open(_ context.Context, name string) (io.ReadCloser, error) {
	if !d.has(name) {
		return nil, noFileError(name)
	}
	return os.Open(d.at(name))
}

// has reports whether there is a results file of that name.
func (d *Dir) has(name string) bool {
	if !IsName(name) {
		return false
	}
	info, err := os.Lstat(d.at(name))
	return err == nil && info.Mode().IsRegular()
}

// IsWritten reports whether a results file of the archive is being written, if that is known.
func (d *Dir) IsWritten(name string) (is, known bool) {
	if !d.has(name) {
		return false, false
	}
	return result.IsWritten(d.at(name))
}

// A noFileError is the name of a file that the archive does not have. It is fs.ErrNotExist.
type noFileError string

func (e noFileError) Error() string { return fmt.Sprintf("the archive has no file %q", string(e)) }

func (noFileError) Is(target error) bool { return target == fs.ErrNotExist }

// IsName reports whether a name can be that of a results file directly in the folder.
func IsName(name string) bool {
	return strings.HasSuffix(name, resultsEnding) && !strings.ContainsAny(name, "/\\:\x00") && !strings.HasPrefix(name, ".")
}

// sync makes the index match the folder. An index that is damaged, or whose file was deleted, is made anew.
func (d *Dir) sync() error {
	if d.before != nil {
		if err := d.before("index"); err != nil {
			return err
		}
	}
	err := d.update()
	if err == nil {
		return nil
	}
	if again := errors.Join(d.index.mend(err), d.update()); again != nil {
		return err
	}
	return nil
}

// update reads the files that have changed.
func (d *Dir) update() error {
	listed, err := os.ReadDir(d.path)
	if err != nil {
		return err
	}
	known, err := d.index.stamps()
	if err != nil {
		return err
	}
	for _, one := range listed {
		name := one.Name()
		if !IsName(name) || !one.Type().IsRegular() {
			continue
		}
		stamp := d.stamp(name) + d.stamp(factsOf(name))
		was, isKnown := known[name]
		delete(known, name)
		if isKnown && was == stamp {
			continue
		}
		entry, figures := d.look(name)
		if entry == nil {
			continue // it has just been removed, or is none of rpcbench's
		}
		if err := d.index.put(*entry, stamp, figures); err != nil {
			return err
		}
	}
	for name := range known {
		if err := d.index.drop(name); err != nil {
			return err
		}
	}
	return nil
}

// stamp changes whenever a file does.
func (d *Dir) stamp(name string) string {
	info, err := os.Lstat(d.at(name))
	if err != nil {
		return "-"
	}
	return fmt.Sprintf("%d %d;", info.Size(), info.ModTime().UnixNano())
}
