package cli

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"rpcbench/internal/call/target"
	"rpcbench/internal/cli/alias"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/plan/schedule"
)

// loadQuestion is the question of a scenario written by flags.
const loadQuestion = "Latency, throughput and errors"

// A writtenCase is a scenario of one case that flags have written.
type writtenCase struct {
	scenario.Scenario

	title     string
	overrides []scenario.Override
}

// caseOf writes flags as a case against a target; no target has servers of our own.
func (f *loadFlags) caseOf(flags *pflag.FlagSet, written *alias.Words, at string) (writtenCase, error) {
	list, err := f.overrides(flags, written, at)
	if err != nil {
		return writtenCase{}, err
	}
	c := writtenCase{title: f.kind, overrides: list}
	if c.Scenario, err = scenario.Written("load", loadQuestion, c.title, list); err != nil {
		return c, err
	}
	if s := c.Scenario.Cases[0].Service(); s.IsForeign() {
		c.title = s.Title()
		c.Scenario, err = scenario.Written("load", loadQuestion, c.title, list)
	}
	return c, err
}

// shown is a target as an error may have it.
func shown(text string) string {
	at, err := target.Parse(text)
	if err != nil {
		return "TARGET"
	}
	return at.String()
}

// A writer collects keys with the flags that wrote them.
type writer struct {
	flags   *pflag.FlagSet
	written *alias.Words
	list    []scenario.Override
}

func (w *writer) yaml(key, value, flag string) {
	w.list = append(w.list, scenario.Override{Key: key, Value: value, Flag: flag})
}

func (w *writer) set(s scenario.Setting, flag string) {
	w.list = append(w.list, scenario.Override{Key: s.Key, As: &s, Flag: flag})
}

// overrides are the flags as keys of a case.
func (f *loadFlags) overrides(flags *pflag.FlagSet, written *alias.Words, at string) ([]scenario.Override, error) {
	w := &writer{flags: flags, written: written}
	w.yaml("trials", "1", "--trials")
	if at != "" {
		w.set(scenario.Setting{Key: "target", Text: at}, shown(at))
	} else {
		w.yaml("stack", "grpc-go", "--stack")
	}
	if flags.Changed("kind") || !flags.Changed("call") && !flags.Changed("mix") && !target.IsURL(at) {
		w.yaml("kind", f.kind, written.Flag("kind", f.kind))
	}
	for _, key := range point.Keys() {
		if flags.Changed(key.Load.Name) && key.Name != "metadata" && key.Name != "mix" { // which are written in ways of their own
			w.key(key.Name, key.Load)
		}
	}
	w.tls()
	for _, step := range []func(*writer) error{f.metadata, mixed, f.load, f.shape, f.rest} {
		if err := step(w); err != nil {
			return nil, err
		}
	}
	return w.list, nil
}

// key writes the flag of one key.
func (w *writer) key(key string, f point.Flag) {
	value := w.flags.Lookup(f.Name).Value
	text, flag := value.String(), strings.TrimSpace(w.written.Flag(f.Name, value.String()))
	if f.Secret || f.Form == point.AsList || f.Form == point.AsSwitch {
		flag = w.written.Name(f.Name)
	}
	if f.Form == point.AsList {
		w.set(scenario.Setting{Key: key, List: value.(pflag.SliceValue).GetSlice()}, flag)
		return
	}
	if f.Form != point.AsYAML {
		w.set(scenario.Setting{Key: key, Text: text}, flag)
		return
	}
	if key == "duration" {
		text = schedule.Seconds(text)
	}
	w.list = replaced(w.list, scenario.Override{Key: key, Value: text, Flag: flag})
}

// replaced puts an override in the place of one with its key.
func replaced(list []scenario.Override, o scenario.Override) []scenario.Override {
	for i := range list {
		if list[i].Key == o.Key {
			list[i] = o
			return list
		}
	}
	return append(list, o)
}

// tls writes the key of that name.
func (w *writer) tls() {
	parts := map[string]string{}
	var names []string
	for _, f := range tlsFlags {
		if !w.flags.Changed(f.name) {
			continue
		}
		parts[f.part] = w.flags.Lookup(f.name).Value.String()
		names = append(names, w.written.Name(f.name))
	}
	if len(parts) > 0 {
		w.set(scenario.Setting{Key: "tls", Map: parts}, strings.Join(names, ", "))
	}
}

// metadata writes --metadata, and --basic-auth as the header of RFC 7617.
func (f *loadFlags) metadata(w *writer) error {
	list, err := w.flags.GetStringArray("metadata")
	if err != nil {
		return err
	}
	if auth, _ := w.flags.GetString(basicAuth); w.flags.Changed(basicAuth) {
		switch at, _ := w.flags.GetString("call"); {
		case !strings.Contains(auth, ":"):
			return errors.New("--basic-auth: must be USER:PASSWORD")
		case at != "" || len(w.written.Args) == 1 && !target.IsURL(w.written.Args[0]):
			return errors.New("--basic-auth requires a URL as TARGET, such as http://localhost:8080/")
		}
		list = append(list, "authorization: Basic "+base64.StdEncoding.EncodeToString([]byte(auth)))
	}
	if len(list) > 0 {
		w.set(scenario.Setting{Key: "metadata", List: list}, w.written.Name("metadata"))
	}
	return nil
}

// load writes the rate, and when calls arrive.
func (f *loadFlags) load(w *writer) error {
	ramp, _ := w.flags.GetString("ramp")
	ramped, _ := schedule.Parse(ramp) // what is wrong with it is said where it is read
	switch isOpen := ramped != nil && ramped.OfRate(); {
	case f.rate != "" && w.flags.Changed("ramp"):
		return errors.New("--ramp and --rate are mutually exclusive; give only one")
	case f.rate != "" && !isRate(f.rate):
		return fmt.Errorf("%s: %q is not a number of calls per second, such as 1000", w.written.Name("rate"), f.rate)
	case f.rate != "":
		w.yaml("rate", f.rate, w.written.Flag("rate", f.rate))
	case f.poisson && !isOpen:
		return errors.New("--poisson needs --rate, the calls a second, or --ramp with /s")
	}
	if f.poisson {
		w.yaml("load", "poisson", "--poisson")
	}
	return nil
}

// isRate reports whether a text is a number above 0, such as 500 or 500/s. Invalid numbers are reported where they are read.
func isRate(text string) bool {
	rate, err := strconv.ParseFloat(strings.TrimSuffix(text, schedule.PerSecond), 64)
	return err == nil && rate > 0
}

// shape writes connections, and how many calls in flight on each where the ramp does not say it.
func (f *loadFlags) shape(w *writer) error {
	if w.flags.Changed("connections") {
		w.yaml("connections", f.connections, w.written.Flag("connections", f.connections))
	}
	if w.flags.Changed("in-flight") {
		w.yaml("in_flight", f.inFlight, w.written.Flag("in-flight", f.inFlight))
	}
	return nil
}

// rest writes options, and what a format needs.
func (f *loadFlags) rest(w *writer) error {
	if f.coldStart(w.flags) {
		w.yaml("warmup", "0s", "--warmup")
	}
	if len(f.options) == 0 {
		return nil
	}
	options, err := optionsOf(f.options)
	if err != nil {
		return fmt.Errorf("--option: %w", err)
	}
	w.set(scenario.Setting{Key: "options", Map: options}, "--option")
	return nil
}
