package stack

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// An Option is a setting of one stack, given as text. It declares the values that it takes, and reads them by that declaration,
// so what is offered, what is refused and what is used are the same. Without Words and Numbers it takes any text, which only
// the stack checks.
type Option struct {
	Name    string // units last: "write_buffer_bytes"
	Help    string // one sentence, with the default where Default can't say it
	Client  bool
	Server  bool
	Words   []string // of a switch: Switch
	Numbers Range    // whole numbers, in decimal, without a plus or leading zeros; the zero Range is none
	Default string   // giving it is the same as giving none; "" where there is no such value
}

// A Range is the whole numbers from Min to Max.
type Range struct{ Min, Max int64 }

// Switch is the Words of an option that is on or off.
func Switch() []string { return []string{"false", "true"} }

// Takes reports whether the option can have the value.
func (o Option) Takes(value string) bool {
	if o.TakesText() || slices.Contains(o.Words, value) {
		return true
	}
	n, err := strconv.ParseInt(value, 10, 64)
	return err == nil && o.Numbers != Range{} && o.Numbers.Min <= n && n <= o.Numbers.Max && strconv.FormatInt(n, 10) == value
}

// TakesText reports whether the option takes any text.
func (o Option) TakesText() bool { return len(o.Words) == 0 && o.Numbers == Range{} }

// Values describes the values that the option takes, for a sentence: "proto, pooled or bytes"; "" is any text.
func (o Option) Values() string {
	values := slices.Clone(o.Words)
	if o.Numbers != (Range{}) {
		values = append(values, fmt.Sprintf("a whole number from %d to %d", o.Numbers.Min, o.Numbers.Max))
	}
	last := len(values) - 1
	if last < 1 {
		return strings.Join(values, "")
	}
	return strings.Join(values[:last], ", ") + " or " + values[last]
}

// Refuse says in a clause why the option can't have the value; "" if it can.
func (o Option) Refuse(value string) string {
	if o.Takes(value) {
		return ""
	}
	return fmt.Sprintf("is %q; it must be %s", value, o.Values())
}

// Check returns an error if the declaration contradicts itself.
func (o Option) Check() error {
	switch {
	case o.Numbers.Min > o.Numbers.Max:
		return fmt.Errorf("the option %s takes numbers from %d to %d, which are none", o.Name, o.Numbers.Min, o.Numbers.Max)
	case slices.Contains(o.Words, ""):
		return fmt.Errorf("the option %s takes an empty word", o.Name)
	case o.Default != "" && !o.Takes(o.Default):
		return fmt.Errorf("the default of the option %s %s", o.Name, o.Refuse(o.Default))
	default:
		return nil
	}
}

// Word returns the option's value among given ones, which CheckServe or CheckDial has checked, or else its default.
func (o Option) Word(given map[string]string) string {
	if value, ok := given[o.Name]; ok {
		return value
	}
	return o.Default
}

// Int returns the number that is the option's Word; 0 where it is none.
func (o Option) Int(given map[string]string) int {
	n, _ := strconv.Atoi(o.Word(given)) // checked
	return n
}

// IsOn reports whether a Switch is on.
func (o Option) IsOn(given map[string]string) bool { return o.Word(given) == "true" }

// ClientOptions returns the options of the stack's client.
func (i Info) ClientOptions() []Option {
	return slices.DeleteFunc(slices.Clone(i.Options), func(o Option) bool { return !o.Client })
}

// ServerOptions returns the options of the stack's server.
func (i Info) ServerOptions() []Option {
	return slices.DeleteFunc(slices.Clone(i.Options), func(o Option) bool { return !o.Server })
}

// RefuseOptions says in a sentence why a side of a stack with its own options can't have given ones; "" if it can.
func RefuseOptions(stack, side string, own []Option, given map[string]string) string {
	known := map[string]Option{}
	for _, option := range own {
		known[option.Name] = option
	}
	names := slices.Sorted(maps.Keys(given))
	var unknown []string
	for _, name := range names {
		if _, ok := known[name]; !ok {
			unknown = append(unknown, strconv.Quote(name))
		}
	}
	if unknown != nil {
		offer := "it has none"
		if len(known) > 0 {
			offer = "it has " + strings.Join(slices.Sorted(maps.Keys(known)), ", ")
		}
		return fmt.Sprintf("%s has no %s option %s; %s", stack, side, strings.Join(unknown, ", "), offer)
	}
	for _, name := range names {
		if why := known[name].Refuse(given[name]); why != "" {
			return fmt.Sprintf("the option %s of %s %s", name, stack, why)
		}
	}
	return ""
}
