package alias

// Load and Serve are the tables: of load and the verbs that have its flags, and of serve. Within a table an alias stands
// behind those whose flags it looks at.
var (
	Load = Table{
		{name: "server", owner: "vanadium"},
		{name: "iterations", flag: "calls", owner: "vanadium"},
		{name: "chunk-count", flag: "messages", owner: "vanadium", rewrite: chunkCount},
		{name: "payload-size", flag: "request-bytes", owner: "vanadium"},
		{name: "mux-chunk-count", flag: "background", owner: "vanadium", rewrite: mux, together: true},
		{name: "mux-payload-size", flag: "background", owner: "vanadium", rewrite: ignored, together: true},
		{name: "address", owner: "qps_client"},
		{name: "channels", flag: "connections", owner: "qps_client"},
		{name: "outstanding-rpcs", flag: "in-flight", owner: "qps_client"},
		{name: "client-payload", flag: "request-bytes", owner: "qps_client"},
		{name: "server-payload", flag: "response-bytes", owner: "qps_client"},
		{name: "warmup-duration", flag: "warmup", owner: "qps_client", rewrite: inSeconds},
		{name: "streaming-rpcs", flag: "kind", owner: "qps_client", means: "ping_pong"},
		{name: "target-qps", flag: "rate", owner: "openloop_client", rewrite: openLoop},
		{name: "tls", flag: "security", owner: "qps_client", means: "tls"},
		{name: "transport", flag: "stack", owner: "qps_client", rewrite: transport},
		{name: "directexecutor", flag: "option", owner: "qps_client", means: "direct_executor=true", unless: "direct_executor=false"},
		{name: "flow-control-window", flag: "option", owner: "qps_client", rewrite: window},
		{name: "concurrency", letter: "c", flag: "in-flight", owner: "ghz", rewrite: shareInFlight},
		{name: "total", letter: "n", flag: "calls", owner: "ghz"},
		{name: "async", flag: "in-flight", owner: "ghz", means: openInFlight, beside: true},
		{name: "rps", letter: "r", flag: "rate", owner: "ghz"},
		{name: "timeout", letter: "t", flag: "deadline", owner: "ghz", rewrite: inSeconds},
		{name: "enable-compression", letter: "e", flag: "compression", owner: "ghz", means: "gzip"},
		{name: "insecure", flag: "security", owner: "ghz", means: "plaintext"},
		{name: "skipTLS", flag: "insecure-skip-verify", owner: "ghz", means: "true"},
		{name: "cname", flag: "server-name", owner: "ghz"},
		{name: "data-file", letter: "D", flag: "data", owner: "ghz", rewrite: file},
		{name: "binary-file", letter: "B", flag: "data", owner: "ghz", rewrite: binaryFile},
		{name: "metadata-file", letter: "M", flag: "metadata", owner: "ghz", rewrite: file},
		{name: "import-paths", letter: "i", flag: "import-path", owner: "ghz", rewrite: folders},
		{name: "load-schedule", flag: "schedule", owner: "ghz", rewrite: ghzRates},
		{name: "load-start", flag: "schedule", owner: "ghz", rewrite: ignored, with: "load-schedule"},
		{name: "load-step", flag: "schedule", owner: "ghz", rewrite: ignored, with: "load-schedule"},
		{name: "load-end", flag: "schedule", owner: "ghz", rewrite: ignored, with: "load-schedule"},
		{name: "load-step-duration", flag: "schedule", owner: "ghz", rewrite: ignored, with: "load-schedule"},
		{name: "load-max-duration", flag: "schedule", owner: "ghz", rewrite: ignored, with: "load-schedule"},
		{name: "concurrency-schedule", flag: "ramp", owner: "ghz", rewrite: ghzRamp},
		{name: "concurrency-start", flag: "ramp", owner: "ghz", rewrite: ignored, with: "concurrency-schedule"},
		{name: "concurrency-step", flag: "ramp", owner: "ghz", rewrite: ignored, with: "concurrency-schedule"},
		{name: "concurrency-end", flag: "ramp", owner: "ghz", rewrite: ignored, with: "concurrency-schedule"},
		{name: "concurrency-step-duration", flag: "ramp", owner: "ghz", rewrite: ignored, with: "concurrency-schedule"},
		{name: "concurrency-max-duration", flag: "ramp", owner: "ghz", rewrite: ignored, with: "concurrency-schedule"},
		{name: "stream-interval", flag: "message-rate", owner: "ghz", rewrite: interval},
		{name: "stream-call-count", flag: "messages", owner: "ghz"},
		{name: "stream-call-duration", flag: "messages", owner: "ghz", rewrite: streamDuration},
		{name: "stream-dynamic-messages", flag: "data", owner: "ghz", means: "true", rewrite: dynamicMessages, beside: true},
		{name: "output-format", letter: "O", flag: "format", owner: "ghz", rewrite: format}, // its --format is ours too
		{name: "m", letter: "m", flag: "metadata", owner: "ghz, and hey's word for --method", rewrite: verbOrMetadata, array: true},
		{name: "header", flag: "metadata", owner: "curl", array: true},
		{name: "content-type", letter: "T", flag: "metadata", owner: "hey", rewrite: header, ofURL: true},
		{name: "accept", letter: "A", flag: "metadata", owner: "hey", rewrite: header, ofURL: true},
		{name: "host", flag: "authority", owner: "hey", oneDash: true, ofURL: true},
		{name: "h2", flag: "http2", owner: "hey", means: "true", oneDash: true, ofURL: true},
		{name: "qps", letter: "q", flag: "rate", owner: "hey", rewrite: rateOfAll, ofURL: true},
		{name: "disable-keepalive", flag: "option", owner: "hey", means: keepAlive + "=false", oneDash: true, ofURL: true},
		{name: "disable-compression", flag: "compression", owner: "hey", means: "none", oneDash: true, ofURL: true},
		{name: "disable-redirects", flag: noFlag, owner: "hey", means: "true", rewrite: ignored, oneDash: true, ofURL: true},
		{name: "proxy", letter: "x", flag: noFlag, owner: "hey",
			rewrite: refused("a load goes to its TARGET itself, and through no proxy")},
		{name: "cpus", flag: noFlag, owner: "hey", oneDash: true,
			rewrite: refused("it is a number of threads there; --client-cpus names processors")},
	}
	Serve = Table{
		{name: "address", flag: "listen", owner: "qps_server"},
		{name: "tls", flag: "security", owner: "qps_server", means: "tls"},
		{name: "transport", flag: "stack", owner: "qps_server", rewrite: transport},
		{name: "directexecutor", flag: "option", owner: "qps_server", means: "direct_executor=true", unless: "direct_executor=false"},
		{name: "flow-control-window", flag: "option", owner: "qps_server", rewrite: window},
	}
)

// noFlag is what words stand for that ask for what is so anyway, or can't be had.
const noFlag = "-"

// severalMayBe are flags that may be given several times.
var severalMayBe = map[string]bool{"option": true, "metadata": true}
