package require_test

import (
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/require"
	"rpcbench/internal/stack"
)

func TestARequirementThatNoTrialCanMeetIsRefused(t *testing.T) {
	t.Parallel()
	method, url := &plan.Method{}, &plan.Method{HTTP: true}
	unary := plan.Spec{Kind: stack.KindUnary, Load: plan.LoadClosed, Method: method}
	open := plan.Spec{Kind: stack.KindUnary, Load: plan.LoadConstant, Method: method}
	download := plan.Spec{Kind: stack.KindDownload, Load: plan.LoadClosed, Method: method}
	get := plan.Spec{Kind: stack.KindUnary, Load: plan.LoadClosed, Method: url}
	encode := plan.Spec{Kind: stack.KindEncode}
	for _, c := range []struct {
		requirement string
		specs       []plan.Spec
		want        string // "" is allowed
	}{
		{"errors:503<1%", []plan.Spec{unary, download}, "errors:503: only URLs are answered with a status of HTTP"},
		{"errors:503<1%", []plan.Spec{unary, get}, ""},
		{"errors:UNAVAILABLE<1%", []plan.Spec{unary}, ""},
		{"messages_per_sec>1", []plan.Spec{unary}, "messages_per_sec, which is empty for: connect, first_call, unary"},
		{"messages_per_sec>1", []plan.Spec{unary, download}, ""},
		{"reply_gap_p99<1s", []plan.Spec{unary}, "reply_gap_p99_ns: only a download with `call` has it"},
		{"message_p99<1s", []plan.Spec{download},
			"message_p99_ns: only a stream with `call` has it; there is first_reply_p99 and reply_gap_p99"},
		{"message_p50<1s", []plan.Spec{unary, download},
			"message_p50_ns: only a stream with `call` has it; there is first_reply_p50 and reply_gap_p50"},
		{"reply_gap_p99<1s", []plan.Spec{download}, ""},
		{"first_reply_p99<1s", []plan.Spec{download}, ""},
		{"message_lag_p99<1s", []plan.Spec{download}, "message_lag_p99_ns, which is empty for: no message rate"},
		{"wake_p99<1s", []plan.Spec{unary}, "wake_p99_ns, which is empty for: closed"},
		{"wake_p99<1s", []plan.Spec{open}, ""},
		{"response_p99<1s", []plan.Spec{encode}, "response_p99_ns, which is empty for: no call to take it from"},
		{"response_p99<1s", []plan.Spec{unary}, ""},
		{"server_cpu_per_call<1s", []plan.Spec{unary}, ""},
		{"response_p99<1s", nil, ""},
	} {
		r, err := require.Parse(c.requirement)
		if err != nil {
			t.Fatal(err)
		}
		var trials []plan.Trial
		for _, spec := range c.specs {
			trials = append(trials, plan.Trial{Spec: spec})
		}
		got := ""
		if err := require.CheckPlan([]require.Requirement{r}, trials); err != nil {
			got = err.Error()
		}
		if want := `requirement "` + c.requirement + `": no row can have ` + c.want; got != want && (got != "" || c.want != "") {
			t.Errorf("%s: %q, want %q", c.requirement, got, c.want)
		}
	}
}
