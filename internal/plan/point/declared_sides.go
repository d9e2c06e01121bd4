package point

import (
	"fmt"
	"strings"
)

// declaredSides say who calls whom.
var declaredSides = []*Key{
	{
		Name: KindKey, Axis: true,
		Values: "`connect`, `first_call`, `unary`, `stream`, `ping_pong`, `burst`, `upload`, `download`, " +
			"`both_ways`, `encode`, `decode`; see " +
			"[what one call is](measuring.md#what-one-call-is)", Otherwise: "required",
		Columns: []Column{{Name: "kind", Is: "of the call", value: func(s Spec) any { return s.Kind }}},
		Sides:   &Sides{func(s Spec) string { return s.Kind }, func(s *Spec) { s.Kind = "" }},
	},
	{
		Name: "stack", Axis: true, Paired: true, Kinds: kinds, fallback: nothing, Trust: Harmless,
		form: text(func(a *Asked) *string { return &a.Stack }, name),
		Values: "names of [stacks](stacks.md), or `all`: every stack except the floor, including " +
			"[those of other workers](workers.md#the-manifest)",
		Otherwise: "the binary's own stacks except the floor",
		Run: Flag{
			Name: "stacks", Help: "comma-separated `stacks` to measure; all includes those of other workers", Form: AsNames,
		},
		Load: Flag{Name: "stack",
			Help: "client `stack` (default grpc-go; with --call grpc-wire where it can; with a URL http-wire)"},
		Columns: []Column{{Name: "stack", Is: "the client's stack", Carrier: true, value: func(s Spec) any { return s.Stack }}},
		Sides: &Sides{func(s Spec) string { return s.Stack }, func(s *Spec) {
			s.Stack, s.Server, s.Program, s.Protocol, s.Options, s.JVMOptions = "", "", nil, "", nil, ""
		}},
	},
	{
		Name: "server", Axis: true, Early: true, Paired: true, Kinds: served, fallback: nothing, Trust: Consent,
		form: formOf(readServer, func(a *Asked, s server) { a.Server, a.Program = s.name, s.program }, writeServer),
		Values: "the server's stack, of the same protocol as the client's, or [a program](servers.md) that is started: `" +
			programExample + "`",
		Otherwise: "the client's stack, or [another](workers.md#which-stacks-are-taken) if that has no server",
		Columns: []Column{{
			Name: "server", Is: "the server's stack, or the address of a running server", Absent: uncalled, Carrier: true,
			value: plain(Spec.Against),
		}},
		Sides: &Sides{Spec.Against, func(s *Spec) { s.Server, s.Program, s.Target = s.Stack, nil, "" }},
	},
	{
		Name: "protocol",
		Columns: []Column{{
			Name: "protocol", Is: "`grpc`, `connect`, `http-json`, `tcp`, `codec`", Carrier: true,
			value: func(s Spec) any { return s.Protocol },
		}},
	},
	{
		Name: "label", Axis: true, Kinds: kinds, fallback: nothing, Trust: Harmless,
		form: text(func(a *Asked) *string { return &a.Label }, label),
		Values: "a name of your choice, such as `before`, that distinguishes trials which are otherwise alike: " +
			"letters, digits, `.`, `_` and " +
			"`-`, at most 64",
		Otherwise: "none",
		Run:       Flag{Name: "label", Help: "`label` that sets these trials apart from others, such as before", Form: AsText},
		Load:      Flag{Name: "label", Help: "`label` that sets these trials apart from others, such as before", Form: AsText},
		Columns:   []Column{{Name: "label", Is: "the user's name for the trials", Absent: "none", value: plain(labelOf)}},
		Sides:     &Sides{labelOf, func(s *Spec) { s.Label = "" }},
		Words: func(s Spec) string {
			if s.Label == "" {
				return ""
			}
			return "label " + s.Label
		},
	},
}

func labelOf(s Spec) string { return s.Label }

const labelMax = 64

// label accepts a word that needs quotes nowhere.
func label(text string) (string, error) {
	const signs = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"
	if text == "" || len(text) > labelMax || strings.Trim(text, signs) != "" {
		return "", fmt.Errorf("%q is not a label: use letters, digits, . _ and -, at most %d characters", text, labelMax)
	}
	return text, nil
}
