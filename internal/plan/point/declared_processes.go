package point

import "time"

// declaredProcesses declares the keys for where the sides run, what runs in the background, and how stacks and runtimes are
// configured.
var declaredProcesses = []*Key{
	{
		Name: "client_cpus", Axis: true, Kinds: kinds, fallback: nothing, Trust: Harmless,
		form: text(func(a *Asked) *string { return &a.ClientCPUs }, cpus),
		Values: "processors that the client may run on, such as `0-1,3`, or `all`; sets of them, `0-1/2-3`, have a " +
			"[client](#clients) each", Otherwise: "`all`",
		Load: Flag{Name: "client-cpus", Help: "`processors` to pin the client to, such as 0-1; 0-1/2-3 is a client on each set"},
		Columns: []Column{{
			Name: "client_cpus", Is: "processors, `0-1,3`", Absent: "all of them",
			value: plain(func(s Spec) string { return s.ClientCPUs }),
		}},
	},
	{
		Name: "server_cpus", Axis: true, Kinds: served, fallback: nothing, Trust: Harmless,
		form:   text(func(a *Asked) *string { return &a.ServerCPUs }, cpus),
		Values: "the same for the server", Otherwise: "`all`",
		Columns: []Column{{
			Name: "server_cpus", Is: "processors", Absent: "all of them", value: plain(func(s Spec) string { return s.ServerCPUs }),
		}},
	},
	{
		Name: "background", Axis: true, Kinds: carrying, fallback: nothing, Trust: Harmless,
		form: formOf(background, func(a *Asked, b *Background) { a.Background = b },
			func(a Asked) Node { return a.Background.write() }),
		Values:    "`none`, or a map such as `{kind: stream, messages: 100, request_bytes: 10}`; see [below](#background)",
		Otherwise: "`none`",
		Load: Flag{Name: "background",
			Help: "`call` that runs in the background, such as '{kind: stream, messages: 100, request_bytes: 10}'"},
		Columns: []Column{{
			Name: "background", Is: "the call made in addition to the measured ones, `k=v;k=v`", Absent: "none",
			value: plain(func(s Spec) string { return s.Background.Text() }),
		}},
	},
	{
		Name: "deadline", Axis: true, Kinds: kinds, fallback: always(deadlineDefault.String()), Trust: Harmless,
		form:   length(func(a *Asked) *int64 { return &a.DeadlineNs }, span(DeadlineMin)),
		Values: "1ms to 24h: a call that takes longer is cancelled and counts as DEADLINE_EXCEEDED", Otherwise: "10s",
		Load: Flag{Name: "deadline", Help: "`duration` after which a call fails: its deadline (default 10s)"},
		Columns: []Column{{
			Name: "deadline_ns", Is: "of every call, ns", Usual: Printed(deadlineDefault.Nanoseconds()),
			value: positive(func(s Spec) int64 { return s.DeadlineNs }),
		}},
	},
	{
		Name: "options", Axis: true, Kinds: kinds, fallback: nothing, Trust: Harmless,
		form:   formOf(options, func(a *Asked, set map[string]string) { a.Options = set }, writeOptions),
		Values: "a map of the [stack's own options](stacks.md); a list of maps is the axis", Otherwise: "none",
		Columns: []Column{{
			Name: "options", Is: "the stack's, sorted `k=v;k=v`", Absent: "none", Carrier: true, value: plain(optionsText),
		}},
		Sides: &Sides{optionsText, func(s *Spec) { s.Options = nil }},
	},
	{
		Name: "jvm_options", Axis: true, Kinds: kinds, fallback: nothing, Trust: Consent,
		form:   text(func(a *Asked) *string { return &a.JVMOptions }, jvmOptions),
		Values: "options such as `-Xms2g -Xmx2g`, for [sides that run on a JVM](workers.md#runtimes)", Otherwise: "none",
		Run: Flag{Name: "jvm-options",
			Help: "JVM `options` of workers that run on a JVM, such as '-Xms2g -Xmx2g'", Form: AsText},
		Load: Flag{Name: "jvm-options",
			Help: "JVM `options` of a client that runs on a JVM, such as '-Xms2g -Xmx2g'", Form: AsText},
		Columns: []Column{{
			Name: "jvm_options", Is: "of each side that runs on a JVM", Absent: "no side does, or it has none", Carrier: true,
			value: plain(func(s Spec) string { return s.JVMOptions }),
		}},
		Sides: &Sides{func(s Spec) string { return s.JVMOptions }, func(s *Spec) { s.JVMOptions = "" }},
	},
	{
		Name: "binary", Axis: true, Kinds: kinds, fallback: nothing, Trust: Consent,
		form: text(func(a *Asked) *string { return &a.Binary }, binary),
		Values: "`NAME=PATH` of a build of rpcbench, or of another program that is a worker, which hosts both sides' " +
			"stacks, on this machine only; a list " +
			"interleaves several. See [below](#several-binaries)",
		Otherwise: "this program, or the stack's worker",
		Run: Flag{Name: "binary", Form: AsList,
			Help: "build of rpcbench or of a worker to measure, `NAME=PATH`; given several times, builds are interleaved"},
		Columns: []Column{{
			Name: "binary", Is: "the program that hosted the stacks: its name, and the first digits of its SHA-256, `old@004c7ef5b350`",
			Absent: "this one, or the stack's worker", Carrier: true, value: plain(binaryBuild),
		}},
		Sides: &Sides{Spec.BinaryName, func(s *Spec) { s.Binary, s.BinaryHash, s.BinaryVersion = "", "", "" }},
		Words: func(s Spec) string {
			if s.Binary == "" {
				return ""
			}
			return "binary " + s.BinaryName()
		},
	},
}

const deadlineDefault = 10 * time.Second

func optionsText(s Spec) string { return pairs(s.Options) }

func writeOptions(a Asked) Node {
	if a.Options == nil {
		return absent()
	}
	return mapNode(a.Options)
}
