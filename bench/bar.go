package main

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"rpcbench/internal/results/stat"
)

// A bar is one thing to measure and hold to its limits.
type bar struct {
	name    string
	claim   string // for -list
	apart   bool   // it needs what others have made, and is measured when it is named only
	measure func(ctx context.Context, r *rig) ([]line, error)
}

// bars are all there are, in the order in which they are measured.
var bars = []bar{
	{name: "record", claim: "a closed sample is recorded in 25 ns, an open one in 60 ns, without an allocation", measure: recordBar},
	{name: "memory", claim: "64×100 slots take less than 150 MB, the same after 10⁶ and 10⁸ calls", measure: memoryBar},
	{
		name: "wake", measure: wakeBar,
		claim: "at 1,000 calls/s the p99 of wake is 150 µs at the most, the pacer's share 15% of a core",
	},
	{name: "rate", claim: "50,000 calls/s are kept to 0.1%", measure: rateBar},
	{name: "meter", claim: "to watch the host during a trial takes at most 1% of a core", measure: meterBar},
	{
		name: "fanin", measure: faninBar,
		claim: "a driver of 1,000 workers with 10 intervals a second each takes at most one core and 1 GB",
	},
	{name: "start", claim: "a server and a client process make their first call within 50 ms", measure: startBar},
	{name: "floor", claim: "the tcp stack's p50 is at most 1.05 times a bare loop's, or 1 µs more", measure: floorBar},
	{name: "harness", claim: "grpc-go calls 0.97 times as often as from its own benchmark client, or more", measure: harnessBar},
	{
		name: "batch", measure: batchBar,
		claim: "grpc-go alternates 1.2·10⁶ operations/s on one stream, 2·10⁶ on four, in messages of 1,000; one adds 0.8 µs",
	},
	{
		name: "relay", measure: relayBar,
		claim: "an emulated link keeps its round trip to 5% or 0.3 ms and its bandwidth to 5%, and carries 1 Gbit/s and " +
			"50,000 messages/s",
	},
	{name: "jvm", claim: "grpc-java-netty calls 0.97 times as often as from its own benchmark client, or more", measure: jvmBar},
	{
		name: "cpp", measure: cppBar,
		claim: "grpc-cpp's clients and servers make 0.97 times the calls of plain programs of the library, or more",
	},
	{
		name: "soak", measure: soakBar,
		claim: "an hour at 5,000 calls/s with all seconds kept: the memory of workers is flat, and the driver's grows by 10 kB/s",
	},
	{
		name: "page", measure: pageBar,
		claim: "the page of a report of 1,000 trials is below 5 MB, and its first chart is there within 2 s",
	},
	{
		name: "peers", measure: peersBar, apart: true,
		claim: "against grpc-go's server grpc-wire takes no more CPU per call than h2load at 1 in flight, 0.5 of it at 50, 0.3 " +
			"at 500, 0.85 with a call on each of 100, 400 or 5,000 connections, and a tenth of ghz's",
	},
	{
		name: "web", measure: webBar, apart: true,
		claim: "against nginx http-wire takes no more CPU per request than wrk and a tenth of fortio's, k6's and oha's, and " +
			"grpc-wire over TLS 0.95 of h2load's",
	},
}

// A line is one figure beside its limit.
type line struct {
	name     string
	measured string
	limit    string // "" where the figure explains another and has no limit of its own
	pass     bool
}

func (l line) String() string {
	verdict := "MISS"
	switch {
	case l.limit == "":
		verdict = ""
	case l.pass:
		verdict = "PASS"
	}
	return strings.TrimRight(fmt.Sprintf("%-24s %-64s %-22s %s", l.name, l.measured, l.limit, verdict), " ")
}

// hold measures the bars that were asked for and prints their lines. A bar that can't be measured is missed.
func hold(ctx context.Context, r *rig, only *regexp.Regexp, out io.Writer) error {
	missed, held := false, 0
	for _, b := range bars {
		if !only.MatchString(b.name) || b.apart && only.String() == "" {
			continue
		}
		held++
		lines, err := b.measure(ctx, r)
		for _, l := range lines {
			fmt.Fprintln(out, l)
			missed = missed || l.limit != "" && !l.pass
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%s: interrupted", b.name)
		}
		if err != nil {
			fmt.Fprintln(out, line{name: b.name, measured: "not measured: " + err.Error(), limit: b.claim})
			missed = true
		}
	}
	switch {
	case held == 0:
		return fmt.Errorf("-run %q matches no bar; -list has them", only)
	case missed:
		return errMissed
	}
	return nil
}

func list(out io.Writer, only *regexp.Regexp) {
	for _, b := range bars {
		if only.MatchString(b.name) {
			fmt.Fprintf(out, "%-9s %s\n", b.name, b.claim)
		}
	}
}

// figure prints a summary: its median with its spread, both in the unit, and n.
func figure(s stat.Summary, decimals int, unit string) string {
	spread := "95%"
	if s.Spread == stat.SpreadMinMax {
		spread = "min–max"
	}
	if unit != "" {
		unit = " " + unit
	}
	return fmt.Sprintf("median %.*f%s, %s %.*f–%.*f, n %d",
		decimals, s.Median, unit, spread, decimals, s.Lo, decimals, s.Hi, s.N)
}

// atLeast is the line of a figure whose median must not be below the limit.
func atLeast(name string, s stat.Summary, limit float64, unit string) line {
	return line{
		name: name, measured: figure(s, 0, unit), pass: s.Median >= limit,
		limit: strings.TrimSpace("≥ " + strconv.FormatFloat(limit, 'f', -1, 64) + " " + unit),
	}
}

// atMost is the line of a figure whose median must not be above the limit.
func atMost(name string, s stat.Summary, limit float64, unit string) line {
	return line{
		name: name, measured: figure(s, 1, unit), pass: s.Median <= limit,
		limit: strings.TrimSpace("≤ " + strconv.FormatFloat(limit, 'f', -1, 64) + " " + unit),
	}
}
