package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/report/naming"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/stat"
)

// leads answer the question of a table in a sentence or two, in words for who reads nothing else. A difference is called one
// only where the spreads are apart.
func leads(rows []*analysis.Row) []string {
	good := slices.DeleteFunc(slices.Clone(rows), func(row *analysis.Row) bool { return len(row.Trials) == 0 })
	switch {
	case len(good) == 0:
		return []string{"No trial succeeded."}
	case len(analysis.BatchFits(good)) > 0:
		return batchLead(good)
	case len(good) == 1 && slices.Contains(askedOfOne, naming.QuestionAt(good[0].Spec)):
		return []string{oneLead(good[0])}
	default:
		return rankLeads(good)
	}
}

// askedOfOne are the questions that percentiles of the response answer.
var askedOfOne = []naming.Question{naming.Setup, naming.Latency, naming.Rate, naming.Open}

// oneLead says how long calls took in a row that is not compared with another.
func oneLead(row *analysis.Row) string {
	half, known := row.Summary(analysis.ResponseP50Ns)
	if !known {
		return row.Spec.Stack + ": no call succeeded."
	}
	if words, changes := alongLead(row); changes {
		return lostWords(row) + words + careWords([]*analysis.Row{row})
	}
	tooFew := slices.Contains(row.TooFewCallsFor(), analysis.ResponseP99Ns)
	p99, ok := row.Summary(analysis.ResponseP99Ns)
	slow := ""
	if ok && !tooFew {
		slow = leadFigure(analysis.ResponseP99Ns, p99)
	}
	took := answeredWords
	if row.Censored() > 0 {
		took = tookWords
	}
	return lostWords(row) + took(row, leadFigure(analysis.ResponseP50Ns, half), slow) + "." + careWords([]*analysis.Row{row})
}

// answeredWords is "Calls were answered at a rate of 50,346/s, half of them within 1.26 ms" where the rate is the question, and
// else "Half of the calls were answered within 146 µs, at 2,000 calls/s". Where calls failed it says so of the others.
func answeredWords(row *analysis.Row, half, slow string) string {
	within := "within " + half
	if slow != "" {
		within += ", 99% within " + slow
	}
	all, them := "Calls", "the calls"
	if row.Errors() > 0 {
		all, them = "The others", "the others"
	}
	return rateWords(row, all, "half of them "+within, "Half of "+them+" were answered "+within)
}

// tookWords are answeredWords of a row with calls that were never sent or answered: of all that did not fail its percentiles are
// lower bounds.
func tookWords(row *analysis.Row, half, slow string) string {
	atLeast := "at least " + half
	if slow != "" {
		atLeast += ", 1% at least " + slow
	}
	them := "the calls"
	if row.Errors() > row.Censored() {
		them = "those that did not fail"
	}
	return rateWords(row, "Calls", "and half of "+them+" took "+atLeast, "Half of "+them+" took "+atLeast)
}

// rateWords add the rate to how long calls took: before it where the rate is the question.
func rateWords(row *analysis.Row, calls, after, first string) string {
	rate, known := row.Summary(analysis.CallsPerSec)
	switch {
	case !known:
		return first
	case naming.QuestionAt(row.Spec) == naming.Rate:
		return fmt.Sprintf("%s were answered at a rate of %s, %s", calls, leadFigure(analysis.CallsPerSec, rate), after)
	default:
		return fmt.Sprintf("%s, at %s calls/s", first, number.None.Text(rate.Median))
	}
}

// lostWords is "25.8% of the calls failed. ", where some did, and "25.8% of the calls failed, and 1.20% were never sent or
// answered. ". Figures are not those of calls that failed; the others are in them as lower bounds.
func lostWords(row *analysis.Row) string {
	censored := row.Censored()
	failed := row.Errors() - censored
	never := number.Share(censored, row.Calls)
	switch {
	case failed > 0 && censored > 0:
		return fmt.Sprintf("%s of the calls failed, and %s were never sent or answered. ", number.Share(failed, row.Calls), never)
	case failed > 0:
		return number.Share(failed, row.Calls) + " of the calls failed. "
	case censored > 0:
		return never + " of the calls were never sent or answered. "
	default:
		return ""
	}
}

