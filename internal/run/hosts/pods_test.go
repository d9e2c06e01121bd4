package hosts

import (
	"os"
	"strings"
	"testing"
)

const pools = `
pool: {kubernetes: {image: "rpcbench:1", count: 3, resources: {cpu: 2, memory: 1Gi}}}
one: {kubernetes: {image: "rpcbench:1"}, rpcbench: /opt/rpcbench}
db1: {ssh: db1}
`

func TestAnEntryStandsForItsPods(t *testing.T) {
	t.Parallel()
	list, err := parse("hosts.yaml", []byte(pools))
	if err != nil {
		t.Fatal(err)
	}
	for asked, want := range map[string]string{
		"pool": "pool-1 pool-2 pool-3", "pool-2": "pool-2", "one": "one", "pool-3,pool": "pool-3 pool-1 pool-2", "db1,one": "db1 one",
	} {
		got, err := list.Named(strings.Split(asked, ","))
		if names := namesOf(got); names != want || err != nil {
			t.Errorf("%s: %s, %v; want %s", asked, names, err, want)
		}
	}
	for asked, want := range map[string]string{
		"pool": "pool-1,pool-2,pool-3", "db1,pool": "db1,pool-1,pool-2,pool-3", "one": "one", "pool-2,away": "pool-2,away",
	} {
		if got := list.Expand(asked); got != want {
			t.Errorf("%s: %s, want %s", asked, got, want)
		}
	}
	for name, want := range map[string]bool{
		"pool": true, "pool-3": true, "one": true, "db1": false, "local": false, "pool-4": false,
	} {
		if got := list.IsPod(name); got != want {
			t.Errorf("%s is a Pod: %v, want %v", name, got, want)
		}
	}
	pods, _ := list.Named([]string{"pool", "one"})
	if pods[0].pool != pods[2].pool || pods[2].member != 3 || pods[3].pool == pods[0].pool ||
		pods[3].pool.Program != "/opt/rpcbench" || pods[0].pool.Spec.Resources.CPU != "2" {
		t.Errorf("%+v", pods)
	}
}

func namesOf(hosts []Host) string {
	var names []string
	for _, h := range hosts {
		names = append(names, h.Name)
	}
	return strings.Join(names, " ")
}

func TestAWrongEntryOfPodsIsOneSentence(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{
			`a: {kubernetes: {image: i}, ssh: b}`,
			"h.yaml: a: a host has either ssh",
		},
		{
			`a: {kubernetes: {image: i}, address: 10.0.0.1}`,
			"h.yaml: a: address: a Pod has the one that the cluster gives it",
		},
		{
			`a: {kubernetes: {image: i}, binary: b}`,
			"h.yaml: a: binary: nothing is copied to a Pod",
		},
		{
			`a: {kubernetes: {}}`,
			"h.yaml: a: kubernetes: it needs the image",
		},
		{
			`a: {kubernetes: {image: i, resources: {cpu: 1.5}}}`,
			`h.yaml: a: kubernetes: resources: cpu: "1.5" is not a number of whole`,
		},
		{
			`a: {kubernetes: {image: i, node-selector: {}}}`,
			"h.yaml:1:28: unknown field",
		},
		{
			"a: {kubernetes: {image: i, count: 2}}\na-2: {ssh: b}",
			"h.yaml: a: its Pods are a-1 to a-2, and a-2 is another entry",
		},
		{
			`local: {kubernetes: {image: i}}`,
			"h.yaml: local: this entry is the machine that rpcbench runs on",
		},
		{
			"a: {kubernetes: {image: i, tolerations: [{key: b, effect: c}]}}",
			`h.yaml: a: kubernetes: tolerations: the effect "c" is not one of`,
		},
	} {
		if _, err := parse("h.yaml", []byte(c.text)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

func TestTheManualsListIsGood(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile("../../../docs/kubernetes.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(manual), "```yaml\npool:\n")
	if !found {
		t.Fatal("the manual has no list")
	}
	text, _, _ = strings.Cut(text, "```")
	list, err := parse("hosts.yaml", []byte("pool:\n"+text))
	if got := list.Expand("pool,service"); got != "pool-1,pool-2,pool-3,pool-4,service" || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}
