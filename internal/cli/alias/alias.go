// Package alias maps other tools' flags to ours: those of Vanadium's benchmarks, grpc-java's QPS clients, ghz and hey. Take
// rewrites them into our flags before a verb reads any, so no verb knows of them. They never appear in our own output, with
// one exception: an error names a flag as it was written, and Words knows how.
package alias

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// An Alias is another tool's spelling of a flag, with dashes or underscores.
type Alias struct {
	name   string
	letter string // a second name of one letter; may be empty
	flag   string // ours that it stands for; "" is TARGET, noFlag none
	owner  string // whose spelling it is

	// means makes it a switch: true sets the flag to this, false to unless, where that is not empty.
	means, unless string
	// rewrite sets the flags that the value means; nil sets the flag to the value.
	rewrite func(w *Words, a Alias, value string) error

	beside   bool   // it may stand beside its flag
	together bool   // several say one thing
	with     string // the alias without which, or with const, it means nothing
	array    bool   // it may be given several times
	ofURL    bool   // it means something with a URL as TARGET only
}

// A Table is the aliases of a verb.
type Table []Alias

// Add adds aliases to the flags, hidden from their help. They hold text: the flag that they stand for checks it.
func (t Table) Add(flags *pflag.FlagSet) {
	for _, a := range t {
		usage := fmt.Sprintf("%s's word for %s", a.owner, a.meaning())
		if a.array {
			flags.StringArrayP(a.name, a.letter, nil, usage)
		} else {
			flags.StringP(a.name, a.letter, "", usage)
		}
		_ = flags.MarkHidden(a.name) // it is there
		if a.means != "" {
			flags.Lookup(a.name).NoOptDefVal = "true"
		}
	}
	flags.SetNormalizeFunc(Underscores)
}

// Underscores also accepts names of flags with underscores, as gRPC's programs have them.
func Underscores(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	return pflag.NormalizedName(strings.ReplaceAll(name, "_", "-"))
}

// TwoDashes adds a dash to long flags with one dash, which Go's package flag accepts. It marks flags that are given by their
// letters, for Typed.
func TwoDashes(flags *pflag.FlagSet, args []string) []string {
	made := slices.Clone(args)
	for i, arg := range made {
		if arg == "--" {
			break
		}
		if !strings.HasPrefix(arg, "-") || strings.HasPrefix(arg, "--") || len(arg) < 2 {
			continue
		}
		name, _, _ := strings.Cut(arg[1:], "=")
		if isLong(flags, name) {
			made[i] = "-" + arg
		} else if f := flags.ShorthandLookup(arg[1:2]); f != nil {
			mark(f)
		}
	}
	return made
}

// isLong returns whether a word is a flag's name, ours or another tool's, and no cluster of letters.
func isLong(flags *pflag.FlagSet, name string) bool {
	return len(name) > 1 && (flags.Lookup(name) != nil || InPlaceOf(name) != "")
}

// byLetter is the annotation of a flag that was given by its letter.
const byLetter = "rpcbench_by_letter"

func mark(f *pflag.Flag) {
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[byLetter] = []string{}
}

// Typed is a flag as it was typed: -c, or --concurrency.
func Typed(f *pflag.Flag) string {
	if _, ok := f.Annotations[byLetter]; ok || len(f.Name) == 1 {
		return "-" + f.Shorthand
	}
	return "--" + f.Name
}

// Words are the words of a command line, rewritten.
type Words struct {
	Args  []string // with the TARGET that an alias names
	Notes []string // what may have been meant otherwise

	flags   *pflag.FlagSet
	written map[string]string // how a flag was written where it was an alias: "--rps 100"
	ofURL   string            // the first that means something with a URL only
}

// notef says what may have been meant otherwise.
func (w *Words) notef(format string, args ...any) {
	w.Notes = append(w.Notes, fmt.Sprintf(format, args...))
}

// Take rewrites the given aliases. It refuses an alias together with the flag or argument that it stands for, or with another
// alias for it. Options may be given several times: duplicates are refused where they are read.
func (t Table) Take(flags *pflag.FlagSet, args []string) (*Words, error) {
	w := &Words{Args: args, flags: flags, written: map[string]string{}}
	if err := errors.Join(t.check(w), checkTogether(w), checkData(flags)); err != nil {
		return w, err
	}
	for _, a := range t {
		if !flags.Changed(a.name) {
			continue
		}
		for _, value := range a.values(flags) {
			if err := a.set(w, value); err != nil {
				return w, err
			}
		}
	}
	return w, nil
}

