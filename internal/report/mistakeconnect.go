package report

import (
	"fmt"

	"rpcbench/internal/plan/number"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/result"
)

// reopenedShare is the share of calls with a new connection from which percentiles that people look at include connecting: with
// 1% it is the p99.
const reopenedShare = 0.01

// connectionsReopened finds loads whose connections did not last, which rpcbench opens anew, as clients do.
func connectionsReopened(r *analysis.Report) []string {
	rows := rowsWhere(r, someTrial(func(t *analysis.Trial) bool { return openingOf(t).share() >= reopenedShare }))
	if rows == "" {
		return nil
	}
	var worst opening
	for _, row := range r.Rows {
		for _, trial := range row.Trials {
			if o := openingOf(trial); o.share() > worst.share() {
				worst = o
			}
		}
	}
	return []string{fmt.Sprintf("%s measured on connections that did not last: up to %s were opened anew in a measured "+
		"phase, for %s, and their latencies include connecting. %s", rows, number.Count(worst.connections, "connection"),
		number.Count(worst.calls, "call"), worst.why())}
}

// An opening is how many connections were opened anew in a measured phase, for how many calls, and how many of these were cut off
// by their deadline and their connection with them.
type opening struct{ connections, calls, cut int }

// why says what probably closed the connections.
func (o opening) why() string {
	if 2*o.cut >= o.connections {
		return fmt.Sprintf("Their deadline cut %s off, and over HTTP/1.1 the connection is lost with a call: see why they take so "+
			"long, or allow more (--deadline).", number.Count(o.cut, "call"))
	}
	return "The server, or a proxy in front of it, probably closes them: see how long, and for how many requests, it keeps " +
		"connections open."
}

func (o opening) share() float64 { return float64(o.connections) / max(float64(o.calls), 1) }

// openingOf returns nothing if opening a connection is what a call does or was asked to do, or if sockets were not counted. It
// ignores connections that a client opens when it first needs them.
func openingOf(t *analysis.Trial) opening {
	if t.Spec.Opens() || !t.Spec.KeepsAlive() || t.Client.Begin == nil || t.Client.End == nil {
		return opening{}
	}
	var cut int64
	for _, outcome := range t.Outcomes {
		if t.Spec.IsHTTP1() && outcome.Code == result.CodeDeadline {
			cut += outcome.Calls
		}
	}
	return opening{int(max(0, t.Client.End.Sockets-t.Client.Begin.Sockets-int64(t.Spec.Slots()))), int(t.Arrivals), int(cut)}
}
