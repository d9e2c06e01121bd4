package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"rpcbench/internal/call/schema"
	"rpcbench/internal/cli/alias"
)

// whatWasMeant adds to an error about a service what its flags probably had to be.
func whatWasMeant(flags *pflag.FlagSet, err error) error {
	_, isPath := errors.AsType[*schema.PathError](err)
	_, isSyntax := errors.AsType[*json.SyntaxError](err)
	data := flags.Lookup("data")
	value := data.Value.String()
	switch {
	case isPath && flags.Changed("proto"):
		return fmt.Errorf("%w; --import-path DIR names one more", err)
	case fileAsPair(flags) != "" && strings.Contains(err.Error(), `metadata "`):
		return fmt.Errorf("%w; did you mean @%s?", err, fileAsPair(flags))
	case !isSyntax || !data.Changed || !strings.HasPrefix(err.Error(), "--data:"):
		return err
	case isFile(value):
		return fmt.Errorf("%w; did you mean %s @%s?", err, alias.Typed(data), value)
	case lostQuotes(value):
		return fmt.Errorf("%w; %s", err, quoteIt)
	default:
		return err
	}
}

// fileAsPair is a file's name that was given as a name and a value; "" without one.
func fileAsPair(flags *pflag.FlagSet) string {
	for _, name := range []string{"metadata", "reflect-metadata"} {
		for _, pair := range flags.Lookup(name).Value.(pflag.SliceValue).GetSlice() {
			if !strings.Contains(pair, ":") && isFile(pair) {
				return pair
			}
		}
	}
	return ""
}

const quoteIt = "did the shell take its quotes? JSON needs 'single quotes' around it"

// oddBody is a note about a body of HTTP, which is sent whatever it is; "" if it is as expected.
func oddBody(flags *pflag.FlagSet) string {
	data := flags.Lookup("data")
	value := data.Value.String()
	switch flag := alias.Typed(data); {
	case !data.Changed:
		return ""
	case isFile(value):
		return fmt.Sprintf("%s %s sends these letters; %[1]s @%[2]s sends the file of that name", flag, value)
	case lostQuotes(value):
		return flag + " is no JSON, and is sent as it is; " + quoteIt
	default:
		return ""
	}
}

// isFile returns whether a value is the name of a file.
func isFile(value string) bool {
	info, err := os.Stat(value)
	return err == nil && info.Mode().IsRegular()
}

// unquotedJSON begins as JSON does without its quotes: {id:1}, [a], or a piece of it, id:1.
var unquotedJSON = regexp.MustCompile(`^\s*([{\[]|[A-Za-z_]\w*:)`)

// lostQuotes returns whether a value was JSON before a shell took its quotes.
func lostQuotes(value string) bool {
	return unquotedJSON.MatchString(value) && !strings.Contains(value, `"`) && !json.Valid([]byte(value))
}

// isPiece returns whether arguments, one behind the other, are pieces of JSON, divided by a shell at a space or a comma.
func isPiece(typed []string, word string) bool {
	i := slices.IndexFunc(typed, func(word string) bool { return slices.Contains([]string{"-d", "--data", "-data"}, word) })
	ofData := i >= 0 && i+1 < len(typed) && lostQuotes(typed[i+1])
	return strings.HasPrefix(word, "{") || strings.HasSuffix(word, "}") || ofData && unquotedJSON.MatchString(word)
}
