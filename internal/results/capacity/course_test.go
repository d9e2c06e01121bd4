package capacity_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/capacity"
	"rpcbench/internal/results/result"
	"rpcbench/internal/test/coursetest"
)

func TestARateIsCarriedWhenRequirementsAreMetAndCallsAreGood(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		failed       int64
		requirements []string
		want         string
	}{
		{0, []string{"response_p99<5ms"}, ""},
		{0, []string{"response_p99<3ms", "response_p50<1ms"}, "response_p99 was 4.002 ms, response_p50 was 4.002 ms"},
		{3, []string{"response_p99<5ms"}, "3 calls of 1,000 failed"},
		{3, []string{"response_p99<5ms", "errors<1%"}, ""},
		{3, []string{"response_p99<5ms", "errors:INTERNAL<1%"}, ""},
		{3, []string{"response_p99<5ms", "errors:UNAVAILABLE<1%"}, "3 calls of 1,000 failed"},
		{30, []string{"response_p99<5ms", "errors < 1%"}, "response_p99 was ∞ (3% of calls failed), errors was 3.00%"},
	} {
		row := coursetest.Row(t, coursetest.Trial(t, test.failed, 0, 0))
		if got := capacity.ShortOf(row, coursetest.Requirements(t, test.requirements...)); got != test.want {
			t.Errorf("%d failed, %v: %q, want %q", test.failed, test.requirements, got, test.want)
		}
	}
}

