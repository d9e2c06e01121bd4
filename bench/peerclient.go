package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/protobuf/proto"

	"rpcbench/internal/run/child"
)

// ghzModule is ghz as it is installed.
const ghzModule = "github.com/bojand/ghz/cmd/ghz@v0.93.0"

// peerPatience is how much longer than its run a peer may take.
const peerPatience = 30 * time.Second

// peer runs a client of others on its processor to the end, and returns what it printed and the CPU that it used.
func (r *rig) peer(ctx context.Context, name string, args ...string) (out string, cpu time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, r.duration+peerPatience)
	defer cancel()
	command := exec.Command(name, args...)
	out, err = child.Run(ctx, command, peersClientCPUs)
	if err != nil {
		return "", 0, err
	}
	return out, command.ProcessState.UserTime() + command.ProcessState.SystemTime(), nil
}

// h2loadEffort is of h2load, which Debian has in nghttp2-client.
func (r *rig) h2loadEffort(ctx context.Context, address string, inFlight int) (effort, error) {
	body, err := r.body()
	if err != nil {
		return effort{}, err
	}
	run := func(length time.Duration) (effort, error) {
		out, cpu, err := r.peer(ctx, "h2load", "--clients=1", "--threads=1", whole("-max-concurrent-streams", inFlight),
			whole("-duration", int(length/time.Second)), "--data="+body, "--header=content-type: application/grpc",
			"--header=te: trailers", "http://"+address+"/"+peersMethod)
		if err != nil {
			return effort{}, err
		}
		calls, err := parseH2load(out)
		return effortOf(calls, length.Seconds(), cpu.Seconds()), err
	}
	if _, err := run(warmup); err != nil {
		return effort{}, err
	}
	return run(r.duration)
}

var h2loadRequests = regexp.MustCompile(`requests: .*, \d+ done, (\d+) succeeded, (\d+) failed, (\d+) errored`)

// parseH2load returns the calls that h2load made. What it started and did not wait for at the end it neither counts as
// succeeded nor as failed.
func parseH2load(out string) (calls float64, err error) {
	found := h2loadRequests.FindStringSubmatch(out)
	if found == nil {
		return 0, fmt.Errorf("h2load printed no requests in %q", out)
	}
	succeeded, _ := strconv.ParseFloat(found[1], 64) // digits
	if succeeded == 0 || found[2] != "0" || found[3] != "0" {
		return 0, fmt.Errorf("h2load says %q", found[0])
	}
	return succeeded, nil
}

// ghzEffort is of ghz, which asks the server for its schema.
func (r *rig) ghzEffort(ctx context.Context, address string, inFlight int) (effort, error) {
	path, err := r.install(ctx, ghzModule)
	if err != nil {
		return effort{}, err
	}
	run := func(length time.Duration) (effort, error) {
		out, cpu, err := r.peer(ctx, path, "--insecure", "--call="+peersMethod, "--connections=1", whole("-concurrency", inFlight),
			"--duration="+length.String(), "--duration-stop=wait", "--data="+`{"response_size":1,"payload":{"body":"AA=="}}`,
			"--format=json", address)
		if err != nil {
			return effort{}, err
		}
		calls, err := parseGHZ([]byte(out))
		return effortOf(calls, length.Seconds(), cpu.Seconds()), err
	}
	if _, err := run(warmup); err != nil {
		return effort{}, err
	}
	return run(r.duration)
}

func parseGHZ(out []byte) (calls float64, err error) {
	var report struct {
		Count                  float64            `json:"count"`
		StatusCodeDistribution map[string]float64 `json:"statusCodeDistribution"` //nolint:tagliatelle // as ghz spells it
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return 0, fmt.Errorf("ghz printed no report: %w", err)
	}
	if ok := report.StatusCodeDistribution["OK"]; report.Count == 0 || ok != report.Count {
		return 0, fmt.Errorf("ghz made %v calls with the codes %v", report.Count, report.StatusCodeDistribution)
	}
	return report.Count, nil
}

// body writes the request as h2load is to send it, once.
func (r *rig) body() (path string, err error) {
	message, err := proto.Marshal(&testpb.SimpleRequest{
		ResponseSize: peersBytes, Payload: &testpb.Payload{Body: make([]byte, peersBytes)},
	})
	if err != nil {
		return "", err
	}
	path = filepath.Join(r.folder, "request")
	return path, os.WriteFile(path, append([]byte{0, 0, 0, 0, byte(len(message))}, message...), 0o600)
}

// install has Go install a program of another module, once.
func (r *rig) install(ctx context.Context, module string) (path string, err error) {
	name, _, _ := strings.Cut(filepath.Base(module), "@")
	path = filepath.Join(r.folder, name)
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		return path, err
	}
	command := exec.Command("go", "install", module)
	command.Env = append(os.Environ(), "GOBIN="+r.folder)
	_, err = child.Run(ctx, command, nil)
	return path, err
}
