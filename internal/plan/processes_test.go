package plan

import (
	"slices"
	"testing"
)

func TestRowsShareProcessesWhereAWorkerCanConnectAnew(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		of     func(*Spec) // both
		change func(*Spec)
		shares bool
	}{
		"sizes":       {nil, func(s *Spec) { s.RequestBytes, s.ResponseBytes = 7, 1e6 }, true},
		"shape":       {nil, func(s *Spec) { s.Connections, s.InFlight = 4, 25 }, true},
		"calls":       {nil, func(s *Spec) { s.DurationNs, s.Calls = 0, 10 }, true},
		"time":        {nil, func(s *Spec) { s.DurationNs, s.WarmupNs, s.WarmupMostNs, s.DrainNs = 1, 2, 3, 4 }, true},
		"deadline":    {nil, func(s *Spec) { s.DeadlineNs++ }, true},
		"rate":        {func(s *Spec) { s.Load, s.OfferedPerSec = LoadPoisson, 10 }, func(s *Spec) { s.OfferedPerSec = 20 }, true},
		"batch":       {func(s *Spec) { s.Batch = 1 }, func(s *Spec) { s.Batch = 100 }, true},
		"messages":    {func(s *Spec) { s.Kind, s.Messages = "stream", 5 }, func(s *Spec) { s.Messages = 100 }, true},
		"no batch":    {nil, func(s *Spec) { s.Batch = 1 }, false},
		"load":        {nil, func(s *Spec) { s.Load, s.OfferedPerSec = LoadConstant, 10 }, false},
		"kind":        {nil, func(s *Spec) { s.Kind = "stream" }, false},
		"client":      {nil, func(s *Spec) { s.Stack = "grpc-wire" }, false},
		"server":      {nil, func(s *Spec) { s.Server = "connect-go" }, false},
		"options":     {nil, func(s *Spec) { s.Options = map[string]string{"codec": "bytes"} }, false},
		"jvm":         {nil, func(s *Spec) { s.JVMOptions = "-Xmx1g" }, false},
		"compilers":   {nil, func(s *Spec) { s.CompilersMostNs = 6e10 }, false},
		"security":    {nil, func(s *Spec) { s.Security = "tls" }, false},
		"network":     {nil, func(s *Spec) { s.Network = "unix" }, false},
		"compression": {nil, func(s *Spec) { s.Compression = "gzip" }, false},
		"payload":     {nil, func(s *Spec) { s.Payload = "json" }, false},
		"pinning":     {nil, func(s *Spec) { s.ClientCPUs = "0" }, false},
		"hosts":       {nil, func(s *Spec) { s.ServerHosts = "db1" }, false},
		"clients":     {nil, func(s *Spec) { s.Clients = 2 }, false},
		"binary":      {nil, func(s *Spec) { s.Binary = "a=./b" }, false},
		"label":       {nil, func(s *Spec) { s.Label = "before" }, false},
		"background":  {nil, func(s *Spec) { s.Background = &Background{Kind: "stream"} }, false},
		"a store":     {func(s *Spec) { s.Batch, s.Records = 1, 10 }, func(s *Spec) { s.RequestBytes = 7 }, false},
		"a link":      {func(s *Spec) { s.Link = &Link{RTTNs: 1} }, func(s *Spec) { s.RequestBytes = 7 }, false},
		"a program": {func(s *Spec) { s.Program = &Program{Command: []string{"./x"}} },
			func(s *Spec) { s.RequestBytes = 7 }, false},
	} {
		one := base(func(s *Spec) {
			if test.of != nil {
				test.of(s)
			}
		})
		other := one
		test.change(&other)
		a, b := Trial{Spec: one}, Trial{Spec: other}
		if shares := a.Processes() == b.Processes(); shares != test.shares || a.Point() == b.Point() {
			t.Errorf("%s: share %v, want %v", name, shares, test.shares)
		}
	}
}

// Only what the worker of the client can do counts.
func TestRowsOfAWorkerThatIsNotAbleShareNothing(t *testing.T) {
	t.Parallel()
	const told = "Rows of grpc-far share no processes with one another (--reuse): its worker is not able to connect a client anew."
	for name, test := range map[string]struct {
		host  Host
		rows  int
		reuse []bool
		notes []Note
	}{
		"able":         {Host{Worker: "far", Abilities: Abilities{Reconnects: true}}, 2, []bool{false, true, true, true}, nil},
		"not able":     {Host{Worker: "far"}, 2, []bool{false, false, true, true}, []Note{{NoteOwnProcesses, told}}},
		"of one point": {Host{Worker: "far"}, 1, []bool{false, true}, nil},
	} {
		b := newBuilder(nil, Config{Reuse: true, Hosts: map[string]Host{"grpc-far": test.host}})
		var trials []Trial
		for repetition := range 2 {
			for row := range test.rows {
				spec := base(func(s *Spec) { s.Stack, s.RequestBytes = "grpc-far", 10*row })
				trials = append(trials, Trial{Repetition: repetition + 1, Spec: spec})
			}
		}
		b.share(trials)
		var reuse []bool
		for _, trial := range trials {
			reuse = append(reuse, trial.Reuse)
		}
		if !slices.Equal(reuse, test.reuse) || !slices.Equal(b.notes.all(), test.notes) {
			t.Errorf("%s: reuse %v, want %v; notes %v", name, reuse, test.reuse, b.notes.all())
		}
	}
}
