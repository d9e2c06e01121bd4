package alias

import "strings"

// InPlaceOf returns the equivalent of another tool's flag that is not an alias, because it has a different meaning here or none.
// It is empty if nothing is known. A name has no dashes before it.
func InPlaceOf(name string) string { return byName[strings.ReplaceAll(name, "_", "-")] }

var byName = func() map[string]string {
	all := map[string]string{}
	for _, e := range elsewhere {
		for name := range strings.FieldsSeq(e.names) {
			all[name] = e.here
		}
	}
	return all
}()

// elsewhere maps names of flags, separated by spaces, to the equivalent here. A letter that several tools use has its most common
// meaning.
var elsewhere = []struct{ names, here string }{
	// the load
	{"u", "--in-flight sets the concurrency, as k6's -u does, and --basic-auth sends credentials, as curl's"},
	{
		"vus max-connections max-vus workers max-workers workers-max max-concurrent-streams maxWorkers clients",
		"--in-flight sets the concurrency, and --connections the number of connections",
	},
	{
		"stage stages clients-per-second rate-period burst-delay burst-rate timing-script-file groups",
		"--ramp changes how many calls are in flight, line:1..50@10s+hold:50@1m, or the rate, line:1..50/s@10s+hold:50/s@1m",
	},
	{"parallel parallel-max parallel-immediate", "--in-flight sets the concurrency, and --connections the number of connections"},
	{"iterations requests num exactly i", "--calls sets the number of calls"},
	{"query-per-second R", "--rate is in calls per second"},
	{"warm-up-time sequential-warmup", "--warmup sets the duration of the warm-up"},
	{"wait-ongoing-requests-after-deadline", "--drain sets how long to wait for late calls"},
	{"uniform jitter offset lazy", "arrivals are evenly spaced, and --poisson makes them random"},
	{
		"nocatchup latency-correction",
		"late calls are always made: latency counts from when a call was due, and the row \"service\" from when it " +
			"was sent",
	},
	{"timeout-connect dial-timeout setup-timeout", "connections are made before the load, and each may take 30s"},
	{"max-time speed-time", "--deadline bounds each call, and --duration sets how long to load"},
	{
		"retry retries max-retries retry-delay retry-max-time retry-all-errors retry-connrefused",
		"calls are never retried: --require 'errors<1%' limits errors",
	},
	{"sleep think-time pause delay", "--rate sets the calls a second; without it a call follows when one has ended"},
	{"keepalive-time", "keepalive pings are not sent: connections stay open without them"},
	{"threads gomaxprocs", "--client-cpus pins the client to processors"},
	{"min-iteration-duration linger paused", "--rate and --ramp say when calls are made"},
	{
		"no-connection-reuse no-vu-connection-reuse halfclose reuse-connections",
		"--option keep_alive=false makes a connection for each call",
	},
	{
		"connection-reuse connection-active-timeout connection-inactivity-timeout",
		"connections stay open for the whole load",
	},
	// what is called
	{"request", "--method sets the method of HTTP"},
	{"head I get G", "--method sets the method of HTTP (default GET, or POST with --data)"},
	{"url", "TARGET is the URL"},
	{"cookie referer", "--header 'NAME: VALUE' sets a header, and is repeatable"},
	{"compressed", "--compression gzip requests gzip"},
	{
		"p h1 http1.1 http2-prior-knowledge http-version http10 http1.0 h2c alpn-list npn-list no-tls-proto",
		"--http2 selects HTTP/2 (default HTTP/1.1); reports have the usual percentiles",
	},
	{"B base-uri P", "TARGET contains the path; a scenario has a case for each path"},
	{
		"input-file urls-from-file targets max-repeat dump-urls rand-regex-url batch batch-per-host format-targets",
		"TARGET is one URL; a scenario has a case for each URL, and --data has functions for each call",
	},
	{
		"connect-to resolve sni resolve-ip-type resolvers dns laddr local-ips dns-ttl no-reresolve ipv4 ipv6 " +
			"no-pre-lookup",
		"TARGET is the address to connect to; --authority sets the host name, and --server-name that of the " +
			"certificate",
	},
	{"grpc ping s-grpc grpc-ping-delay healthservice health", "--call names the gRPC method that is called"},
	{
		"payload payload-json body form F form-string data-raw data-ascii data-binary data-urlencode upload-file",
		"--data sets the request, and --data @FILE reads it from a file",
	},
	{"payload-file Z body-path", "--data @FILE reads the request from a file"},
	{
		"script s",
		"a load has no script: --data has functions for each call, and --ramp is k6's -s; curl's -s is not needed, as progress goes " +
			"to a terminal only",
	},
	{
		"disable-template-functions disable-template-data",
		"functions are the words in {{…}} of --data, and JSON without them is sent as it is",
	},
	{
		"follow follow-redirects max-redirects max-redirs location location-trusted max-follow redirect redirects",
		"redirects are never followed: a status of 3xx is counted under its own code, and rpcbench call shows where it leads",
	},
	{
		"L",
		"redirects, which curl's -L follows, are counted as 3xx; reports have the usual percentiles, as wrk's -L has, and " +
			"--save-histogram has all",
	},
	{
		"proxy-header proxy-http-version proxy-http2 proxy-all-headers",
		"proxies are not supported: a load connects to TARGET directly",
	},
	{"aws-session aws-sigv4", "--metadata and --token-file set credentials; requests are not signed"},
	{"vsock-addr http3 quic http3-only", "a load uses TCP or, with --unix-socket, a Unix socket"},
	{"discard-response-bodies max-body", "replies are read and counted, and not kept"},
	{"user", "--basic-auth USER:PASSWORD sends credentials"},
	{"oauth2-bearer", "--token-env NAME and --token-file FILE send a token"},
	{"anyauth digest negotiate ntlm", "--basic-auth and --metadata send credentials"},
	// grpcurl's
	{"rpc-header", "--metadata sets it; --reflect-metadata is for reflection alone"},
	{"reflect-header", "--reflect-metadata sets it"},
	{"expand-headers", "functions such as {{env \"NAME\"}} work in --metadata"},
	{"servername", "--server-name sets the name in the certificate, and --authority that of the calls"},
	{"unix", "TARGET unix:PATH is a Unix socket"},
	{"use-reflection", "reflection is used unless --proto or --protoset names the schema"},
	{"protoset-out proto-out-dir msg-template", "rpcbench load TARGET lists the methods, with an example of each request"},
	{
		"emit-defaults format-error allow-unknown-fields",
		"rpcbench call prints messages as JSON, or with --format json the whole call",
	},
	{"alts alts-handshaker-service alts-target-service-account", "--security is plaintext, tls or mtls"},
	{"user-agent", "--metadata 'user-agent: NAME' sets a header"},
	{
		"search-param targeted-cpu-load initial-search-value stride error-tolerance",
		"rpcbench capacity searches for the load",
	},
	{"dry-run", "rpcbench plan shows what would run"},
	// TLS
	{"insecure-skip-tls-verify k tls-skip-verify https-insecure", "--insecure-skip-verify skips certificate verification"},
	{"root-certs ca-file", "--cacert names the certificates to trust"},
	{
		"ciphers tls13-ciphers ktls session-tickets tls-version tlsv1.2 tlsv1.3 tls-max",
		"TLS 1.3 or 1.2 is agreed on by both sides, with the ciphers of the stack",
	},
	{"mtls cert-type key-type pass", "--cert and --key name the client's certificate"},
	{"credential-type per-worker-credential-types", "workers are reached without TLS; --security sets that of their calls"},
	// bounds of messages and windows
	{
		"max-frame-size window-bits connection-window-bits header-table-size encoder-header-table-size " +
			"initial-window-size w W f N-grpc chunked maxpayloadsizekb httpbufferkb max-msg-sz " +
			"max-call-recv-message-size max-call-send-message-size",
		"--option NAME=VALUE sets what the client's stack can change; rpcbench stacks lists it",
	},
	// results
	{"thresholds no-thresholds abort-on", "--require sets a requirement, such as 'response_p99<5ms'"},
	{
		"summary-export log-file qlog-file-base data-dir db-url save metrics-csv csv-file bq-result-table " +
			"json-file-out",
		"--out writes all results, and --format json prints the report",
	},
	{"json j", "--format json prints the report, and --out writes all results; --data sets a request"},
	{
		"no-tui fps no-summary silent show-error progress-bar no-progress-meter quiet no-color color disable-color print-fps " +
			"summary-mode summary-time-unit time-unit " +
			"console-output log-format log-output log-errors logcaller loglevel logprefix alsologtostderr logtostderr " +
			"log-dir stderrthreshold vmodule log-backtrace-at",
		"not needed: progress goes to a terminal only, NO_COLOR=1 turns colors off, and rpcbench report prints the " +
			"report again",
	},
	{
		"http-debug curl-stdout-headers curl verbose vv trace trace-ascii dump-header",
		"rpcbench call, or --dry-run, makes one call and prints what was sent and received",
	},
	{"tag runid labels test-name hashed-id system-tags", "--label names the trials"},
	{
		"summary-trend-stats latency percentiles histogram hist-buckets buckets stats-success-breakdown u-latency " +
			"batch-latency r-resolution",
		"reports have the usual percentiles, without failed calls; --save-histogram has all of them",
	},
	{"prometheus-addr", "--metrics 127.0.0.1:9464 serves Prometheus metrics while the load runs"},
	{"allow-initial-errors", "errors are counted, and --require 'errors<1%' limits them"},
	{"stdclient fastclient impl compatibility-mode", "--stack selects the client"},
	{"profile cpuprofile memprofile profiling-enabled pprof-port", "--profile profiles client and server of each trial"},
	{"v", "rpcbench call prints what is sent and what comes back; rpcbench --version prints the version"},
	{"version", "rpcbench --version prints the version"},
	{"type to every threshold title", "rpcbench report prints other formats by --format"},
	{"no-usage-report", "rpcbench sends no usage reports"},
	{"execution-segment execution-segment-sequence", "--client-hosts shares a load between hosts"},
	// gRPC's driver and its script
	{"quit", "workers of rpcbench end with their run; qps-worker ends with Ctrl-C"},
	{"run-inproc", "rpcbench run --set network=inproc runs client and server in one process"},
	{"qps-server-target-override", "rpcbench load TARGET loads a running server"},
	{"median-latency-collection-interval-millis", "--intervals full keeps the histogram of each second"},
	{
		"enable-log-reporter enable-rpc-reporter rpc-reporter-server-address rpc-reporter-credential-type sys-info " +
			"server-address",
		"--scenario_result_file writes gRPC's ScenarioResult, and rpcbench report prints other formats",
	},
	{"language l remote-worker-host remote-driver-host", "--worker HOST:PORT names a running gRPC worker"},
	{"regex category", "scenarios are named: rpcbench run qps:NAME, and rpcbench plan qps: lists them"},
	{
		"xml-report flame-graph-reports perf-args skip-generate-flamegraphs netperf server-cpu-load",
		"rpcbench report prints --format html, csv and json; rpcbench capacity searches for a server's load",
	},
	{"scenarios-file scenarios-json scenario-result-file", "rpcbench run takes gRPC's scenarios"},
	{"driver-port server-port", "rpcbench qps-worker is a benchmark worker of gRPC"},
	// Vanadium's runtime
	{"v23.credentials", "--credentials names the folder of keys"},
	{"v23.permissions.file v23.permissions.literal", "rpcbench serve --permissions says who may call"},
	{"v23.tcp.address v23.tcp.protocol", "rpcbench serve --listen sets the server's address"},
	{
		"v23.proxy v23.namespace.root v23.i18n-catalogue v23.vtrace.cache-size v23.vtrace.collect-regexp " +
			"v23.vtrace.dump-on-shutdown v23.vtrace.sample-rate v23.vtrace.v",
		"Vanadium's runtime has no counterpart; TARGET is an address",
	},
}

