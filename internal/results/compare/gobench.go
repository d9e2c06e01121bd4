package compare

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"golang.org/x/perf/benchfmt"

	"rpcbench/internal/results/stat"
)

// ownPackage is the package that --format go-bench names.
const ownPackage = "rpcbench"

// skipped ends the note of a line that can't be read.
const skipped = "; skipped."

// IsGoBench reports whether a file with this beginning can be output of go test -bench.
func IsGoBench(beginning []byte) bool {
	for line := range bytes.Lines(bytes.TrimPrefix(beginning, byteOrderMark)) {
		for _, word := range []string{"Benchmark", "goos:", "pkg:"} {
			if bytes.HasPrefix(line, []byte(word)) {
				return true
			}
		}
	}
	return false
}

// FromGoBench reads the output of go test -bench, one value for each line of a benchmark: -count 10 gives ten. Runs of one go
// test share a process, which a note says.
func FromGoBench(name string, r io.Reader) (Set, error) {
	set := Set{Name: name}
	reader := benchfmt.NewReader(&benchLines{in: bufio.NewReader(r)}, name)
	shared, found := false, figures{}
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.Result:
			set.addResult(&found, record, reader.Units())
			shared = shared || record.GetConfig("pkg") != ownPackage // lines of ours are trials, of separate processes
		case *benchfmt.SyntaxError:
			set.Notes = append(set.Notes, fmt.Sprintf("%s:%d: %s", name, record.Line, record.Msg)+skipped)
		}
	}
	if err := reader.Err(); err != nil {
		return set, fmt.Errorf("%s: %w", name, err)
	}
	if set.Figures = found.all; len(set.Figures) == 0 {
		if len(set.Notes) > 0 {
			return set, errors.New(strings.TrimSuffix(set.Notes[0], skipped))
		}
		return set, fmt.Errorf("%s: the file has no benchmark line", name)
	}
	if shared {
		set.notef("In %s, values are lines of go test -bench. Those of one go test share a process, which makes them more alike "+
			"than separate processes would be: run it several times.", name)
	}
	return set, nil
}

func (s *Set) addResult(found *figures, record *benchfmt.Result, units benchfmt.UnitMetadataMap) {
	point := record.Name.String()
	if pkg := record.GetConfig("pkg"); pkg != "" && pkg != ownPackage {
		point = pkg + "." + point
	}
	for _, v := range record.Values {
		value, unit := v.Value, v.Unit
		if v.OrigUnit != "" { // as the file has it: ns/op, not sec/op
			value, unit = v.OrigValue, v.OrigUnit
		}
		better := betterIn(unit)
		switch said := units.GetBetter(v.Unit); { // by the file, or known to benchfmt
		case said > 0:
			better = stat.Higher
		case said < 0:
			better = stat.Lower
		}
		if math.IsNaN(value) || math.IsInf(value, 0) {
			s.notef("In %s, a value of %s is %v %s; it is left out.", s.Name, point, value, unit)
			continue
		}
		f := found.of(Figure{Point: point, Metric: unit, Better: better})
		f.Values = append(f.Values, value)
	}
}
