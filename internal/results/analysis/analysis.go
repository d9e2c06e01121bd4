// Package analysis groups the trials of results files by their keys into rows, and rows into tables.
//
// A row is one measured point of a scenario. Each figure is computed per trial, from that trial's histograms and counters,
// and then summarized over trials. Percentiles are never averaged within a trial, and calls of several trials are never
// pooled. A row knows the floor of its point, the bare socket measured in the same run, and its distance from it.
//
// The package knows nothing of how a row is printed. It drops nothing silently: what could not be used is a note or a
// warning.
package analysis

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/result"
)

// A Report is the content of results files, ready to be printed in any format.
type Report struct {
	Sources  []*Source
	Rows     []*Row   // no two share a Key
	Tables   []*Table // a row stands in the table of every case that it belongs to
	Warnings []string // what was left out or could not be read
}

// A Source is one results file.
type Source struct {
	Name   string
	Header result.Header
	// Joined is the first of the files that this one agrees with in host, binary and versions, often the file itself.
	// Trials of one point are brought together within joined files only.
	Joined *Source
	apart  bool // it was not joined with the first file
}

// A Table holds the rows of one case of a scenario.
type Table struct {
	Scenario string // Key.Scenario of its rows
	Title    string
	Also     []string // titles of the scenario's further cases that have just these rows
	Rows     []*Row
}

// Build groups the trials of at least one file. An error says that there is nothing to report.
func Build(files []*result.File) (*Report, error) { return buildOf(files, func(*builder) {}) }

// BuildOne returns the row of one trial of a file by itself. A trial that failed has a row too.
func BuildOne(file string, header result.Header, trial result.Trial) (*Row, error) {
	built, err := Build([]*result.File{{Name: file, Header: header, Trials: []result.Trial{trial}}})
	if err != nil {
		return nil, err
	}
	return built.Rows[0], nil
}

// BuildByClient is Build with a row for each client of a point.
func BuildByClient(files []*result.File) (*Report, error) {
	return buildOf(files, (*builder).partClients)
}

func buildOf(files []*result.File, part func(*builder)) (*Report, error) {
	b := &builder{rows: map[Key]*Row{}, tables: map[caseID]*Table{}, listed: map[listing]bool{}, owners: ownersOf(files)}
	for _, file := range files {
		b.addFile(file)
	}
	if len(b.report.Rows) == 0 {
		return nil, noTrial(files, b.report.Warnings)
	}
	part(b)
	b.finish()
	return &b.report, nil
}

// noTrial returns why there is no trial, as far as a warning explains it.
func noTrial(files []*result.File, warnings []string) error {
	if len(warnings) == 0 {
		return fmt.Errorf("no trials in %s", names(files))
	}
	return fmt.Errorf("no trials in %s; %s", names(files), warnings[0])
}

func names(files []*result.File) string {
	if len(files) == 0 {
		return "no results file given"
	}
	var text strings.Builder
	text.WriteString(files[0].Name)
	for _, file := range files[1:] {
		text.WriteString(", " + file.Name)
	}
	return text.String()
}

type builder struct {
	report   Report
	groups   []*environment
	rows     map[Key]*Row
	tables   map[caseID]*Table
	listed   map[listing]bool
	owners   map[trialID]*result.File // the file for which a trial counts
	repeated map[string]int           // trials of the file at hand that count for another one
}

type caseID struct{ scenario, title string }

// A listing is that a table has a row.
type listing struct {
	table *Table
	row   *Row
}

// A trialID identifies a trial: running the same plan twice gives the same IDs at other times.
type trialID struct {
	id      string
	started int64
}

// ownersOf returns for each trial the file that has the most of all those which have it, the first of them: of a file that was
// resumed and its copy from before, the whole one. A trial that is garbled there counts for the next.
func ownersOf(files []*result.File) map[trialID]*result.File {
	owners, owned := map[trialID]*result.File{}, map[trialID]*result.Trial{}
	longest := slices.SortedStableFunc(slices.Values(files), func(a, b *result.File) int { return len(b.Trials) - len(a.Trials) })
	for _, file := range longest {
		for i := range file.Trials {
			id := idOf(&file.Trials[i])
			if owner := owners[id]; owner == nil || owner != file && isGarbled(owned[id]) {
				owners[id], owned[id] = file, &file.Trials[i]
			}
		}
	}
	return owners
}

