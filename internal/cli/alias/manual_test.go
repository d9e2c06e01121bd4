package alias

import (
	"cmp"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/plan/point"
	"rpcbench/internal/test/manualtest"
)

var update = flag.Bool("update", false, "write the manual's table of names anew")

// k6 has the words of k6, whose scripts are no aliases.
var k6 = map[string]string{
	"duration": "`duration`", "calls": "`iterations`", "in-flight": "`vus`, `maxVUs`", "rate": "`rate`", "ramp": "`stages`",
	"metadata": "`headers`", "deadline": "`timeout`", "data": "`body`", "insecure-skip-verify": "`insecureSkipTLSVerify`",
	"proto": "`client.load`", "method": "the method of `http`", "label": "`tags`",
}

// byHand are flags of load that keys don't declare, by key.
var byHand = map[string]string{"connections": "connections", "in_flight": "in-flight", "rate": "rate"}

// inTLS are the flags of load that are members of the key tls.
var inTLS = []struct{ member, flag string }{
	{"ca", "cacert"}, {"cert", "cert"}, {"key", "key"}, {"server_name", "server-name"}, {"skip_verify", "insecure-skip-verify"},
}

// TestTheManualsNamesAreThoseDeclared holds the table of docs/load.md to the keys and the aliases; -update writes it anew.
func TestTheManualsNamesAreThoseDeclared(t *testing.T) {
	t.Parallel()
	const head = "| flag | key in YAML | ghz | hey | k6 | others |\n"
	manualtest.Table(t, "load.md", head, nameTable(), *update)
}

// nameTable has a row for each flag of load that stands for a key.
func nameTable() string {
	var table strings.Builder
	table.WriteString("|---|---|---|---|---|---|\n")
	for _, key := range point.Declared() {
		if name := cmp.Or(key.Load.Name, byHand[key.Name]); name != "" {
			table.WriteString(nameRow(name, key.Load.Short, "`"+key.Name+"`"))
		}
	}
	for _, of := range inTLS {
		table.WriteString(nameRow(of.flag, "", "`tls: {"+of.member+": …}`"))
	}
	return table.String()
}

func nameRow(name, short, key string) string {
	own := "`--" + name + "`"
	if short != "" {
		own += ", `-" + short + "`"
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s |\n", own, key, wordsOf(name, "ghz"), wordsOf(name, "hey"), k6[name],
		wordsOf(name, "vanadium", "qps_client", "openloop_client", "curl", "grpcurl", "fortio"))
}

// heysToo are letters of ghz that mean the same in hey.
const heysToo = "cntD"

// wordsOf are the aliases of a flag that tools have.
func wordsOf(name string, owners ...string) string {
	var list []string
	for _, a := range Load {
		if a.flag == name && slices.Contains(owners, "hey") && a.letter != "" && strings.Contains(heysToo, a.letter) {
			list = append(list, "`-"+a.letter+"`")
		}
		if a.flag != name || a.with != "" || !slices.Contains(owners, a.owner) {
			continue
		}
		if len(a.name) > 1 {
			list = append(list, "`--"+a.name+"`")
		}
		if a.letter != "" {
			list = append(list, "`-"+a.letter+"`")
		}
	}
	return strings.Join(list, ", ")
}
