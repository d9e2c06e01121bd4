package point

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/stack"
)

// A Mixed is one of the calls of a mix, as a case writes it.
type Mixed struct {
	Name   string // in results; "" is what it calls
	Weight uint64 // in thousandths
	Path   string // of the target's URL, with its query
	// Service has the call's own Call, Method, ExpectStatus, Data, DataFormat, SampleData and Metadata, and nothing else.
	Service Service
}

// weightMax limits weights, so that 64 of them fit into 64 bits.
const weightMax = 1e12

// mixedKeys are the keys of one call of a mix, apart from name, weight and path.
var mixedKeys = map[string]form{
	"call": callForm, "method": verbForm, "expect_status": statusForm, "data": dataForm, "data_file": dataFileForm,
	"data_format": dataFormatForm,
	"sample_data": sampleForm, "metadata": metadataForm,
}

// mixedKeyNames are all keys of one call, in the order of the manual.
var mixedKeyNames = []string{
	"name", "weight", "call", "path", "method", "expect_status", "data", "data_file", "data_format", "sample_data", "metadata",
}

// mix reads a list of calls with weights.
func mix(n Node) ([]Mixed, error) {
	if n.Form != List {
		return nil, fmt.Errorf("%s is given; expected a list of calls such as [{call: shop.v1.Shop/Get, weight: 70}]", n.Form)
	}
	if len(n.List) > stack.MixMax {
		return nil, fmt.Errorf("%d calls, %d at most", len(n.List), stack.MixMax)
	}
	var calls []Mixed
	for i, item := range n.List {
		one, err := mixedOf(item)
		if err == nil {
			err = one.fits(calls)
		}
		if one.Name == "" && isNamed(calls, one.Title()) {
			one.Name = fmt.Sprintf("%s (%d)", one.Title(), i+1)
		}
		if err != nil {
			return nil, fmt.Errorf("call %d: %w", i+1, err)
		}
		calls = append(calls, one)
	}
	if len(calls) == 0 {
		return nil, errors.New("the list is empty")
	}
	return calls, nil
}

// mixedOf reads one call.
func mixedOf(n Node) (Mixed, error) {
	if n.Form != Map {
		return Mixed{}, fmt.Errorf("%s is given; expected a map such as {call: shop.v1.Shop/Get, weight: 70}", n.Form)
	}
	one := Mixed{Weight: weightUnit}
	asked := Asked{}
	given := map[string]bool{}
	for _, f := range n.Fields {
		if given[f.Name] {
			return one, fmt.Errorf("%s is given twice", f.Name)
		}
		given[f.Name] = true
		if err := readMixed(&one, f, &asked); err != nil {
			return one, err
		}
	}
	one.Service = asked.Service
	switch {
	case given["data"] && given["data_file"]:
		return one, errors.New("data and data_file are mutually exclusive; give only one")
	case given["call"] == given["path"]:
		return one, errors.New("it needs either call, a method of gRPC, or path, that of a URL")
	case given["method"] && !given["path"]:
		return one, errors.New("method: it is one of HTTP, and goes with path")
	case given["expect_status"] && !given["path"]:
		return one, errors.New("expect_status: it is of HTTP, and goes with path")
	}
	if given["data_format"] && one.Service.Data == "" {
		return one, errors.New("data_format: it applies to the requests of data, and there are none")
	}
	return one, nil
}

