package dist

import (
	"crypto/sha256"
	"debug/buildinfo"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// root is where the Makefile is, seen from this package.
const root = "../../.."

// run runs make with these arguments, beside any make that this test may run under, and returns what it prints.
func run(t *testing.T, args ...string) string {
	t.Helper()
	command := exec.Command("make", append([]string{"--no-print-directory", "-C", root}, args...)...)
	command.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "MAKEFLAGS=") || strings.HasPrefix(v, "MAKELEVEL=")
	})
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("make %s: %v\n%s", strings.Join(args, " "), err, output)
	}
	return string(output)
}

// builds has, by platform, the folder with what make dist made for it, which all tests read.
var builds = struct {
	sync.Mutex // held by who builds: the next finds in Go's cache what was compiled

	parent  string
	folders map[string]string
}{folders: map[string]string{}}

func TestMain(m *testing.M) {
	parent, err := os.MkdirTemp("", "rpcbench-dist-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	builds.parent = parent
	code := m.Run()
	os.RemoveAll(parent)
	os.Exit(code)
}

// build makes the binary for the first Raspberry Pi as `make dist` does, and returns its folder and its name.
func build(t *testing.T) (folder, name string) {
	t.Helper()
	return buildFor(t, "linux-armv6"), "rpcbench-linux-armv6"
}

// buildFor makes all that `make dist` makes for one platform, once, and returns the folder.
func buildFor(t *testing.T, platform string) string {
	t.Helper()
	builds.Lock()
	defer builds.Unlock()
	folder, made := builds.folders[platform]
	if !made {
		folder = filepath.Join(builds.parent, platform)
		run(t, "dist", "dist="+folder, "platforms="+platform)
		builds.folders[platform] = folder
	}
	return folder
}

func TestEachPlatformHasABinaryOfItsOwn(t *testing.T) {
	t.Parallel()
	var got []string
	for line := range strings.Lines(run(t, "-n", "dist")) {
		if environment, arguments, isBuild := strings.Cut(line, " go build -trimpath -ldflags '-X "); isBuild {
			_, output, _ := strings.Cut(strings.TrimSuffix(arguments, " ./cmd/rpcbench\n"), "' -o ")
			got = append(got, environment+" "+output)
		}
	}
	want := []string{
		"CGO_ENABLED=0 GOOS=linux GOARCH=amd64 dist/rpcbench-linux-amd64",
		"CGO_ENABLED=0 GOOS=linux GOARCH=arm64 dist/rpcbench-linux-arm64",
		"CGO_ENABLED=0 GOOS=linux GOARCH=arm GOARM=6 dist/rpcbench-linux-armv6",
		"CGO_ENABLED=0 GOOS=linux GOARCH=arm GOARM=7 dist/rpcbench-linux-armv7",
		"CGO_ENABLED=0 GOOS=darwin GOARCH=amd64 dist/rpcbench-darwin-amd64",
		"CGO_ENABLED=0 GOOS=darwin GOARCH=arm64 dist/rpcbench-darwin-arm64",
		"CGO_ENABLED=0 GOOS=windows GOARCH=amd64 dist/rpcbench-windows-amd64.exe",
	}
	if !slices.Equal(got, want) {
		t.Errorf("make dist builds\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestABinaryIsStaticAndItsChecksumIsBesideIt(t *testing.T) {
	t.Parallel()
	folder, name := build(t)
	path := filepath.Join(folder, name)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(folder, "SHA256SUMS"))
	if want := fmt.Sprintf("%x  %s\n", sha256.Sum256(data), name); err != nil || !strings.HasPrefix(string(sums), want) {
		t.Errorf("SHA256SUMS is %q, want %q first, error %v", sums, want, err)
	}
	file, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if file.Machine != elf.EM_ARM || slices.ContainsFunc(file.Progs, isInterpreter) {
		t.Errorf("it is a program for %v, with a loader: %v", file.Machine, slices.ContainsFunc(file.Progs, isInterpreter))
	}
	if settings := settings(t, path); settings["GOARM"] != "6" || settings["-trimpath"] != "true" {
		t.Errorf("it was built with %v", settings)
	}
}

// isInterpreter reports whether a part of a program names the loader of its shared libraries.
func isInterpreter(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }

// settings returns what a binary says it was built with.
func settings(t *testing.T, path string) map[string]string {
	t.Helper()
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, s := range info.Settings {
		found[s.Key] = s.Value
	}
	return found
}
