// Package point declares what a trial measures and how: a Spec, and the keys that it consists of.
//
// A Key is declared once: how its values are parsed, stored in a point and written again, which kinds can have it, its
// default, its columns in reports, how results are compared by it, its flags, and its text in the manual. Scenarios, flags,
// rows of reports, comparisons and the check of files use the declarations; nothing is guessed from a name.
//
// The package is pure: nothing is read, written or started.
package point

import (
	"slices"

	"rpcbench/internal/stack"
)

// A Key is one part of what a trial measures or of how it is measured, declared once: see the files declared_….go.
type Key struct {
	Name  string   // as scenarios and --set spell it
	Kinds []string // whose calls can have it; none where no case can give it
	// Axis allows a list of values in a case, which makes a point for each. An axis with Paired is not part of that product: the
	// plan pairs its values.
	Axis, Paired bool
	// Early says that the key can be read before the kind is known, because the kind may depend on what is called.
	Early bool
	// List says that a value is a list itself; a list of lists is then the axis.
	List bool
	// Lone is the kind whose one unrepeated message the key sizes: the response of an upload, the request of a download.
	Lone string
	// Rival is the key that it excludes in one layer and replaces in a farther one.
	Rival string
	// Part is the key that says all of which this one says a part.
	Part Part
	// Values and Otherwise are texts for the manual: the possible values, and the default.
	Values, Otherwise string
	// Load and Run are the flags that set it: of load, and of run and plan. A Flag without a name does not exist.
	Load, Run Flag
	// Trust is what a foreign file may do with it.
	Trust Trust
	// Columns lists its columns in reports.
	Columns []Column
	// Sides part results that are set against each other by it; nil where that makes no sense.
	Sides *Sides
	// Words returns its words at the end of a trial's name, "" if they go without saying. It is nil if Spec.String has them.
	Words func(Spec) string

	form
	// fallback is the value, in YAML, where no layer has one or the kind can't have it; "" leaves it out.
	fallback func(kind string) string
	// batched replaces the fallback in a case that has batches; "" does not.
	batched string
}

// A Part is how a key belongs to one that says more: it excludes that in one layer, and that in a nearer layer replaces it.
type Part struct {
	Of     string                 // "" where the key is no part
	Beside func(text string) bool // values of the other key that leave room for it; nil where there are none
}

// Leaves reports whether a value of the key that says more leaves room for the part.
func (p Part) Leaves(whole Node) bool {
	for _, item := range whole.Items() {
		if p.Beside == nil || item.Form != Scalar || !p.Beside(item.Text) {
			return false
		}
	}
	return true
}

// Trust says what a key can do if it comes from a foreign file: see package trust.
type Trust int

// Trusts. The zero Trust is undecided, and no key that a case can give has it.
const (
	Harmless Trust = iota + 1 // it can do no more than measure on this machine, within the limits of keys
	Consent                   // it can execute, read, write or reach something, and the user is asked for it
)

// An Asked is a point as a case asks for it.
type Asked struct {
	Spec

	Trials  int     // how often; 0 where nobody asks
	Service Service // the server that runs already; the zero Service where rpcbench starts its own
	// OneClient and OneServer say that exactly one was asked for. Spec then has 0 of them, as for the default.
	OneClient, OneServer bool
}

// A Setter puts the value of a key into a point.
type Setter func(*Asked)

// Keys are all that a case may have beside its title and kind, in the order in which its product is made.
func Keys() []*Key { return settable }

// Named finds one of Keys.
func Named(name string) (*Key, bool) {
	i := slices.IndexFunc(settable, func(k *Key) bool { return k.Name == name })
	if i < 0 {
		return nil, false
	}
	return settable[i], true
}

// Names are the names of all that a case may have beside its title.
func Names() []string {
	names := []string{KindKey}
	for _, k := range settable {
		names = append(names, k.Name)
	}
	return names
}

// Declared are all keys, those that no case can give too, in the order of the manual.
func Declared() []*Key { return declared }

// KindKey is the name of the key on which it depends which others a case can have. It is none of Keys.
const KindKey = "kind"

// settable are the keys with a form.
var settable = slices.DeleteFunc(slices.Clone(declared), func(k *Key) bool { return k.read == nil })

// Can reports whether a call of the kind can have the key.
func (k *Key) Can(kind string) bool { return slices.Contains(k.Kinds, kind) || kind == "" && k.Early }

