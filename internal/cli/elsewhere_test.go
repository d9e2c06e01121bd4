package cli_test

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"rpcbench/internal/cli"
	"rpcbench/internal/stack"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/stack/httpjson"
)

// elsewhere is a program of its own that hosts stacks of other names: a worker for manifests. Like a JVM's launcher it
// takes options, and it notes those that it got in the file that ELSEWHERE_NOTES names.
func elsewhere() {
	isOption := func(argument string) bool { return strings.HasPrefix(argument, "-") }
	if notes := os.Getenv("ELSEWHERE_NOTES"); notes != "" {
		note(notes, fmt.Sprintf("%q\n", os.Args[1:]))
	}
	arguments := slices.DeleteFunc(slices.Clone(os.Args[1:]), isOption)
	os.Exit(cli.Main(arguments, []stack.Stack{
		renamed{grpcgo.New(), "grpc-elsewhere", true, true},
		renamed{grpcgo.New(), "grpc-caller", true, false},
		renamed{httpjson.New(), "json-caller", true, false},
		renamed{httpjson.New(), "json-server", false, true},
	}, work))
}

// note appends a line, which several processes may do at once.
func note(path, line string) {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	if _, err := file.WriteString(line); err != nil {
		panic(err)
	}
}

// renamed is a stack under another name, with one of its sides or both.
type renamed struct {
	stack.Stack

	name          string
	calls, serves bool
}

func (r renamed) Info() stack.Info {
	info := r.Stack.Info()
	info.Name, info.Calls, info.Serves = r.name, r.calls, r.serves
	return info
}
