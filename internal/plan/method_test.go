package plan

import (
	"testing"

	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
)

// asked plans a case of one target, whose calls are of the method.
func asked(t *testing.T, rest string, method *Method) (Plan, error) {
	t.Helper()
	var infos []stack.Info
	for _, name := range []string{"grpc-go", "grpc-wire", "http-json-go", "http-wire"} {
		protocol := stack.ProtocolGRPC
		if method.HTTP {
			protocol = stack.ProtocolHTTPJSON
		}
		info := fake(name, protocol, stack.KindUnary)
		info.Methods, info.Options = true, []stack.Option{{Name: stack.OptionHTTPVersion, Client: true}}
		infos = append(infos, info)
	}
	s := parse(t, "x", "- {title: a, trials: 1, "+rest+"}")
	settled, err := scenario.Settle([]scenario.Scenario{s}, func(scenario.Case) string { return stack.KindUnary })
	if err != nil {
		t.Fatal(err)
	}
	id := settled[0].Cases[0].Service().Identity()
	return New(settled, infos, Config{Methods: map[string]*Method{id: method}})
}

// mixOf is a mix of two calls, of which the second has the metadata.
func mixOf(isHTTP bool, metadata string) *Method {
	return point.MixOf([]MixedMethod{
		{Name: "one", Weight: 9000, Method: Method{Name: "one", HTTP: isHTTP}},
		{Name: "two", Weight: 1000, Method: Method{Name: "two", HTTP: isHTTP, Metadata: []string{metadata}}},
	})
}

const (
	mixOfMethods = "target: 'h:1', mix: [{call: a.B/C, weight: 9}, {call: a.B/D}]"
	mixOfURLs    = "target: 'http://h:1/', mix: [{path: /a, weight: 9}, {path: /b}]"
)

func TestAMixHasTheClientOfASingleCall(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rest, want string
		method     *Method
	}{
		{"target: 'h:1', call: a.B/C", "grpc-wire", &Method{Metadata: []string{"user-agent"}}},
		{mixOfMethods, "grpc-wire", mixOf(false, "user-agent")},
		{mixOfMethods + ", stack: grpc-go", "grpc-go", mixOf(false, "x-a")},
		{mixOfURLs, "http-wire", mixOf(true, "user-agent")},
	} {
		p, err := asked(t, c.rest, c.method)
		if err != nil {
			t.Errorf("%s: %v", c.rest, err)
			continue
		}
		if got := p.Trials[0].Spec.Stack; got != c.want {
			t.Errorf("%s: the client is %s, want %s", c.rest, got, c.want)
		}
	}
}

func TestWhatAClientCannotSendIsRefusedInAMixToo(t *testing.T) {
	t.Parallel()
	const agent = "metadata: the user-agent of grpc-go is its library's to set: leave it out, or take the stack grpc-wire"
	const gzip = "compression: gzip sets the header accept-encoding, and it is given too"
	for _, c := range []struct {
		rest, want string
		method     *Method
	}{
		{"target: 'h:1', call: a.B/C, stack: grpc-go", "my.yaml:4:4: " + agent, &Method{Metadata: []string{"user-agent"}}},
		{mixOfMethods + ", stack: grpc-go", "my.yaml:4:4: " + agent, mixOf(false, "user-agent")},
		{"target: 'http://h:1/', compression: gzip", "my.yaml:4:61: " + gzip,
			&Method{HTTP: true, Metadata: []string{"accept-encoding"}}},
		{mixOfURLs + ", compression: gzip", "my.yaml:4:103: " + gzip, mixOf(true, "accept-encoding")},
	} {
		_, err := asked(t, c.rest, c.method)
		checkError(t, err, c.want)
	}
}
