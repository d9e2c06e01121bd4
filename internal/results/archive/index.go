package archive

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"slices"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"rpcbench/internal/results/compare"
)

// schemaVersion changes with the content of the index. An index of another version is rebuilt.
const schemaVersion = 4

const schema = `
CREATE TABLE entries (name TEXT PRIMARY KEY, stamp TEXT NOT NULL, entry TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE points (id INTEGER PRIMARY KEY, point TEXT UNIQUE NOT NULL);
CREATE TABLE figures (name TEXT NOT NULL, metric TEXT NOT NULL, point INTEGER NOT NULL, trials TEXT NOT NULL);
CREATE INDEX figures_by_metric ON figures (metric, name);
CREATE INDEX figures_by_name ON figures (name);
`

// An index answers queries. It has nothing that the files have not.
type index struct {
	path string // "" in memory
	db   *sql.DB
}

// openIndex opens an index, or makes it. One of another version, or that is damaged, is made anew: the folder is locked.
func openIndex(path string) (*index, error) {
	i := &index{path: path}
	err := i.open()
	if isDamage(err) {
		err = errors.Join(i.remove(), i.open())
	}
	return i, err
}

func (i *index) open() error {
	name := "file::memory:"
	if i.path != "" {
		name = "file:" + (&url.URL{Path: i.path}).EscapedPath()
	}
	db, err := sql.Open("sqlite", name+"?_pragma=busy_timeout(30000)&_txlock=immediate")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1) // one in memory is of one connection
	i.db = db
	var version int
	err = db.QueryRow("PRAGMA user_version").Scan(&version)
	if err == nil && version != schemaVersion {
		err = i.clear()
	}
	if err != nil {
		return errors.Join(fmt.Errorf("the index: %w", err), db.Close())
	}
	return nil
}

// clear makes the index empty. Its file stays: whoever had a deleted one open would take the journal of the next one for its own,
// and delete it.
func (i *index) clear() error {
	tx, err := i.db.Begin()
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // unless it was committed
	_, err = tx.Exec("DROP TABLE IF EXISTS entries; DROP TABLE IF EXISTS points; DROP TABLE IF EXISTS figures;" + schema +
		fmt.Sprintf("PRAGMA user_version = %d;", schemaVersion))
	if err != nil {
		return err
	}
	return tx.Commit()
}

// mend opens an index again that has failed, such as after its file was deleted. If it is damaged, it is made anew.
func (i *index) mend(failure error) error {
	err := i.db.Close()
	if isDamage(failure) {
		err = errors.Join(err, i.remove())
	}
	return errors.Join(err, i.open())
}

// isDamage reports whether an error says that a file is no database, or one that can't be read.
func isDamage(err error) bool {
	failure, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	code := failure.Code() & 0xff // the rest is details
	return code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB
}

// remove deletes the file of the index.
func (i *index) remove() error {
	if i.path == "" {
		return nil
	}
	for _, ending := range []string{"", "-journal", "-wal", "-shm"} {
		if err := os.Remove(i.path + ending); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (i *index) close() error { return i.db.Close() }

// writable reports whether the index can be written.
func (i *index) writable() bool {
	_, err := i.db.Exec("BEGIN IMMEDIATE; DELETE FROM entries WHERE name = ''; COMMIT")
	return err == nil
}

// stamps returns the stamps of the entries.
func (i *index) stamps() (map[string]string, error) {
	rows, err := i.db.Query("SELECT name, stamp FROM entries")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	known := map[string]string{}
	for rows.Next() {
		var name, stamp string
		if err := rows.Scan(&name, &stamp); err != nil {
			return nil, err
		}
		known[name] = stamp
	}
	return known, rows.Err()
}

// put replaces an entry and its figures.
func (i *index) put(e Entry, stamp string, figures []compare.Figure) error {
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	tx, err := i.db.Begin()
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // unless it was committed
	if err := removeIn(tx, e.Name); err != nil {
		return err
	}
	if _, err := tx.Exec("INSERT INTO entries VALUES (?, ?, ?)", e.Name, stamp, string(text)); err != nil {
		return err
	}
	if err := putFigures(tx, e.Name, figures); err != nil {
		return err
	}
	return tx.Commit()
}

func putFigures(tx *sql.Tx, name string, figures []compare.Figure) error {
	insert, err := tx.Prepare("INSERT INTO figures SELECT ?, ?, id, ? FROM points WHERE point = ?")
	if err != nil {
		return err
	}
	defer insert.Close()
	points := map[string]bool{}
	for _, f := range figures {
		values := slices.DeleteFunc(slices.Clone(f.Values), func(v float64) bool { return v-v != 0 }) // which JSON has not
		if len(values) == 0 {
			continue
		}
		if !points[f.Point] {
			if _, err := tx.Exec("INSERT OR IGNORE INTO points (point) VALUES (?)", f.Point); err != nil {
				return err
			}
			points[f.Point] = true
		}
		text, err := json.Marshal(values)
		if err != nil {
			return err
		}
		if _, err := insert.Exec(name, f.Column, string(text), f.Point); err != nil {
			return err
		}
	}
	return nil
}

func (i *index) drop(name string) error {
	tx, err := i.db.Begin()
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // unless it was committed
	if err := removeIn(tx, name); err != nil {
		return err
	}
	return tx.Commit()
}

func removeIn(tx *sql.Tx, name string) error {
	_, err := tx.Exec("DELETE FROM entries WHERE name = ?", name)
	if err == nil {
		_, err = tx.Exec("DELETE FROM figures WHERE name = ?", name)
	}
	return err
}

// entry returns the entry with the name.
func (i *index) entry(name string) (e Entry, err error) {
	var text string
	if err := i.db.QueryRow("SELECT entry FROM entries WHERE name = ?", name).Scan(&text); err != nil {
		return e, err
	}
	return e, json.Unmarshal([]byte(text), &e)
}

// entries returns the entries that a query selects.
func (i *index) entries(q Query) ([]Entry, error) {
	condition, values := q.where()
	//nolint:gosec // the condition has no values of others
	rows, err := i.db.Query("SELECT entry FROM entries WHERE "+condition+" ORDER BY name", values...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []Entry
	for rows.Next() {
		var text string
		var e Entry
		if err := errors.Join(rows.Scan(&text), json.Unmarshal([]byte(text), &e)); err != nil {
			return nil, err
		}
		found = append(found, e)
	}
	return found, rows.Err()
}

// A keptFigure is the figure of a point of an entry.
type keptFigure struct {
	name, point string
	trials      []float64
}

// figures returns the figures of a metric in the entries that a query selects.
func (i *index) figures(q Query, metric string) ([]keptFigure, error) {
	condition, values := q.where()
	//nolint:gosec // the condition has no values of others
	rows, err := i.db.Query("SELECT f.name, p.point, f.trials FROM figures f JOIN points p ON p.id = f.point JOIN entries e ON "+
		"e.name = f.name WHERE f.metric = ? AND "+condition+" ORDER BY p.point, f.name", append([]any{metric}, values...)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []keptFigure
	for rows.Next() {
		var k keptFigure
		var text string
		if err := rows.Scan(&k.name, &k.point, &text); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(text), &k.trials); err != nil {
			return nil, err
		}
		found = append(found, k)
	}
	return found, rows.Err()
}

// metrics returns the metrics that entries have.
func (i *index) metrics() ([]string, error) {
	rows, err := i.db.Query("SELECT DISTINCT metric FROM figures")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}
