package point

// declaredPhases declares the keys for the length and number of measurements. They distinguish no points.
var declaredPhases = []*Key{
	{
		Name: "duration", Kinds: timed, Rival: "calls", fallback: among(timed, "5s"), Trust: Harmless,
		form:   length(func(a *Asked) *int64 { return &a.DurationNs }, span(positiveSpan)),
		Values: "up to 24h: how long calls fall due", Otherwise: "5s",
		Run:  Flag{Name: "duration", Help: "measured `duration` of each trial, such as 5s"},
		Load: Flag{Name: "duration", Short: "z", Help: "measured `duration`, such as 30s; a bare number is seconds (default 5s)"},
	},
	{
		Name: "calls", Kinds: kinds, Rival: "duration", fallback: among(counted, "1000"), Trust: Harmless,
		form:      whole(func(a *Asked) *int64 { return &a.Calls }, count[int64](1, CallsMax)),
		Values:    "1 to 10,000,000,000 calls (`poisson`: 100,000,000), instead of a duration",
		Otherwise: "1000 for connect and first_call",
		Load:      Flag{Name: "calls", Help: "`number` of calls to make, instead of --duration; warm-up makes at most as many more"},
	},
	{
		Name: "warmup", Kinds: kinds, fallback: always("1s"), Trust: Harmless,
		form: formOf(scalarOf(warmup), setWarmup, writeWarmup),
		Values: "0s to 24h of the same load before the measured phase, or a minimum and maximum such as `2s..10s`; see " +
			"[below](#warm-up). [A runtime may need more](workers.md#runtimes)",
		Otherwise: "1s",
		Run:       Flag{Name: "warmup", Help: "warm-up `duration` before each trial, such as 1s, or 2s..10s until steady"},
		Load: Flag{
			Name: "warmup", Help: "warm-up `duration`, such as 1s, or 2s..10s until steady (default 1s; 0s with --format vanadium)",
		},
	},
	{
		Name: "drain", Kinds: kinds, fallback: always("10s"), Trust: Harmless,
		form:   length(func(a *Asked) *int64 { return &a.DrainNs }, span(positiveSpan)),
		Values: "up to 24h: how long late calls may still be sent and answered after the last call is due", Otherwise: "10s",
		Load: Flag{Name: "drain", Help: "`duration` to wait for late calls after the last arrival (default 10s)"},
	},
	{
		Name: "trials", Kinds: kinds, fallback: always("3"), Trust: Harmless,
		form:   whole(func(a *Asked) *int { return &a.Trials }, count(1, TrialsMax)),
		Values: "1 to 1000 repetitions of every point, in fresh processes", Otherwise: "3",
		Run:  Flag{Name: "trials", Help: "`number` of trials per point, each in fresh processes"},
		Load: Flag{Name: "trials", Help: "`number` of trials, each in fresh client processes (default 1)"},
	},
}
