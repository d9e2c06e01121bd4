//go:build unix

package fleet

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/process"
)

// program writes a file with a mode.
func program(t *testing.T, content string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "build")
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOnlyAProgramIsHashed(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		program(t, "#!/bin/sh\n", 0o700): "", program(t, "text", 0o600): "it can't be executed: its mode lacks x",
		t.TempDir(): "it is not a file", filepath.Join(t.TempDir(), "none"): "no such file or directory",
	} {
		_, hash, err := HashOf(path)
		switch {
		case want == "" && (err != nil || hash != "a8076d3d28d21e02012b20eaf7dbf75409a6277134439025f282e368e3305abf"):
			t.Errorf("%s: %s, %v", path, hash, err)
		case want != "" && (err == nil || err.Error() != want):
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}

// A build that was exchanged while it is measured is not the one that was planned.
func TestABuildThatHasChangedIsRefused(t *testing.T) {
	t.Parallel()
	path := program(t, "#!/bin/sh\n", 0o700)
	stat, hash, err := HashOf(path)
	if err != nil {
		t.Fatal(err)
	}
	f := &Fleet{builds: map[string]*build{path: {Binary: plan.Binary{Hash: hash}, stat: stat,
		program: process.Program{Command: []string{path}}}}}
	if got, err := f.binary(launch.Order{Binary: path, BinaryHash: hash}); err != nil || got.Command[0] != path {
		t.Errorf("%v, %v", got, err)
	}
	for _, change := range []struct {
		order launch.Order
		do    func()
		want  string
	}{
		{launch.Order{Binary: path, BinaryHash: "other"}, func() {}, "has changed since the run was planned"},
		{launch.Order{Binary: "./never"}, func() {}, "binary ./never was not asked what it hosts"},
		{launch.Order{Binary: path, BinaryHash: hash}, func() { _ = os.WriteFile(path, []byte("#!/bin/bash\n"), 0o700) },
			"has changed since the run was planned"},
		{launch.Order{Binary: path, BinaryHash: hash}, func() { _ = os.Remove(path) }, "no such file or directory"},
	} {
		change.do()
		if _, err := f.binary(change.order); err == nil || !strings.Contains(err.Error(), change.want) {
			t.Errorf("%+v: %v, want %s", change.order, err, change.want)
		}
	}
}

func TestAVersionNamesWhatABuildWasMadeFrom(t *testing.T) {
	t.Parallel()
	info := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "v0.1.0"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "0123456789abcdef0123"}, {Key: "vcs.modified", Value: "true"}, {Key: "GOOS", Value: "linux"},
		{Key: "-ldflags", Value: "-s -w -randlayout=7"},
	}}
	if got := versionOf(info); got != "v0.1.0 go1.26.8 0123456789ab dirty randlayout=7" {
		t.Errorf("%q", got)
	}
}
