package selftest_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"rpcbench/internal/check/floor"
	"rpcbench/internal/check/script"
	"rpcbench/internal/check/selftest"
	"rpcbench/internal/check/truth"
	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/driver"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/record"
)

var update = flag.Bool("update", false, "rewrite golden files")

var quiet = floor.Floor{
	ClockCost: 45, ClockStep: 40, LateP50: 60 * time.Microsecond, LateP99: 150 * time.Microsecond,
	HiccupsPerSec: 12, HiccupMax: 400 * time.Microsecond,
	RoundTripP50: 30 * time.Microsecond, RoundTripP99: 80 * time.Microsecond, SparseP50: 90 * time.Microsecond, BytesPerSec: 2.5e9,
}

var grpc = stack.Info{
	Name: "grpc-go", Protocol: stack.ProtocolGRPC, Serves: true, Calls: true, Kinds: []string{stack.KindUnary, stack.KindPingPong},
}

// A simulated driver computes its trials instead of measuring: every call is sent when it is due, and the server follows its
// script. record determines what is recorded of a response.
type simulated struct {
	record func(due, sent, done time.Duration) time.Duration
	host   []result.HostUse // beside every trial
	failed stack.Code       // of calls that a server fails; OK is INTERNAL, as it should be
	broken error
}

func honest(due, _, done time.Duration) time.Duration { return done - due }

