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

// peerPatience is the time that a peer may take beyond its run.
const peerPatience = 30 * time.Second

// peer runs another project's client on its processor to the end, and returns its output and its CPU time.
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

// paced warms up a client and then measures it, in separate runs.
func (r *rig) paced(run func(length time.Duration) (effort, error)) (effort, error) {
	if _, err := run(warmup); err != nil {
		return effort{}, err
	}
	return run(r.duration)
}

// ran runs a client for a time, and returns its effort by the calls that parse finds in its output.
func (r *rig) ran(
	ctx context.Context, length time.Duration, parse func(out []byte) (calls float64, err error), name string, args ...string,
) (effort, error) {
	out, cpu, err := r.peer(ctx, name, args...)
	if err != nil {
		return effort{}, err
	}
	calls, err := parse([]byte(out))
	if err != nil {
		return effort{}, fmt.Errorf("%s: %w in %q", filepath.Base(name), err, out)
	}
	return effortOf(calls, length.Seconds(), cpu.Seconds()), nil
}

// h2loadEffort is of h2load, which Debian has in nghttp2-client.
func (r *rig) h2loadEffort(ctx context.Context, address string, at shape) (effort, error) {
	body, err := r.body()
	if err != nil {
		return effort{}, err
	}
	return r.h2load(ctx, at, "--data="+body, "--header=content-type: application/grpc", "--header=te: trailers",
		"http://"+address+"/"+peersMethod)
}

func (r *rig) h2load(ctx context.Context, at shape, args ...string) (effort, error) {
	return r.paced(func(length time.Duration) (effort, error) {
		shaped := []string{
			whole("-clients", at.connections), "--threads=1", whole("-max-concurrent-streams", at.inFlight),
			whole("-duration", int(length/time.Second)),
		}
		return r.ran(ctx, length, parseH2load, "h2load", append(shaped, args...)...)
	})
}

var h2loadRequests = regexp.MustCompile(`requests: .*, \d+ done, (\d+) succeeded, (\d+) failed, (\d+) errored`)

// parseH2load returns the number of calls that h2load made. Those unfinished at the end count neither as succeeded nor as failed.
func parseH2load(out []byte) (calls float64, err error) {
	found := h2loadRequests.FindStringSubmatch(string(out))
	if found == nil {
		return 0, errors.New("no requests")
	}
	succeeded, _ := strconv.ParseFloat(found[1], 64) // digits
	if succeeded == 0 || found[2] != "0" || found[3] != "0" {
		return 0, fmt.Errorf("%q", found[0])
	}
	return succeeded, nil
}

// ghzEffort is of ghz, which asks the server for its schema.
func (r *rig) ghzEffort(ctx context.Context, address string, at shape) (effort, error) {
	path, err := r.install(ctx, ghzModule)
	if err != nil {
		return effort{}, err
	}
	return r.paced(func(length time.Duration) (effort, error) {
		return r.ran(ctx, length, parseGHZ, path, "--insecure", "--call="+peersMethod, whole("-connections", at.connections),
			whole("-concurrency", at.connections*at.inFlight), "--duration="+length.String(), "--duration-stop=wait",
			"--data="+`{"response_size":1,"payload":{"body":"AA=="}}`, "--format=json", address)
	})
}

func parseGHZ(out []byte) (calls float64, err error) {
	var report struct {
		Count                  float64            `json:"count"`
		StatusCodeDistribution map[string]float64 `json:"statusCodeDistribution"` //nolint:tagliatelle // as ghz spells it
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return 0, fmt.Errorf("no report: %w", err)
	}
	if ok := report.StatusCodeDistribution["OK"]; report.Count == 0 || ok != report.Count {
		return 0, fmt.Errorf("%v calls with the codes %v", report.Count, report.StatusCodeDistribution)
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
	return r.installed(ctx, name, exec.Command("go", "install", module), "GOBIN="+r.folder)
}

// installed runs what installs a program in the folder, unless it is there.
func (r *rig) installed(ctx context.Context, name string, install *exec.Cmd, environment ...string) (path string, err error) {
	path = filepath.Join(r.folder, name)
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		return path, err
	}
	install.Env = append(os.Environ(), environment...)
	_, err = child.Run(ctx, install, nil)
	return path, err
}
