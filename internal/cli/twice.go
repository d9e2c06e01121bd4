package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// shownMax is the number of characters of a value in a sentence.
const shownMax = 60

// refuseTwice refuses a flag of one value that is typed with two: the parser would keep the last and drop the first without a
// word. What else is wrong with the flags is said where they are read.
func refuseTwice(root *cobra.Command, args []string) error {
	found, rest, err := root.Find(args)
	if err != nil || found.Hidden { // rpcbench itself types these
		return nil //nolint:nilerr // a wrong command is named where it is read
	}
	found.InitDefaultHelpFlag()
	first := map[string]string{}
	err = found.Flags().ParseAll(rest, func(flag *pflag.Flag, value string) error {
		if _, isList := flag.Value.(pflag.SliceValue); isList {
			return nil
		}
		if flag.Name == "help" {
			return pflag.ErrHelp
		}
		before, again := first[flag.Name]
		if again && before != value {
			return &twiceError{flag, before, value}
		}
		first[flag.Name] = value
		return nil
	})
	if twice, ok := errors.AsType[*twiceError](err); ok {
		return badInput(twice)
	}
	return nil
}

// A twiceError is a flag of one value that is typed with two.
type twiceError struct {
	flag          *pflag.Flag
	first, second string
}

// Error names both values, unless they may be secrets.
func (e *twiceError) Error() string {
	name := "--" + e.flag.Name
	switch e.flag.Shorthand {
	case "":
	case e.flag.Name:
		name = "-" + e.flag.Name
	default:
		name += " (-" + e.flag.Shorthand + ")"
	}
	values := ""
	if !namesSecret("--" + e.flag.Name) {
		values = ", " + brief(e.first) + " and " + brief(e.second)
	}
	return fmt.Sprintf("%s is given twice, with different values%s; %s", name, values, oneOf(e.flag.Name))
}

// oneOf says what to write instead of a flag given twice.
func oneOf(name string) string {
	switch name {
	case "ramp":
		return "join the parts of a ramp by +"
	case "data":
		return "give one; several requests stand in one value, or in a file as --data @FILE"
	default:
		return "give one"
	}
}

// brief is a value for a sentence: of one line, and not long.
func brief(value string) string {
	line, more, _ := strings.Cut(value, "\n")
	if letters := []rune(line); len(letters) > shownMax {
		line, more = string(letters[:shownMax]), "…"
	}
	if more != "" {
		line += "…"
	}
	return shell([]string{line})
}