func isGarbled(trial *result.Trial) bool {
	_, err := measure(&Source{}, trial)
	return err != nil
}

// Apart returns copies of the files, each without the trials that count for another one of them, as in [Build]. Files without any
// left are none. What is left out is in the Notes.
func Apart(files []*result.File) (apart []*result.File, notes []string) {
	b := &builder{owners: ownersOf(files)}
	for _, file := range files {
		b.repeated = map[string]int{}
		own := b.own(file)
		notes = append(notes, b.repetitions(file)...)
		if len(own) == 0 && len(file.Trials) > 0 {
			continue
		}
		left := *file
		left.Trials = nil
		for _, trial := range own {
			left.Trials = append(left.Trials, *trial)
		}
		apart = append(apart, &left)
	}
	return apart, notes
}

// repetitions says which trials of the file at hand count for others.
func (b *builder) repetitions(file *result.File) (words []string) {
	for _, owner := range slices.Sorted(maps.Keys(b.repeated)) {
		trials := number.Count(b.repeated[owner], "trial")
		words = append(words, fmt.Sprintf("%s: %s also in %s, counted once", file.Name, trials, owner))
	}
	return words
}

func (b *builder) addFile(file *result.File) {
	source := &Source{Name: file.Name, Header: file.Header}
	b.report.Sources = append(b.report.Sources, source)
	b.report.Warnings = append(b.report.Warnings, file.Warnings...)
	b.join(source, file.Trials)
	b.repeated = map[string]int{}
	for _, m := range measureEach(source, b.own(file)) {
		b.addTrial(source, m)
	}
	b.report.Warnings = append(b.report.Warnings, b.repetitions(file)...)
}

// own returns a file's trials but for those that count for another file, whose number is kept.
func (b *builder) own(file *result.File) (trials []*result.Trial) {
	for i := range file.Trials {
		if owner := b.owners[idOf(&file.Trials[i])]; owner != file {
			b.repeated[owner.Name]++
			continue
		}
		trials = append(trials, &file.Trials[i])
	}
	return trials
}

func idOf(trial *result.Trial) trialID { return trialID{trial.ID, trial.Started.UnixNano()} }

// An assessed trial has figures, or an error that says why it has none.
type assessed struct {
	from  *result.Trial
	trial *Trial
	err   error
}

// measureEach computes the figures of trials, in their order, on all processors: most of the time of a report of many trials is
// to decode their histograms.
func measureEach(source *Source, trials []*result.Trial) []assessed {
	all := make([]assessed, len(trials))
	var next atomic.Int64
	var each sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(trials)) {
		each.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(all)); i = next.Add(1) - 1 {
				m := assessed{from: trials[i]}
				m.trial, m.err = measure(source, m.from)
				all[i] = m
			}
		})
	}
	each.Wait()
	return all
}

func (b *builder) addTrial(source *Source, m assessed) {
	trial := m.from
	if m.err != nil {
		b.warnf("%s: trial %s skipped: %v", source.Name, trial.ID, m.err)
		return
	}
	if len(trial.Cases) == 0 {
		b.warnf("%s: trial %s skipped: it belongs to no case", source.Name, trial.ID)
	}
	scenarios := map[string]bool{}
	for _, c := range trial.Cases {
		scenario := source.Scenario(c.Scenario)
		row := b.row(source, scenario, trial)
		if !scenarios[scenario] {
			row.add(m.trial)
			scenarios[scenario] = true
		}
		b.list(b.table(scenario, c.Title), row)
	}
}

// Scenario returns the Key.Scenario of the file's rows: a file that is kept apart adds its name.
func (s *Source) Scenario(name string) string {
	if s.apart {
		return fmt.Sprintf("%s [%s]", name, s.Joined.Name)
	}
	return name
}

