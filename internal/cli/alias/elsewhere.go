package alias

// Elsewhere is what does here what a flag of another tool does there, for flags that are no aliases: their meaning is another,
// or they have none. Names have no dashes.
var Elsewhere = map[string]string{
	// k6
	"vus":                      inFlightHere,
	"u":                        inFlightHere,
	"max-vus":                  inFlightHere,
	"stage":                    rampHere,
	"stages":                   rampHere,
	"s":                        "a load has no script: --data has functions for each call, and --ramp is k6's -s",
	"iterations":               "--calls sets the number of calls",
	"thresholds":               requireHere,
	"no-thresholds":            requireHere,
	"insecure-skip-tls-verify": "--insecure-skip-verify skips certificate verification",
	"summary-export":           resultsHere,
	"summary-trend-stats":      "reports have the usual percentiles; --save-histogram has all of them",
	"no-summary":               outputHere,
	"quiet":                    outputHere,
	"http-debug":               dryRunHere,
	"tag":                      "--label names the trials",
	"no-usage-report":          "rpcbench sends no usage reports",
	"v":                        "rpcbench --version prints the version",
	// h2load
	"h1":                     "HTTP/1.1 is the default; --http2 selects HTTP/2",
	"p":                      "--http2 selects HTTP/2 (default HTTP/1.1); reports have the usual percentiles",
	"warm-up-time":           "--warmup sets the duration of the warm-up",
	"B":                      "TARGET contains the path; a scenario has a case for each path",
	"base-uri":               "TARGET contains the path; a scenario has a case for each path",
	"input-file":             "a scenario has a case for each URL",
	"log-file":               resultsHere,
	"rate-period":            rampHere,
	"connect-to":             "TARGET is the address to connect to; --authority sets the host name",
	"max-concurrent-streams": inFlightHere,
	"clients-per-second":     rampHere,
	// wrk, wrk2
	"latency": "latencies are always reported, and --save-histogram keeps them",
	"L": "latencies are always reported, and " +
		"--save-histogram keeps them",
	"threads": threadsHere,
	"R":       "--rate is in calls per second",
	"script": "a load has no " +
		"script: --data has functions for each call",
	// fortio
	"uniform":              spreadHere,
	"jitter":               spreadHere,
	"nocatchup":            "late calls are always made, and count from when they were due",
	"grpc":                 "--call names the method of gRPC that is called",
	"ping":                 "--call names the method of gRPC that is called",
	"json":                 "--format json prints the report, and --out has the results",
	"labels":               "--label names the trials",
	"allow-initial-errors": "errors are counted, and --require 'errors<1%' limits them",
	"stdclient":            "--stack selects the client",
	"payload":              "--data sets the request",
	"payload-file":         "--data @FILE reads the request from a file",
	"payload-size":         "--request-bytes is the size of a payload",
	"abort-on":             requireHere,
	"offset":               spreadHere,
	// oha, vegeta
	"no-tui":                               outputHere,
	"j":                                    "--format json prints the report",
	"fps":                                  outputHere,
	"latency-correction":                   "latency counts from when a call was due; the row \"service\" from when it was sent",
	"burst-delay":                          "--ramp changes the rate: line:100..1000/s@60s",
	"burst-rate":                           "--ramp changes the rate: line:100..1000/s@60s",
	"rand-regex-url":                       "--data has functions for each call; the URL stays the same",
	"urls-from-file":                       "a scenario has a case for each URL",
	"wait-ongoing-requests-after-deadline": "--drain sets how long to wait for late calls",
	"query-per-second":                     "--rate is in calls per second",
	"stats-success-breakdown":              "failed calls have separate latencies; --format csv has them",
	"http-version":                         "--http2 selects HTTP/2",
	"targets":                              "a scenario has a case for each URL",
	"workers-max":                          inFlightHere,
	"max-workers":                          inFlightHere,
	"timeout-connect":                      "connections are made before the load, and each may take 30s",
}

// Verbs are what does here what a command of another tool does there.
var Verbs = map[string]string{
	"attack":    "rpcbench load TARGET",
	"curl":      "rpcbench call TARGET",
	"grpcping":  "rpcbench call TARGET",
	"ping":      "rpcbench call TARGET",
	"server":    "rpcbench serve",
	"cloud":     "rpcbench load TARGET --client-hosts NAMES",
	"archive":   "rpcbench bundle RESULTS",
	"inspect":   "rpcbench plan SCENARIO",
	"new":       "rpcbench load TARGET --save-scenario FILE",
	"plot":      "rpcbench report RESULTS --format svg",
	"bench":     "rpcbench load TARGET",
	"test":      "rpcbench load TARGET",
	"hey":       "rpcbench load TARGET",
	"ghz":       "rpcbench load TARGET",
	"encode":    "rpcbench report RESULTS --format csv",
	"nighthawk": "rpcbench load TARGET",
}

const (
	inFlightHere = "--in-flight sets the concurrency"
	rampHere     = "--ramp changes how many calls are in flight, line:1..50@10s, or the rate, line:1..50/s@10s"
	requireHere  = "--require sets a requirement, such as 'response_p99<5ms'"
	resultsHere  = "--out writes all results, and --format json prints the report"
	outputHere   = "not needed: progress goes to a terminal only, and rpcbench report prints the report again"
	dryRunHere   = "--dry-run makes one call and prints what was sent and received"
	threadsHere  = "--client-cpus pins the client to processors"
	spreadHere   = "arrivals are evenly spaced, and --poisson makes them random"
)
