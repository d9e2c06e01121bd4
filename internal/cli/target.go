package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// countInWords has the commands refuse too many arguments in our own words.
func (e *env) countInWords(root *cobra.Command) {
	for _, command := range root.Commands() {
		check := command.Args
		if check == nil || !strings.Contains(command.Use, "TARGET") {
			continue
		}
		command.Args = func(command *cobra.Command, args []string) error {
			if err := check(command, args); err == nil || len(args) < 2 {
				return err
			}
			return e.oneTarget(command.Name(), args)
		}
	}
}

// oneTarget refuses arguments that are not one TARGET, and says what was meant by the second.
func (e *env) oneTarget(verb string, args []string) error {
	switch {
	case len(args) == 1:
		return nil
	case len(args) == 0:
		return badInput(fmt.Errorf("%s needs one TARGET, such as localhost:8888, unix:/tmp/socket or http://localhost:8080/", verb))
	}
	second := args[1]
	meant := ": unexpected " + strconv.Quote(second)
	switch {
	case slices.ContainsFunc(args, func(word string) bool { return isPiece(e.typed, word) }):
		meant += "; " + quoteIt
	case isMethod(second) && !slices.ContainsFunc(e.typed, namesCall):
		meant = "; --call names the method: " + withCall(e.typed, second)
	case isListing(second):
		meant += "; rpcbench load TARGET lists the methods of its server"
	case !isTarget(args[0]) || !isTarget(second):
	case verb == "ab":
		meant = ", at which it starts the servers of --a and --b; " + eachByItself
	default:
		meant = "; " + eachByItself
	}
	return badInput(fmt.Errorf("%s takes one TARGET%s", verb, meant))
}

const eachByItself = "of servers that run already load each, with --out a.jsonl and --out b.jsonl, then " +
	"rpcbench compare a.jsonl b.jsonl"

// methodWord is a method as grpcurl has it, behind the server.
var methodWord = regexp.MustCompile(`^/?[A-Za-z_]\w*(\.[A-Za-z_]\w*)*/[A-Za-z_]\w*$`)

func isMethod(word string) bool { return methodWord.MatchString(word) }

// isListing returns whether a word is one of grpcurl's that ask for methods.
func isListing(word string) bool { return word == "list" || word == "describe" }

// withCall is a command with an argument as --call.
func withCall(typed []string, method string) string {
	if i := slices.Index(typed, method); i >= 0 {
		typed = slices.Delete(slices.Clone(typed), i, i+1)
	}
	return retyped(typed, "--call", method)
}

// namesCall returns whether a word is the flag.
func namesCall(word string) bool {
	name, _, _ := strings.Cut(word, "=")
	return name == "--call" || name == "-call"
}
