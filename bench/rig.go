package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"rpcbench/internal/run/child"
	"rpcbench/internal/worker/host"
)

// A rig is the equipment that the bars measure with.
type rig struct {
	settings
	random *rand.Rand
	self   string // this program, whose children are workers of the no-op stack, and bare loops
	folder string // for what is built, and for the profiles that grpc-go's client leaves
}

func newRig(s settings) (*rig, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	folder, err := os.MkdirTemp("", "rpcbench-bench-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for what is built: %w", err)
	}
	return &rig{settings: s, self: self, folder: folder, random: rand.New(rand.NewPCG(s.seed, 0))}, nil
}

func (r *rig) close() { _ = os.RemoveAll(r.folder) } // a folder of the system's for temporary files

// build compiles a main package of this module or of one that it requires, once.
func (r *rig) build(ctx context.Context, pkg string) (path string, err error) {
	path = filepath.Join(r.folder, strings.ReplaceAll(pkg, "/", "-"))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	_, err = child.Run(ctx, exec.Command("go", "build", "-o", path, pkg), nil)
	return path, err
}

// worker is the command of a worker that hosts the stacks of rpcbench.
func (r *rig) worker(ctx context.Context) ([]string, error) {
	path, err := r.build(ctx, "rpcbench/cmd/rpcbench")
	return []string{path, "worker"}, err
}

// repeat measures n times.
func repeat[T any](ctx context.Context, n int, measure func() (T, error)) ([]T, error) {
	sample := make([]T, 0, n)
	for range n {
		value, err := measure()
		if err != nil {
			return nil, err
		}
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		sample = append(sample, value)
	}
	return sample, nil
}

// busyLoad is the most runnable threads over the last minute of a machine that may be called idle.
const busyLoad = 0.3

// warnIfBusy says so when others are using the machine.
func warnIfBusy(stderr io.Writer) {
	machine := host.Describe()
	fmt.Fprintf(stderr, "%s, %d processors, Linux %s\n", machine.CPU, machine.Processors, machine.Kernel)
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return // not Linux
	}
	first, _, _ := strings.Cut(string(text), " ")
	if busy, err := strconv.ParseFloat(first, 64); err == nil && busy > busyLoad {
		fmt.Fprintf(stderr, "warning: the load average is %.1f: these bars want an idle machine\n", busy)
	}
}

const microsecond = float64(time.Microsecond)