// careWords name the verdicts of rows, where they are not good.
func careWords(rows []*analysis.Row) string {
	var verdicts []string
	for _, row := range rows {
		if v := row.Verdict(); v != analysis.VerdictOK {
			verdicts = naming.AppendNew(verdicts, v)
		}
	}
	if len(verdicts) == 0 {
		return ""
	}
	return " Verdict: " + strings.Join(verdicts, ", ") + "."
}

// batchLead says which stack gains how much by batches.
func batchLead(rows []*analysis.Row) []string {
	type gain struct {
		name  string
		row   *analysis.Row
		times float64
	}
	var gains []gain
	for _, fit := range analysis.BatchFits(rows) {
		most := fit.Rows[len(fit.Rows)-1]
		if times, ok := analysis.BatchTimes.Of(most); ok && !most.IsFloor() {
			gains = append(gains, gain{naming.Among(most, rows, naming.BatchHead), most, times})
		}
	}
	if len(gains) == 0 {
		return rankLeads(rows)
	}
	slices.SortStableFunc(gains, func(a, b gain) int { return cmp.Compare(b.times, a.times) })
	var words []string
	for _, g := range gains[:min(len(gains), maxNamed)] {
		rate, _ := g.row.Summary(analysis.OperationsPerSec)
		times, _ := timesWords(analysis.BatchTimes, g.row)
		words = append(words, fmt.Sprintf("%s with %s, %s ops/s", times, g.name, number.None.Text(rate.Median)))
	}
	return []string{fmt.Sprintf("Batches of %s operations carry more operations per second than single ones: %s.",
		naming.Counted(gains[0].row.Spec.Batch), strings.Join(words, "; "))}
}

// maxNamed is the maximum number of rows in a sentence, and of sentences.
const maxNamed = 3

