// Package prometheus exports trials to Prometheus while they run.
package prometheus

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
)

// Metrics are served over HTTP. They observe trials as a driver.Watcher. Counts are those that the clients report ten times a
// second, quantiles those that the first client reports for each second.
type Metrics struct {
	Address   string // where they are served
	server    *http.Server
	calls     *prometheus.CounterVec
	inFlight  *prometheus.GaugeVec
	quantiles *prometheus.GaugeVec
	most      *prometheus.GaugeVec
	trials    *prometheus.CounterVec

	calling map[int]int64     // calls in flight, by client
	current prometheus.Labels // of the phase that the gauges are of; nil between trials
}

// headerPatience limits the time for a request's header.
const headerPatience = 5 * time.Second

// Listen serves metrics on an address, at /metrics, until Close. An address without a host means loopback, so nobody else can
// read them unless the user says so.
func Listen(address string) (*Metrics, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, errors.New("not an address, such as 127.0.0.1:9464")
	}
	address = net.JoinHostPort(cmp.Or(host, "127.0.0.1"), port)
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot listen there: %w", plain.Cause(err))
	}
	of := []string{"stack", "kind", "method", "target", "phase"}
	m := &Metrics{
		Address: listener.Addr().String(),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "rpcbench_calls_total", Help: "Calls that have ended, by whether they were OK.",
		}, append([]string{"result"}, of...)),
		inFlight: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "rpcbench_in_flight", Help: "Calls in flight.",
		}, of),
		quantiles: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "rpcbench_response_seconds", Help: "Response times of the last second's OK calls; NaN where there was none.",
		}, append([]string{"quantile"}, of...)),
		most: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "rpcbench_response_max_seconds",
			Help: "The longest response time of the last second's OK calls; NaN where there was none.",
		}, of),
		trials: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "rpcbench_trials_total", Help: "Trials that have ended, by how.",
		}, []string{"status"}),
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(m.calls, m.inFlight, m.quantiles, m.most, m.trials)
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	m.server = &http.Server{Handler: mux, ReadHeaderTimeout: headerPatience}
	go func() {
		if err := m.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			listener.Close()
		}
	}()
	return m, nil
}

// Close ends the serving.
func (m *Metrics) Close() { m.server.Close() }

// Begun implements driver.Progress.
func (m *Metrics) Begun([]plan.Trial, int) { m.rest() }

// Passed implements driver.Watcher.
func (m *Metrics) Passed(trial plan.Trial, phase string, client int, interval result.Interval) {
	spec := trial.Spec
	of := prometheus.Labels{"stack": spec.Stack, "kind": spec.Kind, "method": "", "target": plain.Line(spec.Target), "phase": phase}
	if spec.Method != nil {
		of["method"] = plain.Line(spec.Method.Name)
	}
	if !maps.Equal(of, m.current) {
		m.rest()
		m.current = of
	}
	calls := m.calls.MustCurryWith(of)
	calls.WithLabelValues("ok").Add(float64(interval.OK))
	calls.WithLabelValues("error").Add(float64(interval.Errors))
	m.calling[client] = interval.InFlight
	var inFlight int64
	for _, n := range m.calling {
		inFlight += n
	}
	m.inFlight.With(of).Set(float64(inFlight))
	if client == 0 && interval.Response != nil {
		m.setResponse(of, interval.Response)
	}
}

// setResponse sets the gauges of a second. As in a Prometheus summary, they are NaN for a second without a call: the last values
// would hide that the server has stopped answering.
func (m *Metrics) setResponse(of prometheus.Labels, q *result.Quantiles) {
	seconds := func(ns int64) float64 {
		if q.Calls == 0 {
			return math.NaN()
		}
		return float64(ns) / 1e9
	}
	quantiles := m.quantiles.MustCurryWith(of)
	quantiles.WithLabelValues("0.5").Set(seconds(q.P50Ns))
	quantiles.WithLabelValues("0.9").Set(seconds(q.P90Ns))
	quantiles.WithLabelValues("0.99").Set(seconds(q.P99Ns))
	m.most.With(of).Set(seconds(q.MaxNs))
}

// Ended implements driver.Progress.
func (m *Metrics) Ended(trial result.Trial) {
	m.rest()
	m.trials.WithLabelValues(trial.Status).Inc()
}

// rest has the gauges of a phase that has ended say that nothing happens in it any more.
func (m *Metrics) rest() {
	m.calling = map[int]int64{}
	if m.current == nil {
		return
	}
	m.inFlight.With(m.current).Set(0)
	m.setResponse(m.current, &result.Quantiles{})
	m.current = nil
}