// begun is a course whose probe is over unless told otherwise.
func begun(t *testing.T, probed bool) *capacity.Course {
	t.Helper()
	c := &capacity.Course{
		Base: plan.Trial{ID: "x", Spec: plan.Spec{Stack: "grpc-go", Server: "grpc-go", Kind: "unary", Connections: 1, InFlight: 256,
			Load: plan.LoadPoisson, OfferedPerSec: 1, DurationNs: 10e9}},
		Trials: 1, Search: 2 * time.Second, Requirements: coursetest.Requirements(t, "response_p99<5ms"),
	}
	if probed {
		c.Next()
		if err := c.See(coursetest.Row(t, coursetest.Trial(t, 0, 0, 0))); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// next returns the trial that a course asks for.
func next(c *capacity.Course) capacity.Request {
	request, _ := c.Next()
	return request
}

func TestAClientWithoutProcessorTimeIsTheLimit(t *testing.T) {
	t.Parallel()
	for used, want := range map[time.Duration]string{
		time.Second: "", 1900 * time.Millisecond: "the client used 1.90 of 2 processors",
	} {
		c := begun(t, true)
		rate := next(c).Spec.OfferedPerSec
		if err := c.See(coursetest.Row(t, coursetest.Trial(t, 0, used, 0))); err != nil {
			t.Fatal(err)
		}
		if got := c.Client[rate]; !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("with %v of 2 s used: %q, want %q", used, got, want)
		}
	}
}

// Every rate is carried, so that the course goes through all of its parts.
func TestACourseProbesSearchesConfirmsAndMeasuresAround(t *testing.T) {
	t.Parallel()
	c := begun(t, false)
	var parts []string
	counts := map[string]int{}
	for request, more := c.Next(); more; request, more = c.Next() {
		if name := request.Scenario; counts[name] == 0 {
			parts = append(parts, name)
		}
		counts[request.Scenario]++
		if err := c.See(coursetest.Row(t, coursetest.Trial(t, 0, 0, 0))); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(parts, ", "); got != "probe, search, capacity, latency against load, connections" {
		t.Errorf("its parts are %s", got)
	}
	if counts["probe"] != 1 || counts["capacity"] != 1 || counts["latency against load"] != 7 ||
		counts["connections"] != 5 {
		t.Errorf("%v", counts)
	}
}

// Several clients need a connection each.
func TestTrialsOverConnectionsHaveOneForEachClient(t *testing.T) {
	t.Parallel()
	c := begun(t, true)
	c.Base.Spec.Clients, c.Base.Spec.Connections = 3, 3
	var connections []int
	for request, more := c.Next(); more; request, more = c.Next() {
		if request.Scenario == capacity.ScenarioScaling {
			connections = append(connections, request.Spec.Connections)
		}
		if err := c.See(coursetest.Row(t, coursetest.Trial(t, 0, 0, 0))); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(connections, []int{4, 8, 16}) {
		t.Errorf("connections are %v, want 4, 8 and 16", connections)
	}
}

func TestAProbeThatFailsEndsACourse(t *testing.T) {
	t.Parallel()
	c := begun(t, false)
	c.Next()
	broken := coursetest.Trial(t, 0, 0, 0)
	broken.Status, broken.Failure = result.StatusFailed, "nobody listens"
	err := c.See(coursetest.Row(t, broken))
	if err == nil || err.Error() != "the first trial failed: nobody listens" || errors.Unwrap(err) != nil {
		t.Errorf("%v", err)
	}
}

// What falls short while the host is disturbed says nothing of the server, unless it did so undisturbed, too, or calls failed.
func TestANoisyHostExcusesWhatItCanHaveCaused(t *testing.T) {
	t.Parallel()
	noisy := []result.HostUse{{ElapsedNs: 1e9, Hiccups: result.Hiccups{Count: 900, P99Ns: 5e6, MaxNs: 5e6}}}
	for name, test := range map[string]struct {
		hosts   [][]result.HostUse // of the trials at the rate
		failed  int64
		excused bool
	}{
		"noisy":               {[][]result.HostUse{noisy, noisy}, 0, true},
		"quiet":               {[][]result.HostUse{nil}, 0, false},
		"quiet once":          {[][]result.HostUse{noisy, nil, noisy}, 0, false},
		"noisy, calls failed": {[][]result.HostUse{noisy}, 3, false},
	} {
		c := begun(t, true)
		c.Requirements = coursetest.Requirements(t, "response_p99<3ms")
		asked := next(c)
		for _, hosts := range test.hosts {
			trial := coursetest.Trial(t, test.failed, 0, 0)
			trial.Hosts = hosts
			c.Outcomes = nil // so that the same rate is asked for again
			if again := next(c); again.Spec.OfferedPerSec != asked.Spec.OfferedPerSec {
				t.Fatalf("%v, then %v", asked.Spec.OfferedPerSec, again.Spec.OfferedPerSec)
			}
			if err := c.See(coursetest.Row(t, trial)); err != nil {
				t.Fatal(err)
			}
		}
		if why := c.Excuses[asked.Spec.OfferedPerSec]; (why != "") != test.excused || c.Reasons[asked.Spec.OfferedPerSec] == "" {
			t.Errorf("%s: excused by %q", name, why)
		}
	}
}

// What fails on a noisy host counts as what is met there.
func TestNoConfirmationIsMadeAgainOnANoisyHost(t *testing.T) {
	t.Parallel()
	for _, failed := range []int64{0, 3} {
		c := begun(t, true)
		c.Settings.Most = c.Settings.Guess // nothing to search above the first rate
		for next(c).Scenario == capacity.ScenarioSearch {
			if err := c.See(coursetest.Row(t, coursetest.Trial(t, 0, 0, 0))); err != nil {
				t.Fatal(err)
			}
		}
		disturbed := coursetest.Trial(t, failed, 0, 0)
		disturbed.Hosts = []result.HostUse{{ElapsedNs: 1e9, Hiccups: result.Hiccups{Count: 900, P99Ns: 5e6, MaxNs: 5e6}}}
		before := len(c.Outcomes)
		if err := c.See(coursetest.Row(t, disturbed)); err != nil || len(c.Outcomes) != before+1 || c.Noisy != 1 {
			t.Errorf("%d failed: %d outcomes, %d noisy, %v; want %d and 1", failed, len(c.Outcomes), c.Noisy, err, before+1)
		}
	}
}

// A p99 needs 368 calls, in short trials and long ones; below 6 times as long as asked for there is no lower rate.
func TestTrialsHaveTheCallsThatARequirementNeeds(t *testing.T) {
	t.Parallel()
	for text, calls := range map[string]float64{"response_p99<5ms": 368, "response_p999<5ms": 3688, "errors<1%": 200} {
		c := begun(t, true)
		c.Requirements = coursetest.Requirements(t, text)
		c.Settings = capacity.Settings{}
		if err := c.See(coursetest.Row(t, coursetest.Trial(t, 0, 0, 0))); err != nil {
			t.Fatal(err)
		}
		c.Settings.Guess = 20
		c.Settings.Least = 10
		want := min(calls/20, 60)
		if got := next(c).Spec.DurationNs; got != int64(want*1e9) {
			t.Errorf("%s at 20 calls/s: %v, want %v s", text, time.Duration(got), want)
		}
	}
}

// Calls that take longer than the probe are completed after it, and make no rate.
func TestAProbeInWhichNothingIsCompletedAsksForALongerOne(t *testing.T) {
	t.Parallel()
	c := begun(t, false)
	c.Next()
	slow := coursetest.Trial(t, 0, 0, 0)
	slow.Clients[0].WindowNs, slow.Clients[0].Tail = 1e9, &result.Tail{OK: 1000}
	const want = "no call was completed within the 2s of the first trial: search with longer ones (--search-duration)"
	if err := c.See(coursetest.Row(t, slow)); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// The client's limit is 90% of its processors: above 500 calls/s one client on one processor is busy, above 1,000 two on two
// are. The server carries 800.
func TestASearchAddsClientsWhereTheyAreTheLimit(t *testing.T) {
	t.Parallel()
	c := begun(t, false)
	c.Base.Spec.ClientCPUs, c.Base.Spec.Connections = "0/1", 2
	var made []string
	for request, more := c.Next(); more && request.Scenario != capacity.ScenarioLoad; request, more = c.Next() {
		spec := request.Spec
		clients := spec.ClientCount()
		rate := spec.OfferedPerSec
		failed := int64(0)
		if rate > 800 || rate > 500*float64(clients) {
			failed = 30
		}
		used := time.Duration(min(1, rate/500/float64(clients)) * float64(clients) * 0.95 * float64(time.Second))
		trial := coursetest.Trial(t, failed, used, 0)
		trial.Spec.ClientCPUs = spec.ClientCPUs
		if err := c.See(coursetest.Row(t, trial)); err != nil {
			t.Fatal(err)
		}
		made = append(made, request.Label+" "+spec.ClientCPUs)
	}
	found := c.Find()
	if found.State != capacity.Confirmed || found.PerSec < 700 || found.PerSec > 800 || found.Failed <= 800 || found.Failed > 900 {
		t.Errorf("%+v, want a capacity of 800, by %v", found, made)
	}
	if len(c.Added) != 1 || c.Added[0].Clients != 2 || c.Added[0].PerSec <= 500 ||
		!strings.HasPrefix(c.Added[0].Why, "the client used 0.95 of 1 processor") {
		t.Errorf("added %+v", c.Added)
	}
	if first := slices.Index(made, "search 0/1"); made[0] != "probe 0" || first < 1 || slices.Contains(made[first:], "search 0") {
		t.Errorf("%v", made)
	}
	for _, o := range c.Outcomes {
		if !o.Met && o.PerSec <= 800 {
			t.Errorf("%v counts as too high: %v", o.PerSec, made)
		}
	}
}

// Without further processors for them, no client is added.
func TestASearchAddsNoClientsToBusyProcessors(t *testing.T) {
	t.Parallel()
	for name, spec := range map[string]plan.Spec{
		"no sets": {ClientCPUs: "0-1", Connections: 4}, "a number that was asked for": {ClientCPUs: "0/1", Clients: 2, Connections: 4},
	} {
		c := begun(t, true)
		c.Base.Spec.ClientCPUs, c.Base.Spec.Clients, c.Base.Spec.Connections = spec.ClientCPUs, spec.Clients, spec.Connections
		before := next(c).Spec
		if err := c.See(coursetest.Row(t, coursetest.Trial(t, 30, 1900*time.Millisecond, 0))); err != nil {
			t.Fatal(err)
		}
		after := next(c).Spec
		if len(c.Added) != 0 || len(c.Outcomes) != 1 || before.ClientCPUs != spec.ClientCPUs || after.ClientCPUs != spec.ClientCPUs {
			t.Errorf("%s: added %v, %d outcomes, on %s and %s", name, c.Added, len(c.Outcomes), before.ClientCPUs, after.ClientCPUs)
		}
	}
}

// gone is a trial whose client could not connect.
func gone(t *testing.T) result.Trial {
	t.Helper()
	trial := coursetest.Trial(t, 0, 0, 0)
	trial.Fail(result.FailureFault, "connection refused")
	trial.FailureField, trial.Clients = "connect", nil
	return trial
}

// A server that is gone says nothing of a rate, not even that it is too high: three trials in a row that can't connect end the
// course, and others between them begin the count anew.
func TestAServerThatIsGoneEndsACourse(t *testing.T) {
	t.Parallel()
	c := begun(t, true)
	asked := next(c).Spec.OfferedPerSec
	for n := range 2 {
		if err := c.See(coursetest.Row(t, gone(t))); err != nil || len(c.Outcomes) != 0 || next(c).Spec.OfferedPerSec != asked {
			t.Fatalf("after %d: %v, outcomes %v, next %v", n+1, err, c.Outcomes, next(c).Spec.OfferedPerSec)
		}
	}
	if err := c.See(coursetest.Row(t, coursetest.Trial(t, 0, 0, 0))); err != nil || len(c.Outcomes) != 1 {
		t.Fatalf("%v, outcomes %v", err, c.Outcomes)
	}
	next(c)
	var err error
	missed := 0
	for ; err == nil && missed < 10; missed++ {
		err = c.See(coursetest.Row(t, gone(t)))
	}
	const want = "3 trials in a row could not connect; the last because: connection refused"
	if missed != 3 || err == nil || err.Error() != want || len(c.Outcomes) != 1 {
		t.Errorf("after %d: %v, outcomes %v; want %s", missed, err, c.Outcomes, want)
	}
}