func (s simulated) drive(_ context.Context, config driver.Config) (int, error) {
	if s.broken != nil {
		return 0, s.broken
	}
	for _, t := range config.Trials {
		trial := result.Trial{ID: t.ID, Spec: t.Spec, Status: result.StatusOK, Hosts: s.host, Clients: []result.Client{{}}}
		s.measure(&trial, config.Seed+uint64(t.Repetition))
		if err := config.Results.Append(trial); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// arrivals returns the due times of an open trial.
func arrivals(spec plan.Spec, seed uint64) []time.Duration {
	calls := int(spec.OfferedPerSec * time.Duration(spec.DurationNs).Seconds())
	if spec.Load == plan.LoadPoisson {
		all := truth.Arrivals(spec.OfferedPerSec, seed, 2*calls+1000)
		n := 0
		for all[n] < time.Duration(spec.DurationNs) {
			n++
		}
		return all[:n]
	}
	due := make([]time.Duration, calls)
	for i := range due {
		due[i] = time.Duration(float64(i) / spec.OfferedPerSec * 1e9)
	}
	return due
}

// measure plays a trial with a single slot before the server, so that service and response times differ.
func (s simulated) measure(trial *result.Trial, seed uint64) {
	responses, errs, service := record.NewHistogram(), record.NewHistogram(), record.NewHistogram()
	codes := map[string]int64{}
	words := strings.Fields(trial.Spec.Options[script.Option])
	number := func(i int) time.Duration { d, _ := time.ParseDuration(words[i]); return d }
	spec := trial.Spec
	add := func(due, sent, done time.Duration) {
		codes[result.CodeOK]++
		responses.RecordValue(int64(max(s.record(due, sent, done), 1)))
		service.RecordValue(int64(max(done-sent, 1)))
	}
	switch {
	case spec.Load == plan.LoadClosed && words[0] == "fail":
		code := stack.Internal
		if s.failed != stack.OK {
			code = s.failed
		}
		codes[code.String()] = spec.Calls
	case spec.Load == plan.LoadClosed:
		for _, response := range truth.ClosedResponses(spec.InFlight, services(words, seed, int(spec.Calls))) {
			add(0, 0, response)
		}
	case words[0] == "fixed" || words[0] == "exponential":
		due := arrivals(spec, seed)
		times := services(words, seed, len(due))
		used := 0
		for _, at := range truth.Arrivals(spec.OfferedPerSec, seed, 1000) {
			if at < time.Duration(spec.WarmupNs) {
				used++
			}
		}
		for i, response := range truth.Responses(due, times, used) {
			add(due[i], due[i]+response-times[(used+i)%len(times)], due[i]+response)
		}
	default:
		for i, at := range arrivals(spec, seed) {
			switch {
			case words[0] == "drop" && i%50 == 49:
				codes[stack.DeadlineExceeded.String()]++
				errs.RecordValue(spec.DeadlineNs)
			case words[0] == "slow" && i%100 == 99:
				add(at, at, at+number(1))
			case words[0] == "slow":
				add(at, at, at+number(5))
			case words[0] == "pause" && at%number(3) < number(1):
				end := at - at%number(3) + number(1)
				add(at, end, end)
			case words[0] == "freeze" && at >= number(3) && at < number(3)+number(1):
				add(at, number(3)+number(1), number(3)+number(1))
			default:
				add(at, at, at+50*time.Microsecond)
			}
		}
	}
	keep(trial, codes, map[string]*hdrhistogram.Histogram{
		result.HistResponse: responses, result.HistError: errs, result.HistService: service,
	})
}

func services(words []string, seed uint64, calls int) []time.Duration {
	mean, _ := time.ParseDuration(words[1])
	if words[0] == "exponential" {
		return truth.Exponential(mean, seed, calls)
	}
	times := make([]time.Duration, calls)
	for i := range times {
		times[i] = mean
	}
	return times
}

func keep(trial *result.Trial, codes map[string]int64, histograms map[string]*hdrhistogram.Histogram) {
	trial.Clients[0].Histograms = map[string]string{}
	for name, h := range histograms {
		trial.Clients[0].Histograms[name], _ = result.EncodeHistogram(h)
	}
	for code, calls := range codes {
		trial.Clients[0].Arrivals += calls
		trial.Clients[0].Outcomes = append(trial.Clients[0].Outcomes, result.Outcome{Code: code, Calls: calls})
	}
}

func config(effort selftest.Effort, s simulated) selftest.Config {
	return selftest.Config{
		Pairs: []selftest.Pair{{Client: grpc, Server: grpc}}, Effort: effort, Drive: s.drive, Now: time.Now,
		Floor: func(context.Context, time.Duration) (floor.Floor, error) { return quiet, nil },
	}
}

func run(t *testing.T, effort selftest.Effort, s simulated) selftest.Report {
	t.Helper()
	report, err := selftest.Run(t.Context(), config(effort, s))
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// The figures of a perfect instrument are within every tolerance, at every effort.
func TestATrueInstrumentPasses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		effort selftest.Effort
		lines  int
	}{"quick": {selftest.Quick(), 21}, "usual": {selftest.Usual(), 31}, "full": {selftest.Full(), 31}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := run(t, c.effort, simulated{record: honest})
			if len(report.Lines) != c.lines {
				t.Errorf("there are %d figures, want %d", len(report.Lines), c.lines)
			}
			for _, l := range report.Lines {
				if !l.OK() {
					t.Errorf("%s %s, %s: %s is %g, want %v", l.Stack, l.Load, l.Server, l.Figure, l.Reported, l.True)
				}
			}
		})
	}
}

// failures names the figures that are not OK, by the server's behavior.
func failures(report selftest.Report) map[string]bool {
	failed := map[string]bool{}
	for _, l := range report.Lines {
		if !l.OK() {
			failed[l.Server] = true
		}
	}
	return failed
}

func TestARecorderOfServiceTimesIsFound(t *testing.T) {
	t.Parallel()
	service := func(_, sent, done time.Duration) time.Duration { return done - sent }
	failed := failures(run(t, selftest.Quick(), simulated{record: service}))
	for _, server := range []string{"fixed 10ms", "exponential 10ms", "pauses 50ms every 250ms", "freezes once for 400ms"} {
		if !failed[server] {
			t.Errorf("a server that does this shows nothing: %s; failed: %v", server, failed)
		}
	}
}

// tenPercentOff reports responses too long.
func tenPercentOff(due, _, done time.Duration) time.Duration { return (done - due) * 111 / 100 }

