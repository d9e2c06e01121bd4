package point

import (
	"strconv"

	"rpcbench/internal/call/target"
	"rpcbench/internal/plan/schedule"
	"rpcbench/internal/stack"
)

// ofService is the form of a field of the service, which is not part of a Spec.
func ofService[T any](read func(Node) (T, error), field func(*Service) *T) form {
	return formOf(read, func(a *Asked, value T) { *field(&a.Service) = value }, func(Asked) Node { return absent() })
}

// serviceKey returns the key of a running server: it has one value, whatever its calls are.
func serviceKey(k Key, f form) *Key {
	k.form, k.Kinds, k.Early, k.fallback = f, served, true, nothing
	return &k
}

// dataFormats are how requests can be written.
var dataFormats = []string{"json", "jsonl", "csv", "binary"}

// declaredService declares the keys for foreign servers and what their calls send.
var declaredService = []*Key{
	serviceKey(Key{
		Name: "target", Trust: Consent,
		Values:    "a running server: `host:port`, `unix:PATH` or a URL of http or https",
		Otherwise: "none: rpcbench starts its own servers",
	}, ofService(scalarOf(target.Parse), func(s *Service) *target.Target { return &s.Target })),
	serviceKey(Key{
		Name: "call", Trust: Consent, Values: "a method of gRPC, `package.Service/Method`",
		Otherwise: "rpcbench's own services",
		Load:      Flag{Name: "call", Form: AsText, Help: "`method` of your own service to call, package.Service/Method"},
	}, callForm),
	{
		Name: "mix", List: true, Kinds: []string{stack.KindUnary}, Early: true, fallback: nothing, Trust: Consent,
		form: ofService(mix, func(s *Service) *[]Mixed { return &s.Mix }),
		Values: "a list of up to 64 calls of which each is one, by weights; see [mixed calls](load.md#mixed-calls). Each is a map of " +
			"`call` or `path`, and as these need `method`, `expect_status`, `data`, `data_file`, `data_format`, `sample_data`, " +
			"`metadata`, `weight`, `name`",
		Otherwise: "one call",
		Load: Flag{Name: "mix", Form: AsList, Secret: true,
			Help: "one of several calls, by weights: '`WEIGHT METHOD [DATA]`', or with a URL 'WEIGHT GET /path [DATA]'; repeatable"},
		Columns: []Column{
			{
				Name: "mix", Is: "the calls that a load mixes, with their shares by weight and the statuses that they expect",
				Absent: "one call",
				value:  plain(func(s Spec) string { return s.Method.mix() }),
			},
			{
				Name: "call", Is: "the call of `mix` that the row is of", Absent: "all of them together, and one call",
				value: plain(Spec.MixedCall),
			},
		},
	},
	serviceKey(Key{
		Name: "expect_status", Trust: Harmless,
		Values:    "of a URL: the statuses that are a success, such as `302`, `\"200, 404\"`, `4xx` or `200-299`; others are errors",
		Otherwise: "200 to 299",
		Load: Flag{Name: "expect-status", Form: AsText,
			Help: "with a URL: `statuses` that are OK, such as 302, 200,404 or 4xx (default 200-299)"},
		Columns: []Column{{
			Name: "expect_status", Is: "for a URL: the statuses that are OK", Absent: "200 to 299, and other calls",
			value: plain(func(s Spec) string { return s.Method.expected() }),
		}},
	}, statusForm),
	serviceKey(Key{
		Name: "http2", Trust: Harmless, Values: "`true`: a URL is called by HTTP/2, in plaintext too",
		Otherwise: "`false`: HTTP/1.1",
		Load:      Flag{Name: "http2", Form: AsSwitch, Help: "with a URL: use HTTP/2, in plaintext too, instead of HTTP/1.1"},
	}, ofService(scalarOf(yesNo), func(s *Service) *bool { return &s.HTTP2 })),
	serviceKey(Key{
		Name: "unix_socket", Trust: Consent, Values: "a Unix socket to connect to instead of the URL's host", Otherwise: "TCP",
		Load: Flag{Name: "unix-socket", Form: AsText, Help: "with a URL: Unix `socket` to connect to"},
	}, ofService(scalarOf(target.Socket), func(s *Service) *string { return &s.Target.Socket })),
	serviceKey(Key{
		Name: "data", Rival: "data_file", Trust: Consent,
		Values:    "[requests](load.md#requests), as JSON in quotes, or `@FILE`",
		Otherwise: "one empty message; no body",
		Load: Flag{Name: "data", Short: "d", Form: AsText, Secret: true,
			Help: "with --call or a URL: request data as `JSON`, @FILE, or @- for standard input (default: one empty message; no body)"},
	}, dataForm),
	serviceKey(Key{
		Name: "data_file", Rival: "data", Trust: Consent, Values: "a file of requests", Otherwise: "as data",
	}, dataFileForm),
	serviceKey(Key{
		Name: "data_format", Trust: Harmless, Values: "`json`, `jsonl`, `csv` or `binary`",
		Otherwise: "by the file's ending",
		Load: Flag{Name: "data-format", Form: AsText,
			Help: "`format` of --data: json, jsonl, csv or binary (default: by file extension)"},
	}, dataFormatForm),
	serviceKey(Key{
		Name: "rows_file", Trust: Consent,
		Values:    "a CSV file of [rows](load.md#rows): each call has the values of one, as `{{column \"NAME\"}}`",
		Otherwise: "none",
		Load: Flag{Name: "rows-file", Form: AsText,
			Help: "with --call or a URL: CSV `file` with a row of values for each call, used as {{column \"NAME\"}}"},
		Columns: []Column{{
			Name: "rows", Is: "the file with a row of values for each call, and how many it has: `users.csv (100)`, or " +
				"`users.csv (sampled of 100)`: drawn at random",
			Absent: "calls without such values", value: plain(func(s Spec) string { return s.Method.rows() }),
		}},
	}, ofService(scalarOf(some), func(s *Service) *string { return &s.RowsFile })),
	serviceKey(Key{
		Name: "sample_data", Trust: Harmless, Values: "`true`: requests and rows are drawn by the seed",
		Otherwise: "`false`: in file order, again and again",
		Load: Flag{Name: "sample", Form: AsSwitch,
			Help: "choose the requests of --data, and the rows of --rows-file, at random instead of round-robin"},
	}, sampleForm),
	serviceKey(Key{
		Name: "metadata", List: true, Trust: Consent,
		Values:    "a map of [names and values](load.md#metadata), or a list of texts such as `\"name: value\"` and `\"@FILE\"`",
		Otherwise: "none",
		Load: Flag{Name: "metadata", Short: "H", Form: AsList, Secret: true,
			Help: "with --call or a URL: `metadata` or headers: 'name: value', a JSON object, or @FILE of either; repeatable"},
	}, metadataForm),
	serviceKey(Key{
		Name: "token_file", Rival: "token_env", Trust: Consent, Values: "a file with a bearer token",
		Otherwise: "none",
		Load:      Flag{Name: "token-file", Form: AsText, Help: "with --call or a URL: `file` with a bearer token"},
	}, ofService(scalarOf(some), func(s *Service) *string { return &s.TokenFile })),
	serviceKey(Key{
		Name: "token_env", Rival: "token_file", Trust: Consent, Values: "an environment variable with a bearer token",
		Otherwise: "none",
		Load: Flag{Name: "token-env", Form: AsText,
			Help: "with --call or a URL: environment `variable` with a bearer token"},
	}, ofService(scalarOf(name), func(s *Service) *string { return &s.TokenEnv })),
	serviceKey(Key{
		Name: "authority", Trust: Harmless, Values: "the name that the server is called by",
		Otherwise: "the target's",
		Load: Flag{Name: "authority", Form: AsText,
			Help: "with --call or a URL: `authority` or Host to send (default: that of TARGET)"},
	}, ofService(scalarOf(some), func(s *Service) *string { return &s.Authority })),
	serviceKey(Key{
		Name: "proto", Rival: "protoset", List: true, Trust: Consent, Values: "a .proto file with the schema, or a list of them",
		Otherwise: "read by server reflection",
		Load: Flag{Name: "proto", Form: AsList,
			Help: "with --call: .proto `file` with the schema; repeatable (default: server reflection)"},
	}, ofService(several, func(s *Service) *[]string { return &s.Protos })),
	serviceKey(Key{
		Name: "import_path", List: true, Trust: Consent,
		Values:    "a folder of imports of `proto`, or a list of them",
		Otherwise: "none",
		Load:      Flag{Name: "import-path", Form: AsList, Help: "with --proto: `folder` to search for imports; repeatable"},
	}, ofService(several, func(s *Service) *[]string { return &s.ImportPaths })),
	serviceKey(Key{
		Name: "protoset", Rival: "proto", List: true, Trust: Consent,
		Values:    "a file of compiled descriptors, or a list of them",
		Otherwise: "as proto",
		Load: Flag{Name: "protoset", Form: AsList,
			Help: "with --call: `file` of compiled descriptors with the schema; repeatable"},
	}, ofService(several, func(s *Service) *[]string { return &s.Protosets })),
	serviceKey(Key{
		Name: "reflect_metadata", List: true, Trust: Consent, Values: "metadata for reflection alone, as `metadata`",
		Otherwise: "none",
		Load: Flag{Name: "reflect-metadata", Form: AsList, Secret: true,
			Help: "with --call: `metadata` to send with reflection requests only; repeatable"},
	}, ofService(metadata, func(s *Service) *[]string { return &s.Reflection })),
	serviceKey(Key{
		Name: "tls", Rival: "credentials", Trust: Consent,
		Values:    "a map of files and more: `ca`, `cert`, `key`, `server_name`, `skip_verify`; see [TLS](load.md#target)",
		Otherwise: "none; for https the system's CA certificates",
	}, ofService(tls, func(s *Service) *TLS { return &s.TLS })),
	serviceKey(Key{
		Name: "credentials", Rival: "tls", Trust: Consent,
		Values:    "[the folder of keys](serving.md#credentials) that serve made",
		Otherwise: "none",
		Load:      Flag{Name: "credentials", Form: AsText, Help: "`folder` of keys that rpcbench serve made"},
	}, ofService(scalarOf(some), func(s *Service) *string { return &s.Credentials })),
	serviceKey(Key{
		Name: "as", Trust: Harmless, Values: "the name of the client among them",
		Otherwise: "the server's own client",
		Load:      Flag{Name: "as", Form: AsText, Help: "client `name`, one added by rpcbench credentials"},
	}, ofService(scalarOf(name), func(s *Service) *string { return &s.As })),
	serviceKey(Key{
		Name: "verify", Trust: Harmless, Values: "`true`: the bytes of replies are checked",
		Otherwise: "`false`: their lengths are",
		Load: Flag{Name: "verify", Form: AsSwitch,
			Help: "check the bytes of each reply, not only its length (rpcbench servers only)"},
	}, ofService(scalarOf(yesNo), func(s *Service) *bool { return &s.Verify })),
}

