package conform

import (
	"fmt"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// limits makes a server refuse requests beyond a limit, and answer others. Workers whose servers have no limits must refuse to
// serve with them.
func limits(r *rig) (string, error) {
	server, err := r.start(r.pair.server.command)
	if err != nil {
		return "", err
	}
	if !server.Hello.GetLimits() {
		command, err := r.serveCommand(ofKind(stack.KindUnary))
		if err != nil {
			return "", err
		}
		command.Limits = &control.Limits{RequestBytes: 1}
		_, err = server.Serve(r.ctx, command)
		return "hello.limits is false", wantFault(err, "serve.limits")
	}
	refused := stack.ResourceExhausted.String()
	tooLong, why := refused, ""
	if d := deviation(r.pair.server.info, stack.RuleRequestBytes); d != nil {
		tooLong, why = d.GetCode(), fmt.Sprintf("; a longer request is %s, as declared: %s", d.GetCode(), d.GetReason())
	}
	for _, c := range []struct {
		what   string
		call   setup
		limits *control.Limits
		code   string
	}{
		{"all within", ofKind(stack.KindUnary), &control.Limits{RequestBytes: 5000, ResponseBytes: 700, Batch: 1}, stack.OK.String()},
		{"request_bytes", ofKind(stack.KindUnary), &control.Limits{RequestBytes: 500}, tooLong},
		{"response_bytes", ofKind(stack.KindUnary), &control.Limits{ResponseBytes: 699}, refused},
		{"batch within", ofBatch(stack.KindUnary, 7), &control.Limits{Batch: 7}, stack.OK.String()},
		{"batch", ofBatch(stack.KindUnary, 7), &control.Limits{Batch: 6}, refused},
	} {
		if err := r.judged(c.call, func(serve *control.Serve) { serve.Limits = c.limits }, c.code); err != nil {
			return "", fmt.Errorf("%s: %w", c.what, err)
		}
	}
	return "request, response and batch" + why, nil
}

// deviation returns what a stack declares to do instead of a rule; nil if it follows the rule.
func deviation(info *control.StackInfo, rule string) *control.Deviation {
	for _, d := range info.GetDeviations() {
		if d.GetRule() == rule {
			return d
		}
	}
	return nil
}

// checkDeviations checks that a stack deviates from known rules only, and says why.
func checkDeviations(info *control.StackInfo) error {
	for i, d := range info.GetDeviations() {
		switch {
		case d.GetRule() != stack.RuleRequestBytes:
			return fmt.Errorf("deviations has the rule %q, which is unknown", d.GetRule())
		case deviation(info, d.GetRule()) != info.GetDeviations()[i]:
			return fmt.Errorf("deviations has the rule %q twice", d.GetRule())
		case d.GetCode() == "" || d.GetReason() == "" || !info.GetServes():
			return fmt.Errorf("the deviation from %q has no code, no reason or no server", d.GetRule())
		}
	}
	return nil
}
