// Package scenario parses and validates scenarios: what a user wants to know, said in YAML.
//
// A scenario is a name, a question, defaults and cases. A case is a title and keys; a list is allowed on an axis key
// and makes a product. Three layers give a key its value, the nearest first: the command line (--set), the case, the
// defaults; what none of them says comes from the table of keys in key.go.
//
// Nothing is ignored. An unknown key, a key that the case's kind can't have, a value out of its limits, a default or
// a --set that no case may have: each is an *Error that says where and, when something known is near, what was meant.
// Which stacks there are and what they can do is not known here: package plan judges that.
package scenario

import "time"

// A Scenario is a question and the cases that answer it, checked and complete.
type Scenario struct {
	Name     string
	Question string
	Note     string // a footnote of its reports, may be empty
	File     string // that Load read it from; empty for a built-in one
	Cases    []Case

	source source
}

// Trials returns how often a point of the scenario is repeated: the most that one of its cases says.
func (s *Scenario) Trials() int {
	most := 0
	for _, c := range s.Cases {
		most = max(most, c.Trials)
	}
	return most
}

// A Case is what a scenario's case says about one call kind; a case with a list of kinds becomes one Case for each,
// all with the same title. Lists are axes: the case stands for their product. A list that the kind can't have is empty,
// and so is one whose comment says what that means; the others have at least one value.
type Case struct {
	Title         string
	Kind          string
	Stacks        []string // the clients'; All stands for every stack that can do the case; empty: the binary's own
	Servers       []string // empty: the client's own stack
	Batches       []int    // operations in a message; empty: messages without operations
	RequestBytes  []int    // of an upload: of each message; with batches: of each operation
	ResponseBytes []int    // of a download: of each message; empty: as many as the request
	Messages      []int    // of a stream, burst, upload or download
	Shapes        []Shape
	Streams       []int // of ping_pong and burst, per connection; empty: as many as are in flight
	ServerCounts  []int // server processes; empty: one
	Loads         []Arrivals
	Securities    []string
	Networks      []string
	Links         []Link // empty: none
	Compressions  []string
	Payloads      []string
	ClientCPUs    []string // "0-1,3" in ascending order, "" is all; empty: all
	ServerCPUs    []string
	Options       []map[string]string // empty: none
	Backgrounds   []Background        // empty: none
	Deadlines     []time.Duration
	JVMOptions    []string      // of the sides that run on a JVM, as a shell splits them; empty: none
	CodecMessages []string      // of encode and decode: what is coded; All stands for every one of the stack's
	Codecs        []string      // of encode and decode: by what; All stands for every one of the stack's
	Sample        time.Duration // of encode and decode: how long the operations of one call should take together
	Duration      time.Duration // exactly one of Duration and Calls is set
	Calls         int64
	Warmup        Warmup
	Drain         time.Duration
	Trials        int

	titleAt string
	given   layer // where each value came from; no entry for what nobody gave
}

// All is the stack name that stands for every stack that can do the case, those of other workers included, the floor
// excepted. As a message or a codec it stands for every one that the stack has.
const All = "all"

// SampleDefault is how long the operations of one call of encode or decode take together where nobody says: long beside
// a clock's reading, short enough for dozens of calls in a second.
const SampleDefault = 20 * time.Millisecond

// A Shape is how many connections there are, and how many calls are in flight on each.
type Shape struct{ Connections, InFlight int }

// Arrivals say when calls are due.
type Arrivals struct {
	Process string  // closed, constant or poisson
	PerSec  float64 // for all connections together; 0 when closed
}

// Where tells where value number i of the key was written: "my.yaml:3:14" or "--set stack=[a, b]". For a key that
// nobody gave it is where the case's title is.
func (c Case) Where(key string, i int) string {
	g, ok := c.given[key]
	if !ok {
		return c.titleAt
	}
	if items := g.value.items(); i < len(items) {
		return items[i].at
	}
	return g.value.at
}

// Overridden tells whether the command line gave the key.
func (c Case) Overridden(key string) bool { return c.given[key].override }

// fileBytesMax is far more than a scenario takes: what is longer was named by mistake, and the YAML parser's time grows
// with the square of the length.
const fileBytesMax = 64 << 10

// Parse reads a scenario. The file name is for error messages only. Every error is an *Error.
func Parse(filename string, data []byte) (Scenario, error) {
	if len(data) > fileBytesMax {
		return Scenario{}, Errorf(filename, "the file is over the limit of %d bytes for a scenario", fileBytesMax)
	}
	root, err := readFile(filename, data)
	if err != nil {
		return Scenario{}, err
	}
	s, err := readScenario(filename, root)
	if err != nil {
		return Scenario{}, err
	}
	defaults := used{}
	s.Cases, err = s.source.resolve(layer{}, defaults, used{})
	if err != nil {
		return Scenario{}, err
	}
	return s, s.source.defaults.unused(defaults)
}
