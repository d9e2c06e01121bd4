package archive

import (
	"net/url"
	"slices"
	"strings"
)

// A Query selects entries: by all that it names.
type Query struct {
	Commit    string // the beginning of its name
	Branch    string
	HostClass string // or the machine's name
	Scenario  string
	Labels    []string
	Uploader  string
	CPU, OS   string // a part of it, in any case
}

// where is the query's condition in SQL, with its values.
func (q Query) where() (condition string, values []any) {
	conditions := []string{"true"}
	add := func(value, condition string, times int) {
		if value == "" {
			return
		}
		conditions = append(conditions, condition)
		for range times {
			values = append(values, value)
		}
	}
	add(q.Commit, "substr(entry->>'commit', 1, length(?)) = ?", 2)
	add(q.Branch, "entry->>'branch' = ?", 1)
	add(q.HostClass, "(entry->>'host_class' = ? OR entry->>'host' = ?)", 2)
	add(q.Scenario, "EXISTS (SELECT 1 FROM json_each(entry, '$.scenarios') WHERE value = ?)", 1)
	for _, label := range q.Labels {
		add(label, "EXISTS (SELECT 1 FROM json_each(entry, '$.labels') WHERE value = ?)", 1)
	}
	add(q.Uploader, "entry->>'uploader' = ?", 1)
	add(strings.ToLower(q.CPU), "instr(lower(entry->>'cpu'), ?) > 0", 1)
	add(strings.ToLower(q.OS), "instr(lower(entry->>'os'), ?) > 0", 1)
	return strings.Join(conditions, " AND "), values
}

// parameters are a query's fields as a URL has them.
func parameters(q *Query) map[string]*string {
	return map[string]*string{"commit": &q.Commit, "branch": &q.Branch, "host-class": &q.HostClass, "scenario": &q.Scenario,
		"uploader": &q.Uploader, "cpu": &q.CPU, "os": &q.OS}
}

// Values writes the query as a URL has it.
func (q Query) Values() url.Values {
	values := url.Values{}
	for name, field := range parameters(&q) {
		if *field != "" {
			values.Set(name, *field)
		}
	}
	if len(q.Labels) > 0 {
		values["label"] = slices.Clone(q.Labels)
	}
	return values
}

// QueryOf reads a query of a URL. Other parameters are others'.
func QueryOf(values url.Values) Query {
	q := Query{}
	for name, field := range parameters(&q) {
		*field = values.Get(name)
	}
	q.Labels = slices.DeleteFunc(slices.Clone(values["label"]), func(l string) bool { return l == "" })
	return q
}
