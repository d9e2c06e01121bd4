package analysis

import "slices"

// partClients replaces every row by a row for each client. Its key columns are those of the whole point, and its figures the
// client's own.
func (b *builder) partClients() {
	parts := map[*Row][]*Row{}
	var all []*Row
	for _, row := range b.report.Rows {
		delete(b.rows, row.Key)
		parts[row] = row.byClient()
		all = append(all, parts[row]...)
	}
	for _, row := range all {
		b.rows[row.Key] = row
	}
	b.report.Rows = all
	for _, table := range b.report.Tables {
		var rows []*Row
		for _, row := range table.Rows {
			rows = append(rows, parts[row]...)
		}
		table.Rows = rows
	}
}

// byClient takes a row apart. Trials that failed before a client was there have no part of it. If that is all of them, the row is
// whole.
func (r *Row) byClient() []*Row {
	rows := make([]*Row, max(r.Spec.ClientCount(), 1))
	for i := range rows {
		rows[i] = &Row{Key: r.Key, Spec: r.Spec, Source: r.Source}
		rows[i].Key.Client = i + 1
		for _, trial := range slices.Concat(r.Trials, r.Failed) {
			switch {
			case len(rows) == 1:
				rows[i].add(trial)
			case i < len(trial.Apart):
				rows[i].add(trial.Apart[i])
			}
		}
	}
	rows = slices.DeleteFunc(rows, func(row *Row) bool { return len(row.Trials)+len(row.Failed) == 0 })
	if len(rows) == 0 {
		return []*Row{r}
	}
	return rows
}

// Client returns which of a point's clients the row is about, from 1, and the name of its host in sentences; 0 for all of them
// together.
func (r *Row) Client() (number int, host string) {
	trials := slices.Concat(r.Trials, r.Failed)
	if r.Key.Client == 0 || len(trials) == 0 || len(trials[0].Clients) == 0 {
		return r.Key.Client, ""
	}
	return r.Key.Client, trials[0].HostName(trials[0].Clients[0].Host)
}

// clientBegun returns how much later than the first client the last one began; for a row of one client, that client.
func clientBegun(m *measurement) (latest float64, known bool) {
	for _, c := range m.trial.Clients {
		latest = max(latest, float64(c.BegunNs))
	}
	return latest, len(m.trial.whole().Clients) > 1
}

// clientRoundTrip is the longest of the clients.
func clientRoundTrip(m *measurement) (longest float64, known bool) {
	for _, c := range m.trial.Clients {
		longest = max(longest, float64(c.RoundTripNs))
	}
	return longest, longest > 0
}