// Verbs maps commands of other tools to the equivalent here.
var Verbs = map[string]string{
	"attack":                "rpcbench load TARGET",
	"curl":                  "rpcbench call TARGET",
	"grpcurl":               "rpcbench call TARGET",
	"list":                  "rpcbench load TARGET",
	"describe":              "rpcbench load TARGET",
	"grpcping":              "rpcbench call TARGET",
	"ping":                  "rpcbench call TARGET",
	"server":                "rpcbench serve",
	"tcp-echo":              "rpcbench serve",
	"cloud":                 "rpcbench load TARGET --client-hosts NAMES",
	"inspect":               "rpcbench plan SCENARIO",
	"new":                   "rpcbench load TARGET --save-scenario FILE",
	"plot":                  "rpcbench report RESULTS --format svg",
	"bench":                 "rpcbench load TARGET",
	"benchmark":             "rpcbench load TARGET",
	"benchmarkd":            "rpcbench serve",
	"test":                  "rpcbench load TARGET",
	"hey":                   "rpcbench load TARGET",
	"oha":                   "rpcbench load TARGET",
	"wrk":                   "rpcbench load TARGET",
	"h2load":                "rpcbench load TARGET",
	"ghz":                   "rpcbench load TARGET",
	"encode":                "rpcbench report RESULTS --format csv",
	"nighthawk":             "rpcbench load TARGET",
	"qps_client":            "rpcbench load TARGET",
	"openloop_client":       "rpcbench load TARGET",
	"qps_server":            "rpcbench serve",
	"benchmark_worker":      "rpcbench qps-worker",
	"qps_worker":            "rpcbench qps-worker",
	"qps_json_driver":       "rpcbench run SCENARIOS.json",
	"jmh":                   "rpcbench report RESULTS.json",
	"login":                 "rpcbench load TARGET",
	"scale":                 "rpcbench load TARGET --ramp RAMP",
	"status":                "rpcbench load TARGET --metrics ADDRESS",
	"stats":                 "rpcbench load TARGET --metrics ADDRESS",
	"fortio":                "rpcbench load TARGET",
	"k6":                    "rpcbench load TARGET",
	"vegeta":                "rpcbench load TARGET",
	"nc":                    "rpcbench call TARGET",
	"convert":               "rpcbench load TARGET --save-scenario FILE",
	"run_performance_tests": "rpcbench run SCENARIO",
}
