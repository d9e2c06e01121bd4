package stacktable_test

import (
	"strings"
	"testing"

	"rpcbench/internal/report/document"
	"rpcbench/internal/report/stacktable"
	"rpcbench/internal/run/fleet"
	"rpcbench/internal/test/canarytest"
)

// The offer of a worker comes from its Hello.
func TestNoStringOfAHelloReachesATerminalAsItIs(t *testing.T) {
	t.Parallel()
	canarytest.Each(t, &fleet.Offer{}, canarytest.Text, func(t *testing.T, offer *fleet.Offer) {
		var text, json strings.Builder
		offers := []fleet.Offer{*offer}
		if err := document.WriteText(&text, document.Document{stacktable.Table(offers)}, document.Style{}); err != nil {
			t.Fatal(err)
		}
		if err := document.WriteJSON(&json, stacktable.Describe(offers)); err != nil {
			t.Fatal(err)
		}
		canarytest.NotHidden(t, "text", text.String())
		canarytest.NotHidden(t, "JSON", json.String())
	})
}