// rankLeads name the best row of each point, of the first and the last where there are many.
func rankLeads(rows []*analysis.Row) []string {
	groups := analysis.ByKey(rows, func(row *analysis.Row) analysis.Key { return row.PointWith(func(*plan.Spec) {}) })
	several := len(groups) > 1
	if len(groups) > maxNamed {
		groups = [][]*analysis.Row{groups[0], groups[len(groups)-1]}
	}
	var lines []string
	for _, group := range groups {
		if line := rankLead(group, rows, several); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// rankLead is "grpc-go has the lowest median response, 95.0 µs (92.2–97.9), 4.3× (4.1–4.6) the floor; connect-go follows with
// 131 µs.".
func rankLead(group, all []*analysis.Row, several bool) string {
	stacks := slices.DeleteFunc(slices.Clone(group), (*analysis.Row).IsFloor)
	if len(stacks) == 0 {
		stacks = group
	}
	m := leadMetric(stacks, all)
	stacks = slices.DeleteFunc(stacks, func(row *analysis.Row) bool { _, ok := row.Summary(m); return !ok })
	if len(stacks) == 0 {
		return ""
	}
	higher := m.Declare().Kind.Better() == stat.Higher
	slices.SortStableFunc(stacks, func(a, b *analysis.Row) int {
		if higher {
			a, b = b, a
		}
		x, _ := a.Summary(m)
		y, _ := b.Summary(m)
		return cmp.Or(cmp.Compare(judgedOf(a, m).Median, judgedOf(b, m).Median), cmp.Compare(x.Median, y.Median))
	})
	at := ""
	if several {
		at = pointWords(stacks[0], all)
	}
	best, _ := stacks[0].Summary(m)
	words := leadFigure(m, best) + floorWords(stacks[0], m)
	if len(stacks) == 1 {
		does := fmt.Sprintf(leadAlone[m], atLeast(stacks[0], m)+words)
		name := cmp.Or(stacks[0].Spec.Target, leadName(stacks[0], group))
		return at + lostWords(stacks[0]) + name + " " + does + "." + careWords(stacks)
	}
	if alike, not := notRanked(stacks, m, higher); not != "" {
		return at + closeWords(alike, group, m, not)
	}
	second, _ := stacks[1].Summary(m)
	next := m.Declare().Kind.Unit().Text(second.Median) + perSecond(m)
	extreme := "lowest"
	if higher {
		extreme = "highest"
	}
	return fmt.Sprintf("%s%s has the %s %s, %s; %s follows with %s.", at, leadName(stacks[0], group), extreme, leadNames[m], words,
		leadName(stacks[1], group), partlyWords(stacks[1], m, next)) + careWords(stacks[:2])
}

// notRanked are the best row and those that can't be told from it, and why they are not ranked; "" if the best is. Rows without
// a spread are only said to be close to the next.
func notRanked(stacks []*analysis.Row, m analysis.Metric, higher bool) (alike []*analysis.Row, not string) {
	best := judgedOf(stacks[0], m)
	isApart := func(row *analysis.Row) bool { return apartBy(best, judgedOf(row, m), higher) }
	switch {
	case isApart(stacks[1]) && isPartly(stacks[0], m):
		return stacks[:2], "can't be ranked by"
	case isApart(stacks[1]):
		return nil, ""
	}
	alike = slices.Clone(stacks[:2])
	for _, row := range stacks[2:] {
		if s := judgedOf(row, m); best.N > 1 && s.N > 1 && !isApart(row) {
			alike = append(alike, row)
		}
	}
	return alike, "are not clearly apart in"
}

// closeWords is "grpc-go, connect-go and 2 more are not clearly apart in rate of calls: 13,192/s (12,652–15,448) and 12,164/s
// (3,934–13,424).".
func closeWords(alike, group []*analysis.Row, m analysis.Metric, not string) string {
	var names, figures []string
	named := alike[:min(len(alike), maxNamed)]
	for _, row := range named {
		s, _ := row.Summary(m)
		names, figures = append(names, leadName(row, group)), append(figures, partlyWords(row, m, leadFigure(m, s)))
	}
	if more := len(alike) - len(named); more > 0 {
		names = append(names, number.Whole(more)+" more")
	}
	return fmt.Sprintf("%s %s %s: %s.", andWords(names), not, leadNames[m], andWords(figures)) + careWords(named)
}

// andWords is "a, b and c".
func andWords(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// judgedOf is the figure by which a row is ranked: of a percentile, that of all calls, because one of those that did not fail, or
// of lower bounds, may be small where little was served.
func judgedOf(row *analysis.Row, m analysis.Metric) stat.Summary {
	if s, ok := row.Summary(m.Judged()); ok {
		return s
	}
	s, _ := row.Summary(m)
	return s
}

// isPartly reports whether a row's figure is a percentile that leaves much of what was due out, or is a lower bound.
func isPartly(row *analysis.Row, m analysis.Metric) bool {
	return atLeast(row, m) != "" || !m.Judged().IsServed(judgedOf(row, m).Median)
}

// partlyWords is "at least 146 µs (50.00% of the calls were never sent or answered)" of a figure that isPartly, and the figure of
// others.
func partlyWords(row *analysis.Row, m analysis.Metric, figure string) string {
	if !isPartly(row, m) {
		return figure
	}
	return atLeast(row, m) + figure + " (" + strings.TrimSuffix(lostWords(row), ". ") + ")"
}

// leadName is "grpc-go (server connect-go)", with the parts in which the row differs from others of its group.
func leadName(row *analysis.Row, group []*analysis.Row) string {
	stack, others, several := strings.Cut(naming.Among(row, group), ", ")
	if !several {
		return stack
	}
	return stack + " (" + others + ")"
}

// floorWords is ", 4.3× (4.1–4.6) the floor"; of rates the floor's is that many times as high. A codec is held against protobuf.
func floorWords(row *analysis.Row, m analysis.Metric) string {
	if row.Protobuf != nil && row.Protobuf != row && !analysis.ProtobufTimes.Doubtful(row) {
		if times, ok := timesWords(analysis.ProtobufTimes, row); ok {
			return ", " + times + " that of protobuf"
		}
	}
	ofTimes := m.Declare().Kind == analysis.Throughput && !row.RateLike() // beside a rate
	if row.IsFloor() || m != row.Headline() || ofTimes || analysis.FloorTimes.Doubtful(row) {
		return ""
	}
	times, ok := timesWords(analysis.FloorTimes, row)
	switch {
	case !ok:
		return ""
	case row.RateLike():
		return ", where the floor has " + times + " as many"
	default:
		return ", " + times + " the floor"
	}
}

// leadNames are the metrics that a lead is about.
var leadNames = map[analysis.Metric]string{
	analysis.ResponseP50Ns: "median response time", analysis.ResponseP99Ns: "p99 response time",
	analysis.CallsPerSec:    "rate of calls",
	analysis.MessagesPerSec: "rate of messages", analysis.OperationsPerSec: "rate of operations",
	analysis.NsPerOperation: "time per operation",
}

// leadAlone are sentences about a row without others, with its figure.
var leadAlone = map[analysis.Metric]string{
	analysis.ResponseP50Ns: "has a median response time of %s", analysis.ResponseP99Ns: "has a p99 response time of %s",
	analysis.CallsPerSec: "makes calls at a rate of %s", analysis.MessagesPerSec: "carries messages at a rate of %s",
	analysis.OperationsPerSec: "carries operations at a rate of %s", analysis.NsPerOperation: "takes %s per operation",
}

// leadMetric is what rows of a point are ranked by: what their table is about, like its chart, if they have it. Instead of a
// percentile of too few calls it is the median.
func leadMetric(rows, all []*analysis.Row) analysis.Metric {
	m := naming.HeadlineOf(all)
	if !slices.ContainsFunc(rows, has(m)) {
		m = rows[0].Headline()
	}
	if slices.ContainsFunc(rows, func(row *analysis.Row) bool { return isOfFew(row, m) }) {
		return analysis.ResponseP50Ns
	}
	return m
}

// atLeast is "at least " before a percentile that is a lower bound.
func atLeast(row *analysis.Row, m analysis.Metric) string {
	if row.Censored() > 0 && m.Declare().Quantile > 0 {
		return "at least "
	}
	return ""
}

// leadFigure is "95.0 µs (92.2–97.9)".
func leadFigure(m analysis.Metric, s stat.Summary) string {
	printed := m.Declare().Kind.Unit().Format().At(s.Median)
	words := printed.Text(s.Median) + perSecond(m)
	if s.N > 1 {
		words += fmt.Sprintf(" (%s–%s)", printed.Bare(s.Lo), printed.Bare(s.Hi))
	}
	return words
}

func perSecond(m analysis.Metric) string {
	if m.Declare().Kind == analysis.Throughput {
		return "/s"
	}
	return ""
}

// apartBy reports whether the spread of the better figure is separate from that of the other. A single trial has no spread.
func apartBy(best, second stat.Summary, higher bool) bool {
	if best.N < 2 || second.N < 2 {
		return false
	}
	if higher {
		return best.Lo > second.Hi
	}
	return best.Hi < second.Lo
}

// pointWords is "payload 64 B: ", with the parts in which the row's point differs from others. The server is named with its
// stack.
func pointWords(row *analysis.Row, all []*analysis.Row) string {
	words := strings.TrimPrefix(naming.Among(row, all, "server"), naming.Stack(row))
	words = strings.TrimPrefix(words, ", ")
	if words == "" {
		return ""
	}
	return upperFirst(words) + ": "
}