// Read checks a written value, or a list of values if the key is an axis. The error is an *Error that begins with the key's name.
func (k *Key) Read(n Node) ([]Setter, error) {
	switch items := k.items(n); {
	case !k.Axis && n.Form == List && !k.List:
		return nil, Errorf(n.At, "%s: this key takes one value, not a list", k.Name)
	case len(items) == 0:
		return nil, Errorf(n.At, "%s: the list is empty", k.Name)
	default:
		setters := make([]Setter, len(items))
		for i, item := range items {
			var err error
			if setters[i], err = k.read(item); err != nil {
				return nil, Errorf(item.At, "%s: %v", k.Name, err)
			}
		}
		return setters, nil
	}
}

// items returns the values in a written node.
func (k *Key) items(n Node) []Node {
	ofLists := slices.ContainsFunc(n.List, func(item Node) bool { return item.Form == List })
	if k.List && (!k.Axis || !ofLists) {
		return []Node{n}
	}
	return n.Items()
}

// Write returns a point's value of the key, as Read takes it; its Form is Null if there is none.
func (k *Key) Write(a Asked) Node { return k.write(a) }

// Unsaid is the value that the key has where no layer gives one; false where it has none. Keys are set in their order, so
// that the point has its batch by then.
func (k *Key) Unsaid(a Asked) (Node, bool) {
	text := k.fallback(a.Kind)
	if k.batched != "" && a.Batch > 0 {
		text = k.batched
	}
	return Node{Text: text}, text != ""
}

// ReadKinds reads the kind of a case, or several, each once.
func ReadKinds(n Node) ([]string, error) {
	if len(n.Items()) == 0 {
		return nil, Errorf(n.At, "kind: the list is empty")
	}
	var once []string
	for _, item := range n.Items() {
		kind, err := scalarOf(oneOf(kinds...))(item)
		if err != nil {
			return nil, Errorf(item.At, "kind: %v", err)
		}
		if !slices.Contains(once, kind) {
			once = append(once, kind)
		}
	}
	return once, nil
}

// Choices are all words that a value can be, where these are few; nil where it can be something else.
func (k *Key) Choices() []string { return slices.Clone(k.choices) }

// Kinds are all kinds of calls.
func Kinds() []string { return kinds }

var (
	kinds = []string{stack.KindConnect, stack.KindFirstCall, stack.KindUnary, stack.KindStream, stack.KindPingPong,
		stack.KindBurst, stack.KindUpload, stack.KindDownload, stack.KindBothWays, stack.KindEncode, stack.KindDecode}
	counted   = kinds[:2]  // end after a number of calls, carry no payload
	timed     = kinds[2:]  // may end after a time
	served    = kinds[:9]  // have a server
	carrying  = kinds[2:9] // carry payload to a server and back
	coding    = kinds[9:]  // have no server
	repeating = []string{stack.KindStream, stack.KindBurst, stack.KindUpload, stack.KindDownload, stack.KindBothWays}
	sharing   = []string{stack.KindPingPong, stack.KindBurst} // streams that are open already
	sized     = []string{stack.KindUnary, stack.KindStream, stack.KindPingPong, stack.KindBurst, stack.KindUpload}
	batching  = []string{stack.KindUnary, stack.KindPingPong, stack.KindBurst, stack.KindUpload}
)

// nothing is the fallback of a key that may be left out.
func nothing(string) string { return "" }

func always(value string) func(string) string { return func(string) string { return value } }

func among(kinds []string, value string) func(string) string {
	return func(kind string) string {
		if slices.Contains(kinds, kind) {
			return value
		}
		return ""
	}
}

func messages(kind string) string {
	if kind == stack.KindBurst {
		return "100"
	}
	return among(repeating, "1000")(kind)
}

func requestBytes(kind string) string {
	switch kind {
	case stack.KindConnect, stack.KindFirstCall, stack.KindDownload, stack.KindEncode, stack.KindDecode:
		return "0"
	default:
		return "1000"
	}
}

func responseBytes(kind string) string {
	switch kind {
	case stack.KindConnect, stack.KindFirstCall, stack.KindUpload, stack.KindEncode, stack.KindDecode:
		return "0"
	case stack.KindDownload:
		return "1000"
	default:
		return "" // as many as the request
	}
}
