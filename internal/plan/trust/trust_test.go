package trust

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
)

func TestATargetIsHereByItsSpellingAlone(t *testing.T) {
	t.Parallel()
	for _, here := range []string{
		"127.0.0.1:80", "127.9.9.9:80", "localhost:80", "LocalHost:80", "[::1]:80", "[::ffff:127.0.0.1]:80", "0.0.0.0:80", "[::]:80",
	} {
		if asked := OfPlan("f", targets("tcp", here)); asked != nil {
			t.Errorf("%s is asked for: %v", here, asked)
		}
	}
	for _, there := range []string{
		"192.0.2.1:80", "evil.example:80", "localhost.evil.example:80", "localhost.:80", "127.0.0.1.nip.io:80", "127.1:80",
		"2130706433:80", "0x7f000001:80", "0177.0.0.1:80", "[::ffff:192.0.2.1]:80", "[::1%eth0]:80", "[fe80::1%lo]:80",
		"evil.example", "127.0.0.1", "::1", ":80", "unix:/x", "dns:///localhost:80", "@abstract", "1.2.3.4:80:80", " localhost:80",
	} {
		want := []Ask{{"f", Target, there}}
		if diff := cmp.Diff(want, OfPlan("f", targets("tcp", "127.0.0.1:80", there, there))); diff != "" {
			t.Error(diff)
		}
		if asked := OfPlan("f", targets("unix", there)); asked != nil {
			t.Errorf("the socket %s is asked for", there)
		}
	}
}

func targets(network string, addresses ...string) []plan.Trial {
	var trials []plan.Trial
	for _, address := range addresses {
		trials = append(trials, plan.Trial{Spec: plan.Spec{Network: network, Target: address}})
	}
	return trials
}