// readMixed reads one key of a call.
func readMixed(m *Mixed, f Field, asked *Asked) (err error) {
	switch own, ok := mixedKeys[f.Name]; {
	case ok:
		var set Setter
		if set, err = own.read(f.Value); err == nil {
			set(asked)
		}
	case f.Name == "name":
		m.Name, err = scalarOf(name)(f.Value)
	case f.Name == "weight":
		m.Weight, err = scalarOf(weight)(f.Value)
	case f.Name == "path":
		m.Path, err = scalarOf(urlPath)(f.Value)
	default:
		return fmt.Errorf("unknown key %q%s", f.Name, hint.Of(f.Name, mixedKeyNames))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	return nil
}

// weight reads a weight, in thousandths.
func weight(text string) (uint64, error) {
	w, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	if err != nil || !(w >= 1.0/weightUnit && w <= weightMax) {
		return 0, fmt.Errorf("%q is not a weight: a number from 0.001 to 10^12, such as 70", text)
	}
	return uint64(math.Round(w * weightUnit)), nil
}

// urlPath accepts a path with its query. Whether it is a URL's, the request says.
func urlPath(text string) (string, error) {
	if !strings.HasPrefix(text, "/") {
		return "", fmt.Errorf("%q does not begin with /; the target has scheme and host, and path the rest, such as /items?page=2",
			text)
	}
	return text, nil
}

// fits refuses a call that can't be in a load with those before it.
func (m Mixed) fits(others []Mixed) error {
	if len(others) > 0 && (others[0].Path == "") != (m.Path == "") {
		return errors.New("calls of gRPC and of URLs can't be mixed: a load has one protocol")
	}
	if m.Name != "" && isNamed(others, m.Name) {
		return fmt.Errorf("another call is named %q, too", m.Name)
	}
	return nil
}

// isNamed reports whether one of the calls has the name.
func isNamed(calls []Mixed, name string) bool {
	return slices.ContainsFunc(calls, func(m Mixed) bool { return m.Title() == name })
}

// Title is the call's name, or what it calls: "shop.v1.Shop/Get", "PUT /items". A query may hold secrets.
func (m Mixed) Title() string {
	if m.Name != "" {
		return m.Name
	}
	if m.Path == "" {
		return m.Service.Verb()
	}
	path, _, _ := strings.Cut(m.Path, "?")
	return m.Service.Verb() + " " + path
}

// Each returns the services of a mix, one for each call: that of the case, with what the call has of its own. Metadata of the
// case goes with every call. It fails if a path does not fit the target.
func (s Service) Each() ([]Service, error) {
	all := make([]Service, len(s.Mix))
	for i, m := range s.Mix {
		one := s
		one.Mix = nil
		one.Call, one.Method, one.Data = m.Service.Call, m.Service.Method, m.Service.Data
		one.ExpectStatus = m.Service.ExpectStatus
		one.DataFormat, one.SampleData = m.Service.DataFormat, s.SampleData || m.Service.SampleData
		one.Metadata = slices.Concat(s.Metadata, m.Service.Metadata)
		if m.Path != "" {
			var err error
			if one.Target, err = s.Target.WithPath(m.Path); err != nil {
				return nil, fmt.Errorf("call %d: path: %w", i+1, err)
			}
		}
		all[i] = one
	}
	return all, nil
}

// HasRequests reports whether data says what is sent, in a mix of one call at least.
func (s Service) HasRequests() bool {
	return s.Data != "" || slices.ContainsFunc(s.Mix, func(m Mixed) bool { return m.Service.Data != "" })
}

// CallsMethods reports whether calls are of methods of gRPC.
func (s Service) CallsMethods() bool { return s.Call != "" || len(s.Mix) > 0 && s.Mix[0].Path == "" }

// A MixedMethod is one call of a mix, as results have it.
type MixedMethod struct {
	Name   string `json:"name"`   // in reports
	Weight uint64 `json:"weight"` // in thousandths
	Method Method `json:"method"`
}

// MixOf makes the Method of a mix.
func MixOf(parts []MixedMethod) *Method {
	first := parts[0].Method
	whole := &Method{Name: "mix of " + number.Count(len(parts), "call"), HTTP: first.HTTP, Schema: first.Schema,
		Authority: first.Authority, Mix: parts}
	for _, p := range parts {
		if p.Method.Unprepared != "" {
			whole.Unprepared = p.Method.Unprepared
		}
	}
	return whole
}

func (m *Method) weights() []uint64 {
	weights := make([]uint64, len(m.Mix))
	for i, p := range m.Mix {
		weights[i] = p.Weight
	}
	return weights
}

// Share is the part of all calls that call i of a mix has by its weight.
func (m *Method) Share(i int) float64 {
	sum := 0.0
	for _, p := range m.Mix {
		sum += float64(p.Weight)
	}
	return float64(m.Mix[i].Weight) / sum
}

// mix is "70% GET /items, 30% GET /old (expects 302)"; "" without one.
func (m *Method) mix() string {
	if m == nil {
		return ""
	}
	var words []string
	for i, p := range m.Mix {
		word := strconv.FormatFloat(100*m.Share(i), 'g', 4, 64) + "% " + p.Name
		if statuses := p.Method.ExpectStatus; statuses != "" {
			word += " (expects " + statuses + ")"
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

// OfCall returns the point of one call of a mix, i from 0, as a part of that.
func (s Spec) OfCall(i int) Spec {
	one := s.Method.Mix[i].Method
	one.Mix, one.Which = s.Method.Mix, i+1
	s.Method = &one
	return s
}

// MixedCall returns the name of the call of a mix that the point is, and "" for the whole.
func (s Spec) MixedCall() string {
	if s.Method == nil || s.Method.Which == 0 {
		return ""
	}
	return s.Method.Mix[s.Method.Which-1].Name
}
