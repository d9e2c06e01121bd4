package plan

import (
	"testing"

	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
)

// The server need not be reached, and the kind of a foreign method need not be known.
func TestOptionsOfClientsAreCheckedBeforeServersAreReached(t *testing.T) {
	t.Parallel()
	wire, grpcGo := fake("grpc-wire", "grpc", "unary"), fake("grpc-go", "grpc", "unary")
	number := stack.Range{Min: 1, Max: 9}
	wire.Options = []stack.Option{{Name: "loops", Client: true, Numbers: number}}
	grpcGo.Options = []stack.Option{{Name: "buffer", Client: true, Numbers: number}, {Name: "workers", Server: true}}
	for _, test := range []struct{ rest, want string }{
		{"kind: unary, stack: grpc-go, options: {buffer: 9}", ""},
		{"kind: unary, stack: grpc-go, options: {buffer: 10}",
			`my.yaml:4:68: options: the option buffer of grpc-go is "10"; it must be a whole number from 1 to 9`},
		{"kind: unary, stack: grpc-go, options: {bufer: 1}",
			`my.yaml:4:68: options: grpc-go has no option "bufer"; did you mean "buffer"?`},
		{"kind: unary, stack: grpc-go, options: {workers: 1}",
			`my.yaml:4:68: options: workers is an option of servers of grpc-go, and the server at h:1 runs already`},
		{"call: a.B/C, options: {loops: 1}", ""},
		{"call: a.B/C, options: {buffer: 1}", ""}, // of grpc-go, which the kind may need
		{"call: a.B/C, options: {nothing: 1}", `my.yaml:4:52: options: grpc-wire has no option "nothing"; known: loops`},
		{"kind: unary, stack: [grpc-go, grpc-wire], options: {nothing: 1}", ""}, // New checks it
		{"kind: unary, stack: grpc-go, options: [{buffer: 1}, {nothing: 1}]", ""},
	} {
		s := parse(t, "x", "- {title: a, target: 'h:1', "+test.rest+"}")
		assumed, err := scenario.Settle([]scenario.Scenario{s}, func(scenario.Case) string { return stack.KindUnary })
		if err != nil {
			t.Fatal(err)
		}
		err = CheckOptions(assumed, []stack.Info{wire, grpcGo})
		if test.want != "" {
			checkError(t, err, test.want)
		} else if err != nil {
			t.Errorf("%s: %v", test.rest, err)
		}
	}
}
