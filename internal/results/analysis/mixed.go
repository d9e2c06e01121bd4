package analysis

import "rpcbench/internal/results/result"

// addMixed adds the calls of a trial's mix to the rows of these calls.
func (r *Row) addMixed(trial *Trial) {
	for i, one := range trial.ByCall {
		if i == len(r.Mixed) {
			r.Mixed = append(r.Mixed, &Row{Key: KeyOf(r.Key.Scenario, one.Spec), Spec: one.Spec, Source: r.Source})
			r.Mixed[i].Key.Client = r.Key.Client
		}
		r.Mixed[i].add(one)
	}
}

// Flat returns rows, each with those of its calls behind it.
func Flat(rows []*Row) []*Row {
	var all []*Row
	for _, row := range rows {
		all = append(append(all, row), row.Mixed...)
	}
	return all
}

// Share is the part that a row of a call has of all calls of the mix; false where there are none.
func (r *Row) Share(whole *Row) (share float64, known bool) {
	if whole.Calls == 0 {
		return 0, false
	}
	return float64(r.Calls) / float64(whole.Calls), true
}

// byCall computes the figures of each call of a mix, from its counts, its histograms, and the times of the whole. What processes
// used, such as CPU time, is known for all calls together only. Verdicts are those of the trial.
func byCall(source *Source, m *measurement) error {
	t := m.trial
	if t.Spec.Method == nil || len(t.Mixed) != len(t.Spec.Method.Mix) {
		return nil
	}
	for i := range t.Mixed {
		own := *t.Trial
		own.Spec = t.Spec.OfCall(i)
		own.Clients = nil
		for _, c := range t.Clients {
			own.Clients = append(own.Clients, result.Client{Side: bare(c.Side), Record: partOf(c.Record, i), BegunNs: c.BegunNs})
		}
		own.Servers, own.Proxy, own.Relay, own.Hosts, own.WireCountedAt = nil, nil, nil, nil, ""
		one, err := figuresWithin(source, &own, t)
		if err != nil {
			return err
		}
		one.trial.findings = t.findings
		t.ByCall = append(t.ByCall, one.trial)
	}
	return nil
}

// bare is a process without what it used.
func bare(s result.Side) result.Side {
	s.Begin, s.End = nil, nil
	return s
}

// partOf is the record of one call of a mix, with the times of the whole.
func partOf(whole result.Record, i int) result.Record {
	if i >= len(whole.Mixed) {
		return result.Record{}
	}
	part := whole.Mixed[i]
	part.ElapsedNs, part.WindowNs, part.StoppedNs = whole.ElapsedNs, whole.WindowNs, whole.StoppedNs
	return part
}
