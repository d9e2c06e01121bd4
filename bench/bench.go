// Command bench checks rpcbench against its own bounds: how much the instrument may cost, and how exactly it must keep time.
// Each check prints a line with the measurement, the bound, and PASS or MISS; the exit code is 1 if one was missed. It needs
// an idle machine, takes about two hours and is not part of the tests: `make bench`, or `go run ./bench -list`.
//
// The limits are the project's own targets:
//
//   - record: one Record of an OK call costs at most 25 ns in a closed load and 60 ns in an open one, whose sample goes
//     into four histograms instead of one, without an allocation. It is CPU time, and clock reads are not in it.
//
//   - memory: a worker of 64×100 slots stays under 150 MB after 10⁶ calls, and after 10⁸ within 5% of that. Its stack
//     does nothing and holds nothing, so all memory is the worker's own.
//
//   - wake: an open load of 1,000 calls/s sends late by at most 150 µs at p99, and its pacer takes at most 15% of a core.
//     A sketch with nanosleep, a timer slack of 1 µs and a spin of 50 µs took 81 µs and 9%.
//
//   - rate: 50,000 calls/s on a stack that does nothing are kept to 0.1%.
//
//   - harness: grpc-go's unary calls, 1×50, 1 B each way, at least 0.97 times as many as by grpc-go's own benchmark
//     client. See harness.go for what both have in common and how they differ.
//
//   - jvm: the same of grpc-java-netty and grpc-java's own client, 4×10, both on their own server; see jvm.go.
//
//   - cpp: the same of the stacks in C++, clients and servers, and plain programs of their library; see cpp.go.
//
//   - floor: the tcp stack's p50 with one caller is at most 1.05 times that of a bare loop on the same protocol, or at
//     most 1 µs more.
//
//   - batch: grpc-go's default codec carries 1.2 million operations of 8 bytes a second in messages of 1,000, alternating on
//     one stream, and 2 million on four; an operation adds at most 0.8 µs to a message.
//
//   - relay: an emulated link's round trip is kept to 5% or 0.3 ms and its bandwidth to 5%, and with nothing else in the
//     way it carries 1 Gbit/s and 50,000 messages/s.
//
//   - meter: watching the host during a trial, its hiccups and other programs, takes the driver at most 1% of a core.
//
//   - fanin: a driver that reads 1,000 workers, ten intervals per second each, takes at most one core and 1 GB.
//
//   - start: from starting a server and a client process to the first call done in less than 50 ms.
//
//   - soak: an hour of an open load at 5,000 calls/s with every second kept; a worker grows by at most 8 MB after the first
//     minute, and the driver by 10 kB per second in addition, which it writes at the end.
//
//   - page: the page of a report of 1,000 trials is below 5 MB, and its first chart appears within 2 s.
//
//   - peers, measured only when it is named: grpc-wire against grpc-go's server takes at most h2load's CPU per call at 1 in
//     flight, 0.5 of it at 50, 0.3 at 500 and 0.85 with a call on each of 100, 400 or 5,000 connections, and a tenth of ghz's
//     up to 400; and calls 0.98 times as often as h2load at the least, with one in flight too; where h2load is at its limit,
//     1.1 times as often.
//
//   - web, measured only when it is named: of nginx's page of 1 kB, `rpcbench load` takes at most wrk's CPU per request and a
//     tenth of fortio's, k6's and oha's over HTTP/1.1, and 0.95 of h2load's over HTTP/2 and TLS; and makes no fewer requests
//     per second than wrk.
//
// Every figure is the median of independent repetitions, with the interval of order statistics of package stat.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"syscall"
	"time"
)

func main() {
	if child, ok := children[arg(1)]; ok {
		os.Exit(code(child(os.Args[2:])))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code(err))
}

func arg(i int) string {
	if i < len(os.Args) {
		return os.Args[i]
	}
	return ""
}

// errMissed ends the program with 1 when all has been said already.
var errMissed = errors.New("a bar was missed")

// code is the process's exit code: 1 is a missed bar, 2 is that the program was called wrongly or can't work.
func code(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errMissed):
		return 1
	case !errors.Is(err, flag.ErrHelp):
		fmt.Fprintln(os.Stderr, "bench:", err)
	}
	return 2
}

// settings are the flags.
type settings struct {
	only     *regexp.Regexp
	pairs    int
	duration time.Duration
	soak     time.Duration
	seed     uint64
	list     bool
}

func run(ctx context.Context, args []string, out, stderr io.Writer) error {
	s, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if s.list {
		list(out, s.only)
		return nil
	}
	r, err := newRig(s)
	if err != nil {
		return err
	}
	defer r.close()
	warnIfBusy(stderr)
	return hold(ctx, r, s.only, out)
}

func parse(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	only := flags.String("run", "", "only the bars whose names match this `regexp`")
	flags.IntVar(&s.pairs, "pairs", 20, "pairs of harness and floor")
	flags.DurationVar(&s.duration, "duration", 5*time.Second, "of one run of wake, rate, harness and floor, in whole seconds")
	flags.DurationVar(&s.soak, "soak", time.Hour, "of the soak")
	flags.Uint64Var(&s.seed, "seed", 1, "of the order within pairs")
	flags.BoolVar(&s.list, "list", false, "list the bars and measure nothing")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	var err error
	switch s.only, err = regexp.Compile(*only); {
	case err != nil:
		return s, fmt.Errorf("-run %q: %w", *only, err)
	case flags.NArg() > 0:
		return s, fmt.Errorf("%q is no flag; -run %s picks bars", flags.Arg(0), flags.Arg(0))
	case s.pairs < 1:
		return s, fmt.Errorf("-pairs %d: there must be at least one", s.pairs)
	case s.soak < 10*time.Second:
		return s, fmt.Errorf("-soak %v: memory settles in the first fifth of it, so it takes 10s at the least", s.soak)
	case s.duration < time.Second || s.duration%time.Second != 0:
		return s, fmt.Errorf("-duration %v: grpc-go's client takes whole seconds only, at least one", s.duration)
	}
	return s, nil
}
