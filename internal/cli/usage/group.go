package usage

// A group is a heading of the help and the flags below it, in the order in which somebody looks for them.
type group struct {
	heading string
	flags   []string
}

// groups have every flag of every verb.
var groups = []group{
	{"Comparison and search", []string{
		"a", "b", "ready", "settle", "metric", "width", "aa-pairs", "by", "by-call", "base", "search-duration", "time",
	}},
	{"Archive", []string{
		"commit", "commit-time", "branch", "commits", "host-class", "scenario", "uploader", "cpu", "os",
	}},
	{"Cases", []string{"case", "step", "timing", "list", "quick", "full", "calibrate", "disturb"}},
	{"Load", []string{
		"rate", "poisson", "constant", "connections", "in-flight", "ramp", "clients", "duration", "calls", "warmup",
		"trials", "deadline", "drain", "dry-run",
	}},
	{"Selection", []string{"stacks", "set", "no-floor"}},
	{"Requests", []string{
		"call", "mix", "data", "data-format", "rows-file", "sample", "metadata", "method", "expect-status", "authority", "http2",
		"unix-socket", "compression",
	}},
	{"Schema", []string{"proto", "import-path", "protoset", "reflect-metadata"}},
	{"Benchmark calls", []string{
		"kind", "request-bytes", "request-sizes-file", "response-bytes", "response-sizes-file", "payload", "batch", "records",
		"reads", "keys", "messages", "message-rate", "streams", "messages-per-stream", "idle-streams", "background", "verify",
	}},
	{"Server", []string{"listen", "upstream", "quiet", "driver-port", "server-port", "record-bytes"}},
	{"Limits", []string{
		"max-request-bytes", "max-response-bytes", "max-batch", "max-held-bytes", "max-connections", "max-streams",
		"header-timeout", "idle-timeout", "max-upload-bytes",
	}},
	{"Security", []string{
		"security", "cacert", "cert", "key", "server-name", "insecure-skip-verify", "basic-auth", "token-file", "token-env",
		"credentials", "name", "as", "permissions", "permissions-file", "i-may-load-this-target", "trust",
	}},
	{"Processes", []string{
		"stack", "share", "option", "hosts", "client-hosts", "workers", "worker", "worker-env", "jvm-options", "binary",
		"client-cpus", "server-cpus", "link", "label", "reuse", "seed",
	}},
	{"Results", []string{
		"out", "output", "heap-dumps", "overwrite", "resume", "format", "reference", "max-latency", "trials-shown", "require", "strict",
		"fail-on", "unless-sure", "same-within", "save-scenario",
		"save-histogram", "save-hlog", "metrics", "intervals", "profile", "stall", "dumps",
	}},
	{"Other", []string{"help", "version"}},
}