func TestAPlanAsksForEachThingOnce(t *testing.T) {
	t.Parallel()
	spec := func(options, target string) plan.Trial {
		return plan.Trial{Spec: plan.Spec{JVMOptions: options, Network: "tcp", Target: target}}
	}
	got := OfPlan("f", []plan.Trial{
		spec("-Xmx1g", ""), spec("-Xmx1g -Dx=y '-XX:OnError=rm -r x'", "a:1"), spec("-Dx=y", "b:1"), spec("-Xmx1g 'open", "a:1"),
	})
	want := []Ask{
		{"f", JVMOption, "-Dx=y"}, {"f", JVMOption, "-XX:OnError=rm -r x"}, {"f", Target, "a:1"}, {"f", Target, "b:1"},
		{"f", JVMOption, "-Xmx1g 'open"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

const file = "name: x\nquestion: y\ncases:\n- {title: a, kind: unary, jvm_options: [-Xmx1g, -Dx=y, '-Dx=y -Dz=y']}\n"

func TestAScenarioAsksForWhatItsFileSays(t *testing.T) {
	t.Parallel()
	s, err := scenario.Parse("my.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	if asked := OfScenario(s); asked != nil {
		t.Errorf("a built-in scenario asks for %v", asked)
	}
	s.File = "my.yaml"
	want := []Ask{{"my.yaml", JVMOption, "-Dx=y"}, {"my.yaml", JVMOption, "-Dz=y"}}
	if diff := cmp.Diff(want, OfScenario(s)); diff != "" {
		t.Error(diff)
	}
	typed, err := scenario.Apply([]scenario.Scenario{s}, []scenario.Override{{Key: "jvm_options", Value: "-Dtyped=x"}})
	if err != nil {
		t.Fatal(err)
	}
	if asked := OfScenario(typed[0]); asked != nil {
		t.Errorf("what the user typed is asked for: %v", asked)
	}
}

// A file of somebody else's names a server, a method, and files and variables whose contents would be sent there.
func TestAHostileScenarioAsksForAllThatItReachesAndReads(t *testing.T) {
	t.Parallel()
	const hostile = `
name: x
question: y
defaults: {token_env: HOME}
cases:
- {title: a, target: 'unix:/run/docker.sock', call: shop.v1.Shop/Get, data_file: /etc/passwd, proto: [a.proto, b.proto],
   import_path: /src, tls: {ca: ca.pem, cert: me.pem, key: me.key, server_name: shop}}
- {title: b, target: 'http://shop.example:80/drop?all={{env "X"}}', method: delete, metadata: {x: y}, token_file: token}
- {title: c, target: 'http://localhost/', unix_socket: /run/docker.sock, data: '@key', metadata: ['@head'],
   rows_file: users}
- {title: d, kind: unary, target: '192.0.2.1:80', credentials: keys}
- {title: e, kind: unary, target: 'localhost:80'}
- {title: f, kind: unary, binary: [old=./evil, new=/tmp/x]}
- {title: h, kind: unary, request_sizes_file: /etc/shadow, response_sizes_file: sizes.csv}
- {title: g, kind: unary, server: [grpc-go, {command: 'sh -c evil {port}', address: 'evil.example:80'},
   {command: ./s, address: /tmp/s}]}
- {title: i, kind: unary, proxy: [none, grpc-go, {command: 'sh -c evil {port} {upstream}'},
   {command: 'nginx -c {config}', config: 'load_module evil; listen {port}; {upstream}'}]}
`
	s, err := scenario.Parse("my.yaml", []byte(hostile))
	if err != nil {
		t.Fatal(err)
	}
	s.File = "my.yaml"
	var got []string
	for _, ask := range OfScenario(s) {
		got = append(got, ask.String())
	}
	want := []string{
		`call "shop.v1.Shop/Get at unix:/run/docker.sock"`, `read "/etc/passwd"`, `read "ca.pem"`, `read "me.pem"`,
		`read "me.key"`, `read "a.proto"`, `read "b.proto"`, `read "/src"`, `send the environment variable "HOME"`,
		`load the server at "shop.example:80"`, `call "DELETE at http://shop.example:80/drop?all=…"`, `read "token"`,
		`call "POST at http://localhost/ over unix:/run/docker.sock"`, `read "users"`, `read "key"`, `read "head"`,
		`load the server at "192.0.2.1:80"`, `read "keys"`, `execute "./evil"`, `execute "/tmp/x"`,
		`read "/etc/shadow"`, `read "sizes.csv"`,
		`start the server "sh -c evil {port}"`, `load the server at "evil.example:80"`, `start the server "./s"`,
		`start the proxy "sh -c evil {port} {upstream}"`,
		`start the proxy "nginx -c {config} with the config load_module evil; listen {port}; {upstream}"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	typed, err := scenario.Apply([]scenario.Scenario{s}, []scenario.Override{{Key: "target", Value: "localhost:1"}})
	if err == nil {
		t.Fatalf("a URL's keys go with an address: %v", OfScenario(typed[0]))
	}
}

// Fields of a Spec that no case can give: judged can do more than measure on this machine, harmless are the others. All other
// fields are judged by the declarations of their keys.
var (
	judged   = []string{"Target", "Proxy"} // a built-in proxy is asked for as little as a stack
	harmless = []string{
		"BinaryHash", "BinaryVersion", // what is known of Binary, which is asked for
		"LengthsOnly", "Protocol", "Kind", "Schedule", "MessageRatePerSec", "CompilersMostNs",
		"RequestSizes", "ResponseSizes", // what was in a file is in them, and nothing is read again
		"Method", "Unverified", // which no results file can make again: replay refuses them
	}
)

func TestEveryFieldOfASpecIsJudged(t *testing.T) {
	t.Parallel()
	for _, field := range reflect.VisibleFields(reflect.TypeFor[plan.Spec]()) {
		trust, declared := trustIn(field)
		switch {
		case declared:
		case slices.Contains(judged, field.Name):
			trust = point.Consent
		case !slices.Contains(harmless, field.Name):
			t.Errorf("%s: what may a stranger's file do by it?", field.Name)
		}
		if trust != point.Consent || field.Name == "Server" { // which is a name; what stands behind it is in Program
			continue
		}
		spec := plan.Spec{Network: "tcp"}
		if field.Name == "Proxy" {
			spec.Proxy = &point.Proxy{Name: "x", Program: &point.Program{Command: []string{"x"}}}
		} else if value := reflect.ValueOf(&spec).Elem().FieldByIndex(field.Index); field.Type.Kind() == reflect.Pointer {
			value.Set(reflect.New(field.Type.Elem()))
		} else {
			value.SetString("-Dx=y")
		}
		if len(OfPlan("f", []plan.Trial{{Spec: spec}})) != 1 {
			t.Errorf("%s is not asked for", field.Name)
		}
	}
}

// trustIn is that of the key that writes a field; false where none does.
func trustIn(field reflect.StructField) (point.Trust, bool) {
	var with point.Asked
	value := reflect.ValueOf(&with.Spec).Elem().FieldByIndex(field.Index)
	switch field.Type.Kind() {
	case reflect.Pointer:
		value.Set(reflect.New(field.Type.Elem()))
	case reflect.Map:
		value.Set(reflect.MakeMap(field.Type))
	case reflect.Bool:
		value.SetBool(true)
	case reflect.String:
		value.SetString("x")
	default:
		value.Set(reflect.ValueOf(1).Convert(field.Type))
	}
	for _, key := range point.Keys() {
		if !cmp.Equal(key.Write(point.Asked{}), key.Write(with)) {
			return key.Trust, true
		}
	}
	return 0, false
}

// A mix calls what it names, and reads its files.
func TestAMixAsksForEachOfItsCalls(t *testing.T) {
	t.Parallel()
	s, err := scenario.Parse("evil.yaml", []byte(`{name: n, question: q, cases: [{title: t, target: "http://localhost/",
		mix: [{path: /a}, {path: /b, method: DELETE, data_file: /etc/passwd, metadata: ["@keys"]}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	s.File = "evil.yaml"
	want := []Ask{
		{"evil.yaml", Call, "GET /a at http://localhost/"}, {"evil.yaml", Call, "DELETE /b at http://localhost/"},
		{"evil.yaml", Read, "/etc/passwd"}, {"evil.yaml", Read, "keys"},
	}
	if diff := cmp.Diff(want, OfScenario(s)); diff != "" {
		t.Error(diff)
	}
}

// A key that is declared as one that needs consent must be asked for by OfScenario.
func TestEveryKeyOfACaseIsJudged(t *testing.T) {
	t.Parallel()
	var consent []string
	for _, key := range point.Keys() {
		switch key.Trust {
		case point.Harmless:
		case point.Consent:
			consent = append(consent, key.Name)
		default:
			t.Errorf("%s: what may a stranger's file do by it?", key.Name)
		}
	}
	want := []string{ // as TestAScenarioAsksForWhatItsFileSays and TestAHostileScenarioAsksForAllThatItReachesAndReads have it
		"server", "request_sizes_file", "response_sizes_file", "proxy", "jvm_options", "binary", "client_hosts", "server_hosts",
		"target", "call", "mix", "unix_socket", "data", "data_file", "rows_file",
		"metadata", "token_file", "token_env", "proto", "import_path", "protoset", "reflect_metadata", "tls", "credentials",
	}
	if diff := cmp.Diff(want, consent); diff != "" {
		t.Error(diff)
	}
}

func TestConsentIsToTheFileOrToAllThatItAsksFor(t *testing.T) {
	t.Parallel()
	asks := []Ask{{"a", JVMOption, "-Dx=y"}, {"b", Target, "h:1"}}
	trusts := func(files ...string) func(string) bool {
		return func(file string) bool { return slices.Contains(files, file) }
	}
	var shownAsks []Ask
	confirm := func(answer bool, err error) func([]Ask) (bool, error) {
		return func(list []Ask) (bool, error) { shownAsks = list; return answer, err }
	}
	for _, test := range []struct {
		name    string
		asks    []Ask
		consent Consent
		want    string
		shown   []Ask
	}{
		{"nothing is asked for", nil, Consent{Trusts: trusts(), Confirm: confirm(false, nil)}, "", nil},
		{"every file is trusted", asks, Consent{Trusts: trusts("b", "a"), Confirm: nil}, "", nil},
		{"no terminal", asks, Consent{Trusts: trusts(), Confirm: nil}, `a would start a JVM with "-Dx=y". ` +
			"Allow it by --trust a", nil},
		{"one is trusted", asks, Consent{Trusts: trusts("a"), Confirm: nil}, `b would load the server at "h:1". ` +
			"Allow it by --trust b", nil},
		{"yes", asks, Consent{Trusts: trusts(), Confirm: confirm(true, nil)}, "", asks},
		{"yes to the rest", asks, Consent{Trusts: trusts("a"), Confirm: confirm(true, nil)}, "", asks[1:]},
		{"always", asks, Consent{Trusts: trusts(), Remembers: func([]Ask) bool { return true }}, "", nil},
		{"other things, always", asks, Consent{
			Trusts: trusts("a"), Remembers: func(left []Ask) bool { return len(left) == len(asks) }, Confirm: confirm(false, nil),
		}, "b was not trusted, so nothing was done", asks[1:]},
		{"no", asks, Consent{Trusts: trusts("a"), Confirm: confirm(false, nil)}, "b was not trusted, so nothing was done",
			asks[1:]},
		{"no answer", asks, Consent{Trusts: trusts(), Confirm: confirm(true, errors.New("gone"))}, "gone", asks},
		{"standard input", []Ask{OfVariable(Stdin, "HOME")}, Consent{Trusts: trusts(), Confirm: nil}, "standard input would send " +
			`the environment variable "HOME". Allow it by --trust -`, nil},
		{"all are in the sentence", many(6), Consent{Trusts: trusts()}, `f would load the server at "s:1", load the server at "s:2", ` +
			`load the server at "s:3", load the server at "s:4", load the server at "s:5", load the server at "s:6". ` +
			"Allow it by --trust f", nil},
		{"but very many", many(shown + 7), Consent{Trusts: trusts()},
			strings.TrimSuffix(text(Consent{Trusts: trusts()}.To(many(shown))), ". Allow it by --trust f") +
				", and other things, 107 in all. Allow it by --trust f", nil},
	} {
		shownAsks = nil
		err := test.consent.To(test.asks)
		if got := text(err); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got, test.want)
		}
		if diff := cmp.Diff(test.shown, shownAsks); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// many are servers that a file would load.
func many(n int) []Ask {
	var at []string
	for i := range n {
		at = append(at, fmt.Sprintf("s:%d", i+1))
	}
	return OfPlan("f", targets("tcp", at...))
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// What a file says must not be able to hide what it asks for: by escapes of a terminal, or by characters that turn lines.
func TestWhatAFileAsksForIsShownWhole(t *testing.T) {
	t.Parallel()
	option := "-XX:OnError=x\x1b[2K\r\n\u202eevil\u0007" + strings.Repeat(" ", 300) + "rm"
	got := Listing([]Ask{{"a", JVMOption, option}, {"a", Target, "h:1"}, {"b", Variable, "X"}})
	want := "a would:\n" + `  start a JVM with "-XX:OnError=x\x1b[2K\r\n\u202eevil\a` + strings.Repeat(" ", 300) + `rm"` + "\n" +
		`  load the server at "h:1"` + "\nb would:\n" + `  send the environment variable "X"` + "\n"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestAHostIsATargets(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		ask  Ask
		want string
	}{
		{Ask{"f", Target, "a.example:80"}, "a.example"}, {Ask{"f", Target, "[fe80::1%lo]:80"}, "fe80::1%lo"},
		{Ask{"f", Target, "a.example"}, ""}, {Ask{"f", JVMOption, "a:80"}, ""},
	} {
		if got := test.ask.Host(); got != test.want {
			t.Errorf("%v: %q, want %q", test.ask, got, test.want)
		}
	}
}
