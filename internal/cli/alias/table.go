package alias

import "rpcbench/internal/plan/point"

// Load, Capacity and Serve are the tables: for load and the verbs with its flags, for capacity in addition, and for serve. Within
// a table an alias follows those whose flags it looks at.
var (
	Load = Table{
		{name: "server", owner: "vanadium"},
		{name: "iterations", flag: "calls", owner: "vanadium", rewrite: measuredCalls},
		{name: "chunk-count", flag: "messages", owner: "vanadium", rewrite: chunkCount},
		{name: "payload-size", flag: "request-bytes", owner: "vanadium", together: true},
		{
			name: "randomize-payload-sizes", flag: "request-bytes", owner: "vanadium", means: "true", rewrite: randomSizes, together: true,
		},
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
		{name: "testca", flag: "cacert", owner: "qps_client", means: point.GRPCTestCA},
		{name: "use-default-ciphers", flag: noFlag, owner: "qps_client", means: "true", rewrite: refused(ciphers)},
		{name: "transport", flag: "stack", owner: "qps_client", rewrite: transport},
		{name: "directexecutor", flag: "option", owner: "qps_client", means: "direct_executor=true", unless: "direct_executor=false"},
		{name: "flow-control-window", flag: "option", owner: "qps_client", rewrite: window},
		{name: "concurrency", letter: "c", flag: "in-flight", owner: "ghz", rewrite: shareInFlight},
		{name: "total", letter: "n", flag: "calls", owner: "ghz", rewrite: measuredCalls},
		{name: "async", flag: "in-flight", owner: "ghz", means: openInFlight, beside: true},
		{name: "rps", letter: "r", flag: "rate", owner: "ghz"},
		{name: "timeout", letter: "t", flag: "deadline", owner: "ghz", rewrite: timeout},
		{name: "enable-compression", letter: "e", flag: "compression", owner: "ghz", means: "gzip"},
		{name: "insecure", flag: "security", owner: "ghz", means: "plaintext"},
		{name: "plaintext", flag: "security", owner: "grpcurl", means: "plaintext"},
		{name: "skipTLS", flag: "insecure-skip-verify", owner: "ghz", means: "true"},
		{name: "cname", flag: "server-name", owner: "ghz"},
		{name: "data-file", letter: "D", flag: "data", owner: "ghz", rewrite: file},
		{name: "binary-file", letter: "B", flag: "data", owner: "ghz", rewrite: binaryFile},
		{name: "binary", letter: "b", flag: "data", owner: "ghz", means: "true", rewrite: binaryStdin},
		{name: "metadata-file", letter: "M", flag: "metadata", owner: "ghz", rewrite: file},
		{name: "import-paths", letter: "i", flag: "import-path", owner: "ghz", rewrite: folders},
		{name: "load-schedule", flag: "ramp", owner: "ghz", rewrite: ghzRates},
		{name: "load-start", flag: "ramp", owner: "ghz", rewrite: ignored, with: "load-schedule"},
		{name: "load-step", flag: "ramp", owner: "ghz", rewrite: ignored, with: "load-schedule"},
		{name: "load-end", flag: "ramp", owner: "ghz", rewrite: ignored, with: "load-schedule"},
		{name: "load-step-duration", flag: "ramp", owner: "ghz", rewrite: ignored, with: "load-schedule"},
		{name: "load-max-duration", flag: "ramp", owner: "ghz", rewrite: ignored, with: "load-schedule"},
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
		{name: "output", letter: "o", flag: noFlag, owner: "ghz and hey",
			rewrite: refused("the report goes to standard output, in the format of --format: redirect it")},
		{name: "config", flag: noFlag, owner: "ghz",
			rewrite: refused("rpcbench run runs a scenario file; --save-scenario writes one")},
		{name: "skipFirst", flag: noFlag, owner: "ghz", rewrite: refused("--warmup makes calls that are not measured")},
		{name: "count-errors", flag: noFlag, owner: "ghz", means: "true", rewrite: refused(
			"errors are always counted, with separate latencies; --format csv has them")},
		{name: "max-duration", flag: noFlag, owner: "ghz", rewrite: refused("give --calls or --duration, not both")},
		{name: "duration-stop", flag: noFlag, owner: "ghz",
			rewrite: refused("--drain sets how long to wait for calls that are late at the end")},
		{name: "connect-timeout", flag: noFlag, owner: "ghz",
			rewrite: refused("connections are made before the load, and each may take 30s")},
		{name: "keepalive", flag: noFlag, owner: "ghz",
			rewrite: refused("keepalive pings are not sent: connections stay open without them")},
		{name: "lb-strategy", flag: noFlag, owner: "ghz", rewrite: refused("there is no load balancing: all connections go to TARGET")},
		{name: "name", flag: noFlag, owner: "ghz", rewrite: refused("--label names the trials")},
		{name: "tags", flag: noFlag, owner: "ghz", rewrite: refused("--label names the trials")},
		{name: "debug", flag: noFlag, owner: "ghz", rewrite: refused("--dry-run makes one call and prints what was sent and received")},
		{name: "user-agent", letter: "U", flag: "metadata", owner: "hey", rewrite: header, array: true, ofURL: true},
		{name: "more", flag: noFlag, owner: "hey", means: "true", rewrite: ignored, ofURL: true},
		{name: "content-type", letter: "T", flag: "metadata", owner: "hey", rewrite: header, ofURL: true},
		{name: "accept", letter: "A", flag: "metadata", owner: "hey", rewrite: header, ofURL: true},
		{name: "host", flag: "authority", owner: "hey", ofURL: true},
		{name: "h2", flag: "http2", owner: "hey", means: "true", ofURL: true},
		{name: "q", letter: "q", flag: "rate", owner: "hey", rewrite: rateOfAll, ofURL: true},
		{name: "qps", flag: "rate", owner: "fortio"},
		{name: "disable-keepalive", flag: "option", owner: "hey", means: keepAlive + "=false", ofURL: true},
		{name: "disable-compression", flag: "compression", owner: "hey", means: "none", ofURL: true},
		{name: "disable-redirects", flag: noFlag, owner: "hey", means: "true", rewrite: ignored, ofURL: true},
		{name: "proxy", letter: "x", flag: noFlag, owner: "hey",
			rewrite: proxy},
		{name: "cpus", flag: noFlag, owner: "hey",
			rewrite: refused("sets the number of threads there; --client-cpus pins the client to processors")},
	}
	// Capacity has the words of gRPC's driver, which searches for the load at which its server uses a part of its processors.
	Capacity = Table{
		{name: "targeted-cpu-load", flag: "require", owner: "qps_json_driver", rewrite: serverCPU, beside: true},
		{name: "search-param", flag: noFlag, owner: "qps_json_driver", rewrite: searchParam},
		{name: "initial-search-value", flag: noFlag, owner: "qps_json_driver", rewrite: refused(ownSteps)},
		{name: "stride", flag: noFlag, owner: "qps_json_driver", rewrite: refused(ownSteps)},
		{name: "error-tolerance", flag: noFlag, owner: "qps_json_driver", rewrite: refused(ownSteps)},
	}
	Serve = Table{
		{name: "v23.tcp.address", flag: "listen", owner: "vanadium"},
		{name: "v23.tcp.protocol", flag: noFlag, owner: "vanadium", rewrite: protocol},
		{name: "v23.permissions.literal", flag: "permissions", owner: "vanadium", rewrite: permissions},
		{name: "v23.permissions.file", flag: "permissions-file", owner: "vanadium", rewrite: permissionsFile},
		{name: "v23.credentials", flag: "credentials", owner: "vanadium"},
		{name: "address", flag: "listen", owner: "qps_server"},
		{name: "tls", flag: "security", owner: "qps_server", means: "tls"},
		{name: "use-default-ciphers", flag: noFlag, owner: "qps_server", means: "true", rewrite: refused(ciphers)},
		{name: "transport", flag: "stack", owner: "qps_server", rewrite: transport},
		{name: "directexecutor", flag: "option", owner: "qps_server", means: "direct_executor=true", unless: "direct_executor=false"},
		{name: "flow-control-window", flag: "option", owner: "qps_server", rewrite: window},
	}
)

// ciphers explains why they can't be chosen.
const ciphers = "it is about Java 7, whose own ciphers HTTP/2 does not allow; those of TLS 1.3 and 1.2 are agreed on by " +
	"both sides"

// ownSteps explains why the rates of a search can't be chosen.
const ownSteps = "capacity chooses the rates itself, and confirms the answer by longer trials"

// noFlag marks aliases without a flag: they have no effect, or are refused.
const noFlag = "-"

// severalMayBe are flags that may be given several times.
var severalMayBe = map[string]bool{"option": true, "metadata": true}