func (a Alias) values(flags *pflag.FlagSet) []string {
	value := flags.Lookup(a.name).Value
	if list, ok := value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{value.String()}
}

// CheckTarget refuses words that mean something with a URL only where TARGET is none.
func (w *Words) CheckTarget(isURL bool) error {
	if w.ofURL == "" || isURL {
		return nil
	}
	return fmt.Errorf("%s requires a URL as TARGET, such as http://localhost:8080/", w.ofURL)
}

// Flag is how a flag of ours with a value was written.
func (w *Words) Flag(name, value string) string {
	if text, ok := w.written[name]; ok {
		return text
	}
	if f := w.flags.Lookup(name); f != nil {
		name = Typed(f)
	}
	return name + " " + value
}

// Name is how a flag of ours was written, without its value.
func (w *Words) Name(name string) string {
	written, _, _ := strings.Cut(w.Flag(name, ""), " ")
	return written
}

func (a Alias) set(w *Words, value string) error {
	if a.ofURL && w.ofURL == "" {
		w.ofURL = a.dashed(w)
	}
	if a.flag == "" {
		w.Args = []string{value}
		return nil
	}
	if _, twice := w.written[a.flag]; !twice && !a.beside && a.with == "" && a.flag != noFlag {
		w.written[a.flag] = a.text(w, value)
	}
	err := a.apply(w, value)
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		err = fmt.Errorf("--%s: %w", a.flag, errors.Unwrap(invalid)) // without the parser's words
	}
	if err != nil {
		if text := a.text(w, value); a.means != "" && value != "true" {
			err = fmt.Errorf("%s=%s: %w", text, value, err)
		} else {
			err = fmt.Errorf("%s: %w", text, err)
		}
	}
	return err
}

func (a Alias) apply(w *Words, value string) error {
	switch {
	case a.means != "":
		return a.applySwitch(w, value)
	case a.rewrite != nil:
		return a.rewrite(w, a, value)
	default:
		return w.flags.Set(a.flag, value)
	}
}

func (a Alias) applySwitch(w *Words, value string) error {
	on, err := strconv.ParseBool(value)
	switch {
	case err != nil:
		return errors.New("must be true or false")
	case a.rewrite != nil:
		return a.rewrite(w, a, strconv.FormatBool(on))
	case on && a.beside && w.flags.Changed(a.flag):
		return nil
	case on:
		return w.flags.Set(a.flag, a.means)
	case a.unless != "":
		return w.flags.Set(a.flag, a.unless)
	default:
		return nil
	}
}

// dashed returns the alias without a value, as it was written.
func (a Alias) dashed(w *Words) string { return Typed(w.flags.Lookup(a.name)) }

// text returns the alias with its value, as it was written, unless the value may be a secret.
func (a Alias) text(w *Words, value string) string {
	if a.means != "" || a.array {
		return a.dashed(w)
	}
	return a.dashed(w) + " " + value
}

func (a Alias) meaning() string {
	switch a.flag {
	case "":
		return "TARGET"
	case noFlag:
		return "what is not here"
	default:
		return "--" + a.flag
	}
}

// check refuses two words for one thing, and words that say something of another one that is not there.
func (t Table) check(w *Words) error {
	said := map[string]Alias{}
	for _, a := range t {
		if !w.flags.Changed(a.name) || severalMayBe[a.flag] || a.beside || a.flag == noFlag {
			continue
		}
		switch first, twice := said[a.flag]; {
		case a.flag == "" && len(w.Args) > 0:
			return fmt.Errorf("%s is an alias for TARGET; give only one", a.dashed(w))
		case a.flag != "" && w.flags.Changed(a.flag):
			return fmt.Errorf("%s is an alias for --%s; give only one", a.dashed(w), a.flag)
		case twice && !a.together && a.with == "":
			return fmt.Errorf("%s and %s both stand for %s", first.dashed(w), a.dashed(w), a.meaning())
		}
		if err := a.checkWith(w); err != nil {
			return err
		}
		said[a.flag] = a
	}
	return nil
}

// checkWith refuses a word that says more of another one that is not there.
func (a Alias) checkWith(w *Words) error {
	if a.with == "" {
		return nil
	}
	if text, ok := w.given(a.with); !ok || text == "const" {
		return fmt.Errorf("%s requires --%s step or line", a.dashed(w), a.with)
	}
	return nil
}

// given returns the text of a flag, and whether it was given.
func (w *Words) given(name string) (text string, ok bool) {
	f := w.flags.Lookup(name)
	return f.Value.String(), f.Changed
}