func (b *builder) row(source *Source, scenario string, trial *result.Trial) *Row {
	key := KeyOf(scenario, trial.Spec)
	row, ok := b.rows[key]
	if !ok {
		row = &Row{Key: key, Spec: trial.Spec, Source: source.Joined}
		b.rows[key] = row
		b.report.Rows = append(b.report.Rows, row)
	}
	return row
}

func (b *builder) table(scenario, title string) *Table {
	id := caseID{scenario, title}
	table, ok := b.tables[id]
	if !ok {
		table = &Table{Scenario: scenario, Title: title}
		b.tables[id] = table
		b.report.Tables = append(b.report.Tables, table)
	}
	return table
}

func (b *builder) list(table *Table, row *Row) {
	if at := (listing{table, row}); !b.listed[at] {
		b.listed[at] = true
		table.Rows = append(table.Rows, row)
	}
}

// finish sums up the rows and puts them in order: trials lie in the file as they were carried out, which is random.
func (b *builder) finish() {
	for _, row := range b.report.Rows {
		row.summarize()
	}
	for _, row := range b.report.Rows {
		if floor := b.rows[row.KeyWith(asFloor)]; floor != nil && floor.IsFloor() {
			row.Floor = floor
		}
		row.Protobuf = b.protobuf(row)
		row.Single, row.Alternate, row.Near = b.single(row), b.alternate(row), b.near(row)
	}
	order := b.scenarioOrder()
	byKey := func(x, y *Row) int {
		return cmp.Or(cmp.Compare(order[x.Key.Scenario], order[y.Key.Scenario]), comparePoints(x.Spec, y.Spec),
			cmp.Compare(x.Key.Client, y.Key.Client))
	}
	slices.SortFunc(b.report.Rows, byKey)
	for _, table := range b.report.Tables {
		slices.SortFunc(table.Rows, byKey)
	}
	places := b.caseOrder()
	slices.SortFunc(b.report.Tables, func(x, y *Table) int {
		return cmp.Or(cmp.Compare(order[x.Scenario], order[y.Scenario]),
			cmp.Compare(places[x.id()], places[y.id()]), byKey(x.Rows[0], y.Rows[0]), cmp.Compare(x.Title, y.Title))
	})
	b.mergeTables()
}

// mergeTables merges tables with the same rows, as of cases that differ in a key which the user set.
func (b *builder) mergeTables() {
	var kept []*Table
	numbers := map[*Row]uint32{}
	first := map[string]*Table{} // by the numbers of its rows
	for _, table := range b.report.Tables {
		var rows []byte
		for _, row := range table.Rows {
			if _, ok := numbers[row]; !ok {
				numbers[row] = uint32(len(numbers))
			}
			rows = binary.BigEndian.AppendUint32(rows, numbers[row])
		}
		if same := first[string(rows)]; same != nil {
			same.Also = append(same.Also, table.Title)
			continue
		}
		first[string(rows)] = table
		kept = append(kept, table)
	}
	b.report.Tables = kept
}

// caseOrder ranks the cases as their scenarios have them.
func (b *builder) caseOrder() map[caseID]int {
	order := map[caseID]int{}
	for _, source := range b.report.Sources {
		for _, scenario := range source.Header.Scenarios {
			for i, title := range scenario.Cases {
				order[caseID{source.Scenario(scenario.Name), title}] = i
			}
		}
	}
	return order
}

func (t *Table) id() caseID { return caseID{t.Scenario, t.Title} }

// scenarioOrder ranks scenarios as the user asked for them.
func (b *builder) scenarioOrder() map[string]int {
	order := map[string]int{}
	for _, source := range b.report.Sources {
		for _, scenario := range source.Header.Scenarios {
			name := source.Scenario(scenario.Name)
			if _, ok := order[name]; !ok {
				order[name] = len(order)
			}
		}
	}
	return order
}

func (b *builder) warnf(format string, args ...any) {
	b.report.Warnings = append(b.report.Warnings, fmt.Sprintf(format, args...))
}
