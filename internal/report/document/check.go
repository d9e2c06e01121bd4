package document

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/results/require"
)

// JUnit is the format of Checks alone, as JUnit and its successors write results of tests. It is none of Formats, because few
// sources are held against anything.
const JUnit = "junit"

// A Check is a condition that figures were held against, such as a requirement.
type Check struct {
	Name   string // as it was written: response_p99<5ms
	Result require.Outcome
	Why    []string // what decided
}

// Checks are those of one source.
type Checks struct {
	Of   string // what was held against them, such as names of files
	List []Check
}

// in returns the document with the checks after its title and its answers.
func (c Checks) in(d Document) Document {
	if len(c.List) == 0 {
		return d
	}
	at := afterAnswer(d)
	if at < len(d) {
		if first, ok := d[at].(Notes); ok && first.Title != "" {
			at++
		}
	}
	return slices.Insert(slices.Clone(d), at, Block(c.facts()))
}

func (c Checks) facts() Facts {
	tone := map[require.Outcome]Tone{require.Inconclusive: Warning, require.NotMet: Alarm}
	var all Facts
	for _, check := range c.List {
		text := check.Result.String()
		if len(check.Why) > 0 {
			text += ": " + check.why()
		}
		all = append(all, Fact{Name: check.Name, Lines: []string{text}, Tone: tone[check.Result]})
	}
	return all
}

// why is what decided, in one line.
func (c Check) why() string { return strings.Join(c.Why, "; ") }

// Objects are the checks for programs.
func (c Checks) Objects() []Object {
	var all []Object
	for _, check := range c.List {
		all = append(all, Object{{Name: "requirement", Value: check.Name}, {Name: "result", Value: check.Result.String()},
			{Name: "why", Value: List(check.Why)}})
	}
	return all
}

type junitSuites struct {
	XMLName  xml.Name   `xml:"testsuites"`
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Suite    junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitProblem `xml:"failure"`
	Error   *junitProblem `xml:"error"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitProblem struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
}

// writeJUnit writes a test case for each check. One that is not met has failed. One that is inconclusive is an error, which is a
// test that could not show whether it fails.
func (c Checks) writeJUnit(w io.Writer) error {
	suite := junitSuite{Name: plain.Line(c.Of), Tests: len(c.List)}
	for _, check := range c.List {
		test := junitCase{Class: suite.Name, Name: plain.Line(check.Name)}
		problem := &junitProblem{Type: check.Result.String(), Message: plain.Line(check.why())}
		switch check.Result {
		case require.NotMet:
			test.Failure, suite.Failures = problem, suite.Failures+1
		case require.Inconclusive:
			test.Error, suite.Errors = problem, suite.Errors+1
		default:
			test.Output = problem.Message
		}
		suite.Cases = append(suite.Cases, test)
	}
	text, err := xml.MarshalIndent(junitSuites{Name: "rpcbench", Tests: suite.Tests, Failures: suite.Failures, Errors: suite.Errors,
		Suite: suite}, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}
