package stacktable_test

import (
	"strings"
	"testing"

	"rpcbench/internal/report/document"
	"rpcbench/internal/report/stacktable"
	"rpcbench/internal/run/fleet"
	"rpcbench/internal/stack"
	"rpcbench/internal/test/canarytest"
)

// The offer of a worker comes from its Hello.
func TestNoStringOfAHelloReachesATerminalAsItIs(t *testing.T) {
	t.Parallel()
	canarytest.Each(t, &fleet.Offer{}, canarytest.Text, func(t *testing.T, offer *fleet.Offer) {
		var text, json strings.Builder
		offers := []fleet.Offer{*offer}
		all := append(document.Document{stacktable.Table(offers)}, stacktable.Options(offers)...)
		if err := document.WriteText(&text, all, document.Style{}); err != nil {
			t.Fatal(err)
		}
		if err := document.WriteJSON(&json, stacktable.Describe(offers)); err != nil {
			t.Fatal(err)
		}
		canarytest.NotHidden(t, "text", text.String())
		canarytest.NotHidden(t, "JSON", json.String())
	})
}

func TestAnOptionIsShownWithItsValues(t *testing.T) {
	t.Parallel()
	offers := []fleet.Offer{{Info: stack.Info{Name: "s", Options: []stack.Option{
		{Name: "codec", Help: "How.", Client: true, Server: true, Words: []string{"proto", "bytes"}, Default: "proto"},
		{Name: "threads", Help: "How many.", Server: true, Numbers: stack.Range{Min: 1, Max: 64}},
		{Name: "origin", Help: "Whose.", Server: true},
	}}}}
	var text strings.Builder
	if err := document.WriteText(&text, stacktable.Options(offers), document.Style{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Options of s\n",
		"codec     client server   proto or bytes                proto     How.\n",
		"threads   server          a whole number from 1 to 64             How many.\n",
		"origin    server          any text                                Whose.\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, text.String())
		}
	}
	var json strings.Builder
	if err := document.WriteJSON(&json, stacktable.Describe(offers)[0].Options); err != nil {
		t.Fatal(err)
	}
	const want = `[{"name":"codec","help":"How.","sides":["client","server"],"words":["proto","bytes"],"default":"proto"},` +
		`{"name":"threads","help":"How many.","sides":["server"],"numbers":{"min":1,"max":64}},` +
		`{"name":"origin","help":"Whose.","sides":["server"]}]`
	if got := strings.Join(strings.Fields(json.String()), ""); got != strings.Join(strings.Fields(want), "") {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
