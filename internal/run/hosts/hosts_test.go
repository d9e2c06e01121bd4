package hosts

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestAListIsReadAsItIsWritten(t *testing.T) {
	t.Parallel()
	list, err := parse("hosts.yaml", []byte(`
db1: {ssh: me@db1.example.com, options: [-p, "2222"], address: 10.0.0.5}
node7: {command: [srun, -w, "{host}"], rpcbench: /opt/rpcbench}
local: {address: 10.0.0.2}
`))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(list.Names(), " "); got != "db1 node7" || list.LocalAddress() != "10.0.0.2" {
		t.Errorf("names %s, local %s", got, list.LocalAddress())
	}
	got, err := list.Named([]string{"node7", "local", "db1"})
	want := []Host{
		{Name: "node7", Command: []string{"srun", "-w", "{host}"}, Program: "/opt/rpcbench"},
		{Name: "db1", SSH: "me@db1.example.com", Options: []string{"-p", "2222"}, Address: "10.0.0.5"},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Host{})); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if _, err := list.Named([]string{"db2"}); err == nil || !strings.HasPrefix(err.Error(), `the host "db2" is not in hosts.yaml`) {
		t.Errorf("error %v", err)
	}
}

func TestAWrongListIsOneSentenceWithItsPlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"db1: {}":                               "h.yaml: db1: a host has either ssh, such as user@host, or command",
		"db1: {ssh: a, command: [b]}":           "h.yaml: db1: a host has either ssh",
		"db1: {ssh: -oProxyCommand=evil}":       `h.yaml: db1: ssh: "-oProxyCommand=evil" is not a destination`,
		"db1: {ssh: a b}":                       `h.yaml: db1: ssh: "a b" is not a destination`,
		"db1: {command: [a], options: [-p]}":    "h.yaml: db1: options are of ssh",
		"db1: {command: [a, '']}":               "h.yaml: db1: a word is empty",
		"db1: {ssh: a, port: 22}":               `h.yaml:1:15: unknown field "port"; a host has ssh, options, command, address`,
		"hosts: {db1: {port: 22}}":              `h.yaml:1:15: unknown field "port"; a host has ssh`,
		"hosts: {db1: {}, db2: {}}\nlocal: {}":  "h.yaml:",
		"db1: {ssh: a, rpcbench: b, binary: c}": "h.yaml: db1: rpcbench is there already",
		"'a b': {ssh: a}":                       "h.yaml: a b: a name has letters",
		strings.Repeat("a", 65) + ": {ssh: a}":  "h.yaml: " + strings.Repeat("a", 65) + ": a name has letters",
		"local: {ssh: a}":                       "h.yaml: local: this entry is the machine that rpcbench runs on",
		"db1: x":                                "h.yaml:1:6: one value is given; expected a map: each host is a name and its",
		"- db1":                                 "h.yaml:1:1: a list is given; expected a map: each host is a name and its",
		"db1: {ssh: a, options: x}":             "h.yaml:1:24: one value is given; expected a list",
		"db1: {ssh: [a]}":                       "h.yaml:1:12: a list is given; expected text",
		"hosts: {db1: {ssh: a}}\n---\n{}":       "h.yaml: a second YAML document begins",
		strings.Repeat("[", 65):                 "h.yaml:1: values are nested",
		"db1: {ssh: a}\n---\ndb2: {ssh: a}":     "h.yaml: a second YAML document begins; the file has to be one",
	} {
		if _, err := parse("h.yaml", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for _, text := range []string{"hosts: {db1: {ssh: a}, db2: {ssh: b}}", "db1: {ssh: a}\ndb2: {ssh: b}",
		"\ufeffdb1: {ssh: a}\r\ndb2: {ssh: b}\r\n", "\ufeffhosts: {db1: {ssh: a}, db2: {ssh: b}}"} {
		if list, err := parse("h.yaml", []byte(text)); err != nil || !slices.Equal(list.Names(), []string{"db1", "db2"}) {
			t.Errorf("%q: %v, %v", text, list.Names(), err)
		}
	}
	if list, err := parse("h.yaml", []byte("hosts: {ssh: a}")); err != nil || !slices.Equal(list.Names(), []string{"hosts"}) {
		t.Errorf("a host named hosts: %v, %v", list.Names(), err)
	}
	longest := strings.Repeat("a", 64)
	if list, err := parse("h.yaml", []byte(longest+": {ssh: a}")); err != nil || !slices.Equal(list.Names(), []string{longest}) {
		t.Errorf("the longest name: %v, %v", list.Names(), err)
	}
	if list, err := parse("h.yaml", nil); err != nil || len(list.Names()) != 0 {
		t.Errorf("an empty file: %v, %v", list, err)
	}
}
