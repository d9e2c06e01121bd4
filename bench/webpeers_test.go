package main

import (
	"context"
	"crypto/tls"
	"io"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"testing"
)

func TestOtherToolsReportsCountOnlyWhenAllIsWell(t *testing.T) {
	t.Parallel()
	for name, reads := range map[string]struct {
		parse func(out []byte) (float64, error)
		good  string
		bad   []string
	}{
		"wrk": {parseWrk, "  7 requests in 1.00s, 1.2MB read\n", []string{
			"", "  0 requests in 1.00s, 0B read\n", "  7 requests in 1.00s, 1MB read\n  Non-2xx or 3xx responses: 7\n",
			"  7 requests in 1.00s, 1MB read\n  Socket errors: connect 1, read 0, write 0, timeout 0\n",
		}},
		"fortio": {parseFortio, `{"RetCodes":{"200":7}}`, []string{
			"", "{}", `{"RetCodes":{"200":6,"-1":1}}`, `{"RetCodes":{"404":7}}`,
		}},
		"k6": {parseK6, `{"metrics":{"http_reqs":{"count":7},"http_req_failed":{"passes":0,"fails":7}}}`, []string{
			"", "{}", `{"metrics":{"http_reqs":{"count":7},"http_req_failed":{"passes":1}}}`,
		}},
		"oha": {parseOha, `{"statusCodeDistribution":{"200":7}}`, []string{"", "{}", `{"statusCodeDistribution":{"200":6,"500":1}}`}},
	} {
		if requests, err := reads.parse([]byte(reads.good)); requests != 7 || err != nil {
			t.Errorf("%s: %v requests and %v, want 7", name, requests, err)
		}
		for _, out := range reads.bad {
			if requests, err := reads.parse([]byte(out)); err == nil {
				t.Errorf("%s: %q was taken for %v requests", name, out, requests)
			}
		}
	}
}

func TestOurReportIsReadInTheSameUnits(t *testing.T) {
	t.Parallel()
	made, err := parseLoad([]byte(`{"rows":[{"calls":9,"errors":0,"calls_per_sec":40000,"client_cpu_ns_per_call":20000}]}`))
	if want := (effort{perSec: 40000, perUS: 20, busy: 0.8}); made != want || err != nil {
		t.Errorf("%+v and %v, want %+v", made, err, want)
	}
	for _, out := range []string{"", "{}", `{"rows":[{"calls":0}]}`, `{"rows":[{"calls":9,"errors":1}]}`} {
		if made, err := parseLoad([]byte(out)); err == nil {
			t.Errorf("%q was taken for %+v", out, made)
		}
	}
}

func TestACourseIsHeldToItsLimits(t *testing.T) {
	t.Parallel()
	c := course{shape: shape{50, 1}, rivals: map[string]float64{"wrk": 1, "k6": 0.1}, rate: map[string]float64{"wrk": 1}}
	lines := c.lines([]peer{{name: webOurs}, {name: "k6"}, {name: "wrk"}}, []map[string]effort{{
		webOurs: {perSec: 100, perUS: 2}, "wrk": {perSec: 101, perUS: 2}, "k6": {perSec: 10, perUS: 19},
	}})
	held := map[string]bool{}
	for _, l := range lines {
		if l.limit != "" {
			held[l.name] = l.pass
		}
	}
	want := map[string]bool{
		"web http/1.1 50x1 CPU / k6's": false, "web http/1.1 50x1 CPU / wrk's": true, "web http/1.1 50x1 rate / wrk's": false,
	}
	if len(held) != len(want) {
		t.Errorf("%d lines have limits, want %d", len(held), len(want))
	}
	for name, pass := range want {
		if held[name] != pass {
			t.Errorf("%s passes: %t", name, held[name])
		}
	}
}

func TestNginxServesThePage(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("nginx"); err != nil {
		t.Skip("Debian's nginx is the server")
	}
	r := &rig{folder: t.TempDir(), random: rand.New(rand.NewPCG(1, 0))}
	for secure, proto := range map[bool]string{false: "HTTP/1.1", true: "HTTP/2.0"} {
		client := &http.Client{Transport: &http.Transport{
			ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		}}
		err := r.onNginx(t.Context(), secure, func(url string) error {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
			if err != nil {
				return err
			}
			answer, err := client.Do(request)
			if err != nil {
				return err
			}
			defer answer.Body.Close()
			page, err := io.ReadAll(answer.Body)
			if len(page) != webBytes || answer.Proto != proto {
				t.Errorf("secure %t: %d bytes by %s", secure, len(page), answer.Proto)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.onNginx(ctx, false, func(string) error { return nil }); err == nil {
		t.Error("an end is not heard")
	}
}