func TestAnInstrumentTenPercentOffIsFound(t *testing.T) {
	t.Parallel()
	report := run(t, selftest.Usual(), simulated{record: tenPercentOff})
	if got := report.Failed(); got < 15 {
		t.Errorf("%d figures of %d are found to be off", got, len(report.Lines))
	}
}

func TestWhatADisturbedHostMayHavePutOffIsInconclusive(t *testing.T) {
	t.Parallel()
	report := run(t, selftest.Quick(), simulated{record: tenPercentOff, host: disturbed})
	if got := report.Inconclusive(); got < 9 || report.Failed() != 0 {
		t.Errorf("%d figures of %d are inconclusive, and %d failed", got, len(report.Lines), report.Failed())
	}
}

// disturbed is a host on which a thread had to wait for a second.
var disturbed = []result.HostUse{{Hiccups: result.Hiccups{Count: 100, MaxNs: 1e9}}}

// A wrong code of a call that is answered at once is no host's doing.
func TestADisturbedHostExcusesNoWrongCode(t *testing.T) {
	t.Parallel()
	report := run(t, selftest.Quick(), simulated{record: honest, host: disturbed, failed: stack.Unavailable})
	if failed := failures(report); !failed["HTTP 200, grpc-status 13"] || report.Failed() != 1 || report.Inconclusive() != 0 {
		t.Errorf("%d figures failed, %d are inconclusive: %v", report.Failed(), report.Inconclusive(), failed)
	}
}

func TestAnErrorOfTheDriverEndsIt(t *testing.T) {
	t.Parallel()
	gone := errors.New("the disk is full")
	if _, err := selftest.Run(t.Context(), config(selftest.Quick(), simulated{broken: gone})); !errors.Is(err, gone) {
		t.Errorf("the error is %v", err)
	}
}

func golden(t *testing.T, name string, report selftest.Report) {
	t.Helper()
	var out bytes.Buffer
	if err := report.Write(&out); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("the report is\n%s\nwant\n%s", out.String(), want)
	}
}

func TestTheReportIsGolden(t *testing.T) {
	t.Parallel()
	golden(t, "good.txt", run(t, selftest.Quick(), simulated{record: honest}))
	bad := selftest.Report{Floor: quiet, Lines: []selftest.Line{
		{Stack: "tcp", Load: "unary 1x4 closed", Server: "fixed 4ms", Figure: "response p50", Unit: selftest.Nanoseconds,
			True: truth.Exactly(16e6), Reported: 4e6, Tolerance: .05},
		{Stack: "tcp", Load: "unary 1x4 closed", Server: "fixed 4ms", Figure: "OK", Unit: selftest.Calls, Reported: 3},
		{Stack: "grpc-go", Load: "unary 1x4 closed", Server: "fixed 4ms", Figure: "response p50", Tolerance: .05,
			Failure: "client: the worker ended"},
		{Stack: "grpc-go", Load: "unary 1x4 closed", Server: "fixed 4ms", Figure: "response p90", Tolerance: .1,
			Failure: "client: the worker ended"},
		{Stack: "grpc-go", Load: "unary 1x1 constant 40/s", Server: "fixed 20ms", Figure: "response p50", Unit: selftest.Nanoseconds,
			True: truth.Exactly(20e6), Reported: 25e6, Tolerance: .05, Disturbed: "an idle thread woke up 9ms late (bound 1ms)"},
		{Stack: "grpc-go", Load: "unary 1x1 constant 40/s", Server: "fixed 20ms", Figure: "response p90", Unit: selftest.Nanoseconds,
			True: truth.Exactly(20e6), Reported: 20e6, Tolerance: .1, Disturbed: "an idle thread woke up 9ms late (bound 1ms)"},
	}}
	bad.Floor.ClockCost, bad.Floor.LateP99, bad.Floor.HiccupMax = time.Microsecond, 2*time.Millisecond, 30*time.Millisecond
	golden(t, "bad.txt", bad)
	golden(t, "inconclusive.txt", selftest.Report{Floor: quiet, Lines: bad.Lines[4:]})
}
