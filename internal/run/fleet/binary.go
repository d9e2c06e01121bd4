package fleet

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/plan"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/process"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// rpcbenchMain is the main package of a build of rpcbench, which is a worker by its verb. Any other program is one at once.
const rpcbenchMain = "rpcbench/cmd/rpcbench"

// A build is a program that the user named to host stacks.
type build struct {
	plan.Binary
	program process.Program
	infos   []stack.Info
	stat    os.FileInfo // when it was hashed
}

// binaryPaths are the programs that scenarios name, each once.
func binaryPaths(scenarios []scenario.Scenario) []string {
	var paths []string
	for _, s := range scenarios {
		for _, c := range s.Cases {
			for _, p := range c.Each("binary") {
				paths = addPath(paths, p.Spec)
			}
		}
	}
	return paths
}

func addPath(paths []string, s plan.Spec) []string {
	path := s.BinaryPath()
	if path == "" || slices.Contains(paths, path) {
		return paths
	}
	return append(paths, path)
}

// askBinaries starts each program once, to ask what it hosts.
func (f *Fleet) askBinaries(ctx context.Context, paths []string) error {
	for _, path := range paths {
		if _, known := f.builds[path]; known {
			continue
		}
		b, err := f.askBinary(ctx, path)
		if err != nil {
			return fmt.Errorf("binary %s: %w", path, err)
		}
		f.builds[path] = b
	}
	return nil
}

func (f *Fleet) askBinary(ctx context.Context, path string) (*build, error) {
	b := &build{}
	var err error
	if b.stat, b.Hash, err = HashOf(path); err != nil {
		return nil, err
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	temporary, err := f.around.Temporary.Path()
	if err != nil {
		return nil, err
	}
	b.program = process.Program{Command: []string{absolute}, Environment: f.around.Environment, Temporary: temporary}
	if info, err := buildinfo.ReadFile(path); err == nil { // no error is a Go program
		b.Version = versionOf(info)
		if info.Path == rpcbenchMain {
			b.program.Command = append(b.program.Command, "worker")
		}
	}
	hello, err := launch.Ask(ctx, process.Always(b.program), launch.Order{})
	if err != nil {
		return nil, fmt.Errorf("it %w", err)
	}
	return b, b.take(hello)
}

// take takes what the program says that it hosts.
func (b *build) take(hello *control.Hello) error {
	if err := checkHello("it", hello); err != nil {
		return err
	}
	b.Abilities, b.Stacks = abilitiesOf(hello), stacksIn(hello)
	for _, s := range hello.GetStacks() {
		b.infos = append(b.infos, infoOf(s))
	}
	return nil
}

// versionOf returns the version that a Go program was built from, and its commit if it is known.
func versionOf(info *buildinfo.BuildInfo) string {
	words := []string{info.Main.Version, info.GoVersion}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			words = append(words, s.Value[:min(len(s.Value), 12)])
		case s.Key == "vcs.modified" && s.Value == "true":
			words = append(words, "dirty")
		case s.Key == "-ldflags":
			words = append(words, layoutOf(s.Value))
		}
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

// layoutOf returns how the linker ordered functions, as the seed of -randlayout; "" is the usual order. The layout of code
// changes figures by a few percent, equally in every trial of one program (Mytkowicz et al. 2009).
func layoutOf(ldflags string) string {
	for word := range strings.FieldsSeq(ldflags) {
		if seed, ok := strings.CutPrefix(strings.TrimLeft(word, "-"), "randlayout="); ok && seed != "0" {
			return "randlayout=" + seed
		}
	}
	return ""
}

// HashOf reads a program, and returns its SHA-256.
func HashOf(path string) (os.FileInfo, string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, "", plain.Cause(err)
	}
	defer file.Close()
	stat, err := file.Stat()
	switch {
	case err != nil:
		return nil, "", err
	case !stat.Mode().IsRegular():
		return nil, "", errors.New("it is not a file")
	case stat.Mode()&0o111 == 0:
		return nil, "", errors.New("it can't be executed: its mode lacks x")
	}
	hash, err := launch.HashOf(file)
	return stat, hash, err
}

// binary returns the program of an order. It must not have changed since it was planned.
func (f *Fleet) binary(order launch.Order) (process.Program, error) {
	b, known := f.builds[order.Binary]
	if !known {
		return process.Program{}, fmt.Errorf("binary %s was not asked what it hosts", order.Binary)
	}
	now, err := os.Stat(order.Binary)
	switch {
	case err != nil:
		return process.Program{}, fmt.Errorf("binary %s: %w", order.Binary, plain.Cause(err))
	case order.BinaryHash != b.Hash, !now.ModTime().Equal(b.stat.ModTime()), now.Size() != b.stat.Size():
		return process.Program{}, fmt.Errorf("binary %s has changed since the run was planned", order.Binary)
	}
	return b.program, nil
}
