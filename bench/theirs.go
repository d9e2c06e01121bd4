package main

import (
	"context"
	"fmt"
	"math"
	"net"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"rpcbench/internal/run/child"
)

// theirPackage is grpc-go's own benchmark client. It comes in grpc-go's module, and so in the version that is measured.
const theirPackage = "google.golang.org/grpc/benchmark/client"

// theirProfiles is the folder in which their client always writes a profile of every run, below its test_name.
const theirProfiles = "/tmp"

// theirPatience is the time that their client may take beyond its warm-up and its run.
const theirPatience = 30 * time.Second

// theirs runs grpc-go's own client with unary calls, and returns calls per second.
func (r *rig) theirs(ctx context.Context, cpus []int, address string) (float64, error) {
	path, err := r.build(ctx, theirPackage)
	if err != nil {
		return 0, err
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return 0, err
	}
	profile, err := filepath.Rel(theirProfiles, filepath.Join(r.folder, "theirs"))
	if err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, warmup+r.duration+theirPatience)
	defer cancel()
	command := exec.Command(path, "-test_name="+profile, "-port="+port, "-rpc_type=unary",
		"-c=1", whole("r", harnessInFlight), whole("req", harnessBytes), whole("resp", harnessBytes),
		whole("w", int(warmup/time.Second)), whole("d", int(r.duration/time.Second)))
	out, err := child.Run(ctx, command, cpus)
	if err != nil {
		return 0, err
	}
	return parseTheirs(out, "qps:")
}

func whole(flag string, value int) string { return "-" + flag + "=" + strconv.Itoa(value) }

// parseTheirs reads calls per second from the line of a client's output that begins with the word.
func parseTheirs(out, word string) (float64, error) {
	for text := range strings.Lines(out) {
		value, found := strings.CutPrefix(text, word)
		if !found {
			continue
		}
		perSec, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || perSec <= 0 || math.IsInf(perSec, 0) || math.IsNaN(perSec) {
			return 0, fmt.Errorf("the client printed %q, which is no rate", strings.TrimSpace(text))
		}
		return perSec, nil
	}
	return 0, fmt.Errorf("the client printed no line that begins with %s in %q", word, out)
}