// Forms of keys that calls of a mix have, too.
var (
	callForm       = ofService(scalarOf(methodName), func(s *Service) *string { return &s.Call })
	dataForm       = ofService(scalarOf(some), func(s *Service) *string { return &s.Data })
	dataFileForm   = ofService(scalarOf(fileOf), func(s *Service) *string { return &s.Data })
	dataFormatForm = ofService(scalarOf(oneOf(dataFormats...)), func(s *Service) *string { return &s.DataFormat }).only(dataFormats)
	sampleForm     = ofService(scalarOf(yesNo), func(s *Service) *bool { return &s.SampleData })
	metadataForm   = ofService(metadata, func(s *Service) *[]string { return &s.Metadata })
)

// Forms of keys that also have columns.
var (
	statusForm = ofService(scalarOf(statuses), func(s *Service) *string { return &s.ExpectStatus })
	verbForm   = ofService(scalarOf(verb), func(s *Service) *string { return &s.Method })
	rateForm   = formOf(scalarOf(messageRate), func(a *Asked, perSec float64) { a.MessageRatePerSec = perSec }, writeMessageRate)
	// A schedule's stages are checked by themselves: its name need not say them.
	rampForm = formOf(scalarOf(schedule.Parse), func(a *Asked, s *Schedule) { a.Schedule = s }, unwritten)
)

// unwritten writes nothing, for a key that is part of another one.
func unwritten(Asked) Node { return absent() }

func writeMessageRate(a Asked) Node {
	if a.MessageRatePerSec == 0 {
		return absent()
	}
	return Node{Text: strconv.FormatFloat(a.MessageRatePerSec, 'f', -1, 64)}
}
