package main

import (
	"strings"
	"testing"
)

const theirOutput = `qps: 38261.8
Latency: (50/90/99 %ile): 1.18ms/1.71ms/2.9ms
Client CPU utilization: 5.96s
Client CPU profile: /tmp/theirs.cpu
Client Mem Profile: /tmp/theirs.mem
`

func TestTheirRateIsRead(t *testing.T) {
	t.Parallel()
	for _, out := range []string{theirOutput, "a warning\n" + theirOutput, "qps: 38261.8"} {
		if got, err := parseTheirs(out, "qps:"); got != 38261.8 || err != nil {
			t.Errorf("%q: %v, %v; want 38261.8", out, got, err)
		}
	}
}

func TestWhatIsNoRateIsNamed(t *testing.T) {
	t.Parallel()
	for out, want := range map[string]string{
		"":                          "printed no line",
		"Latency: 1ms\n":            "printed no line",
		" qps: 5\n":                 "printed no line",
		"qps: NaN\n":                `"qps: NaN", which is no rate`,
		"qps: 0\n":                  `"qps: 0", which is no rate`,
		"qps: -1\n":                 `"qps: -1", which is no rate`,
		"qps: +Inf\n":               `"qps: +Inf", which is no rate`,
		"qps: many\nqps: 38261.8\n": `"qps: many", which is no rate`,
	} {
		if _, err := parseTheirs(out, "qps:"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %s", out, err, want)
		}
	}
}
