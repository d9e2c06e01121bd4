package analysis

import (
	"slices"

	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/stack"
)

// A Key identifies a row: a scenario, and what was measured in it. The measured duration is not part of it.
type Key struct {
	Scenario string
	Point    point.ID
	Client   int // of a row that is one client's part of a point, from 1; 0 is all of them together
}

// KeyOf returns the key of a trial in a scenario.
func KeyOf(scenario string, spec plan.Spec) Key { return Key{Scenario: scenario, Point: spec.ID()} }

// KeyWith returns the key of the row's scenario and point after a change.
func (r *Row) KeyWith(change func(*plan.Spec)) Key {
	spec := r.Spec
	change(&spec)
	key := KeyOf(r.Key.Scenario, spec)
	key.Client = r.Key.Client
	return key
}

// PointWith returns a key that is the same for rows that, after the change, differ in nothing but who carried the calls,
// and how.
func (r *Row) PointWith(change func(*plan.Spec)) Key {
	return r.KeyWith(func(s *plan.Spec) { change(s); asFloor(s) })
}

// asFloor makes a point the floor's. The floor has no options, compresses nothing, has no codec, and passes no proxy.
func asFloor(s *plan.Spec) {
	s.Stack, s.Server, s.Target, s.Protocol = plan.FloorStack, plan.FloorStack, "", stack.ProtocolTCP
	s.Options, s.JVMOptions, s.Compression, s.Codec = nil, "", stack.CompressionNone, ""
	s.Binary, s.BinaryHash, s.BinaryVersion = "", "", ""
	s.Proxy = nil
}

// likeFloor reports whether the row of this point can be the floor; Row.IsFloor knows whether it is.
func likeFloor(s plan.Spec) bool {
	return s.Stack == plan.FloorStack && s.Against() == plan.FloorStack && s.Protocol == stack.ProtocolTCP &&
		len(s.Options) == 0 && s.JVMOptions == "" && s.Compression == stack.CompressionNone && s.Codec == "" &&
		s.Binary == "" && s.Proxy == nil
}

// SamePoint reports whether two rows differ in nothing but who carried the calls, and how.
func (r *Row) SamePoint(other *Row) bool { return r.KeyWith(asFloor) == other.KeyWith(asFloor) }

// RateLike reports whether a row's headline is a rate, not a latency: closed loads with more than one call in flight, or with
// several messages in a call.
func (r *Row) RateLike() bool { return r.Spec.Closed() && (r.Spec.Slots() > 1 || r.Spec.Streaming()) }

// A Field is one column of a row. Its Value is a string, an int64, a float64, or nil where it is not applicable.
type Field struct {
	Name  string
	Value any
}

// columnScenario is the first of all columns.
const columnScenario = "scenario"

// Fields returns all key columns. Together they distinguish any two rows.
func (r *Row) Fields() []Field {
	return slices.Concat(r.SealedFields(), r.AppendedFields(), r.LatestFields())
}

// SealedFields returns the key columns of the scripting contract in its order: who was measured, what a call was, and under which
// conditions. AppendedFields and LatestFields return later ones.
func (r *Row) SealedFields() []Field {
	return append([]Field{{columnScenario, r.Key.Scenario}}, fields(point.Sealed(), r.Spec)...)
}

// AppendedFields are the key columns that the contract did not have from the start, LatestFields those that came last.
func (r *Row) AppendedFields() []Field {
	return fields(point.Appended()[:len(point.Appended())-len(point.Latest())], r.Spec)
}

// LatestFields are the key columns behind all others.
func (r *Row) LatestFields() []Field { return fields(point.Latest(), r.Spec) }

func fields(columns []point.Column, s plan.Spec) []Field {
	list := make([]Field, len(columns))
	for i, c := range columns {
		list[i] = Field{c.Name, c.Value(s)}
	}
	return list
}

// ColumnNames are the names of all key columns.
func ColumnNames() []string {
	names := []string{columnScenario}
	for _, c := range point.Columns() {
		names = append(names, c.Name)
	}
	return names
}
