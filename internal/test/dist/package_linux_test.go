package dist

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"rpcbench/internal/cli"
)

// version is the one of all that is made.
func version(t *testing.T) string {
	t.Helper()
	return cli.Tree().Version
}

// one returns the only file of a folder with a pattern.
func one(t *testing.T, folder, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("there are %v like %s, error %v", found, pattern, err)
	}
	return found[0]
}

// output runs a program and returns what it prints.
func output(t *testing.T, command *exec.Cmd) string {
	t.Helper()
	text, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", command.Args, err, text)
	}
	return string(text)
}

// isOfThisVersion checks what a program says of itself.
func isOfThisVersion(t *testing.T, said string) {
	t.Helper()
	pattern := "^rpcbench version " + regexp.QuoteMeta(version(t)) + "\n(commit [0-9a-f]{40}(\\+dirty)?, 20[0-9T:Z-]{18}\n)?go1"
	if !regexp.MustCompile(pattern).MatchString(said) {
		t.Errorf("--version says %q, want %s", said, pattern)
	}
}

func TestWhatIsMadeForThisPlatform(t *testing.T) {
	t.Parallel()
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("there are packages for amd64 and arm64, and this is " + runtime.GOARCH)
	}
	folder := buildFor(t, "linux-"+runtime.GOARCH)
	for name, test := range map[string]func(*testing.T, string){
		"EverythingHasAChecksum":                      checksummed,
		"ThePackageOfDebianIsInstalledAndMeasures":    installed,
		"ThePackageOfRPMBeginsAsOne":                  beginsAsRPM,
		"TheArchiveHasProgramPagesAndCompletions":     archived,
		"TheImageRunsAsNobodyWithoutABase":            contained,
		"ThePagesCanBeRead":                           readable,
		"TheListOfComponentsIsWhatTheBinaryIsBuiltOf": listed,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, folder)
		})
	}
}

func checksummed(t *testing.T, folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(folder, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.Name() == "SHA256SUMS" {
			continue
		}
		content, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if line := fmt.Sprintf("%x  %s\n", sha256.Sum256(content), entry.Name()); !strings.Contains(string(sums), line) {
			t.Errorf("SHA256SUMS lacks %q", line)
		}
	}
	if lines := strings.Count(string(sums), "\n"); lines != len(entries)-1 || lines != 6 {
		t.Errorf("it has %d lines for %d files, want 6", lines, len(entries)-1)
	}
}

func installed(t *testing.T, folder string) {
	if _, err := exec.LookPath("dpkg"); err != nil {
		t.Skip(err)
	}
	deb, root := one(t, folder, "*.deb"), t.TempDir()
	if want := "rpcbench_" + version(t) + "-1_" + runtime.GOARCH + ".deb"; filepath.Base(deb) != want {
		t.Errorf("it is named %s, want %s", filepath.Base(deb), want)
	}
	output(t, exec.Command("dpkg", "-x", deb, root))
	program := filepath.Join(root, "usr/bin/rpcbench")
	isOfThisVersion(t, output(t, exec.Command(program, "--version")))
	command := exec.Command(program, "simple", "--stack", "grpc-go", "--warmup", "0s", "--set", "calls=5", "--set", "messages=10",
		"--set", "deadline=10m", "--out", filepath.Join(root, "simple.jsonl"))
	lines, err := command.Output()
	if err != nil || !fourLines.Match(lines) {
		t.Errorf("rpcbench simple: %v\n%s", err, lines)
	}
	for _, name := range []string{"man/man1/rpcbench-load.1.gz", "bash-completion/completions/rpcbench", "doc/rpcbench/LICENSE"} {
		if info, err := os.Stat(filepath.Join(root, "usr/share", name)); err != nil || info.Mode().Perm() != 0o644 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func beginsAsRPM(t *testing.T, folder string) {
	content, err := os.ReadFile(one(t, folder, "rpcbench-"+version(t)+"-1.*.rpm"))
	if err != nil {
		t.Fatal(err)
	}
	if magic := []byte{0xed, 0xab, 0xee, 0xdb}; !bytes.HasPrefix(content, magic) { // of the lead
		t.Errorf("it begins with %x", content[:8])
	}
	if name := []byte("rpcbench-" + version(t)); !bytes.Contains(content[:96], name) {
		t.Errorf("its lead is %q", content[:96])
	}
}

// unpack writes a tar's files below a folder, and returns their modes and owners by name.
func unpack(t *testing.T, packed io.Reader, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	in := tar.NewReader(packed)
	for {
		head, err := in.Next()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(head.Name, "/")
		found[name] = fmt.Sprintf("%o %d", head.Mode, head.Uid)
		at := filepath.Join(folder, name)
		if head.Typeflag == tar.TypeDir {
			if err := os.MkdirAll(at, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		content, err := io.ReadAll(in)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(at), 0o755)
		}
		if err == nil {
			err = os.WriteFile(at, content, os.FileMode(head.Mode))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func unzipped(t *testing.T, path string) io.Reader {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

func archived(t *testing.T, folder string) {
	at := t.TempDir()
	packed := one(t, folder, "*.tar.gz")
	found := unpack(t, unzipped(t, packed), at)
	top := strings.TrimSuffix(filepath.Base(packed), ".tar.gz")
	for name, want := range map[string]string{
		"bin/rpcbench": "755 0", "share/man/man1/rpcbench.1.gz": "644 0", "share/doc/rpcbench/README.md": "644 0",
		"share/bash-completion/completions/rpcbench": "644 0", "share/zsh/site-functions/_rpcbench": "644 0",
		"share/fish/vendor_completions.d/rpcbench.fish": "644 0",
	} {
		if got := found[top+"/"+name]; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	isOfThisVersion(t, output(t, exec.Command(filepath.Join(at, top, "bin/rpcbench"), "--version")))
	bash, err := exec.LookPath("bash")
	if err != nil {
		return
	}
	output(t, exec.Command(bash, "-n", filepath.Join(at, top, "share/bash-completion/completions/rpcbench")))
}

// read decodes a file of an image's layout.
func read(t *testing.T, path string, to any) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(content, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A descriptor refers to a blob.
type descriptor struct{ Digest string }

func (d descriptor) in(layout string) string {
	return filepath.Join(layout, "blobs", strings.ReplaceAll(d.Digest, ":", "/"))
}

func contained(t *testing.T, folder string) {
	layout, root := t.TempDir(), t.TempDir()
	packed, err := os.Open(one(t, folder, "*.oci.tar"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	unpack(t, packed, layout)
	var index struct{ Manifests []descriptor }
	read(t, filepath.Join(layout, "index.json"), &index)
	var manifest struct {
		Config descriptor
		Layers []descriptor
	}
	read(t, index.Manifests[0].in(layout), &manifest)
	var image struct {
		Architecture string
		Config       struct {
			User, WorkingDir string
			Entrypoint       []string
			Labels           map[string]string
		}
	}
	read(t, manifest.Config.in(layout), &image)
	c := image.Config
	if image.Architecture != runtime.GOARCH || c.User != "65532:65532" || c.WorkingDir != "/work" ||
		c.Labels["org.opencontainers.image.version"] != version(t) {
		t.Errorf("the image says %+v", image)
	}
	if len(manifest.Layers) != 1 {
		t.Fatalf("it has %d layers", len(manifest.Layers))
	}
	found := unpack(t, unzipped(t, manifest.Layers[0].in(layout)), root)
	if found["work"] != "755 65532" || found["tmp"] != "1777 0" || found["usr/bin/rpcbench"] != "755 0" {
		t.Errorf("its files are %v", found)
	}
	authorities, err := os.ReadFile(filepath.Join(root, "etc/ssl/certs/ca-certificates.crt"))
	if n := bytes.Count(authorities, []byte("BEGIN CERTIFICATE")); err != nil || n < 50 {
		t.Errorf("it has %d authorities, error %v", n, err)
	}
	for _, args := range [][]string{{"--version"}, {"help", "load"}} {
		said := output(t, inside(root, c.Entrypoint, args))
		if args[0] == "--version" {
			isOfThisVersion(t, said)
		} else if !strings.Contains(said, "\nExamples:\n") {
			t.Errorf("rpcbench %s prints %s", strings.Join(args, " "), said)
		}
	}
}

// inside is a command in a file system of its own, as root in a user namespace where this is not root.
func inside(root string, entrypoint, args []string) *exec.Cmd {
	words := append(slices.Clone(entrypoint), args...)
	command := exec.Command(words[0])
	command.Args, command.Path, command.Dir, command.Err = words, words[0], "/", nil
	command.Env = []string{"PATH=/usr/bin", "HOME=/work"}
	command.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
	if os.Getuid() == 0 {
		_ = os.Chmod(root, 0o755) // a test's own folder
		command.SysProcAttr.Credential = &syscall.Credential{Uid: 65532, Gid: 65532}
		return command
	}
	command.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
	command.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
	command.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	return command
}

func readable(t *testing.T, _ string) {
	if _, err := exec.LookPath("man"); err != nil {
		t.Skip(err)
	}
	folder := filepath.Join(t.TempDir(), "a folder")
	theirs := filepath.Join(filepath.Dir(folder), "a", "file") // which the words of folder, apart, would name
	if err := errors.Join(os.MkdirAll(filepath.Dir(theirs), 0o755), os.WriteFile(theirs, nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	run(t, "install", "prefix="+folder)
	pages, err := filepath.Glob(filepath.Join(folder, "share/man/man1/*.1.gz"))
	if err != nil || len(pages) < 15 {
		t.Fatalf("there are %d pages, error %v", len(pages), err)
	}
	for _, page := range pages {
		command := exec.Command("man", "-l", page)
		command.Env = append(os.Environ(), "MANWIDTH=80", "MANPAGER=cat", "LC_ALL=C.UTF-8", "MAN_KEEP_FORMATTING=")
		text := output(t, command)
		name := strings.TrimSuffix(filepath.Base(page), ".1.gz")
		for _, want := range []string{"NAME\n       " + name + " ", "SYNOPSIS\n", "OPTIONS\n", "SEE ALSO\n"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%s", name, want, text)
			}
		}
	}
	isOfThisVersion(t, output(t, exec.Command(filepath.Join(folder, "bin/rpcbench"), "--version")))
	run(t, "uninstall", "prefix="+folder)
	left, err := filepath.Glob(filepath.Join(folder, "*/*/*/*"))
	if err != nil || len(left) != 0 {
		t.Errorf("make uninstall leaves %v, error %v", left, err)
	}
	if _, err := os.Stat(theirs); err != nil {
		t.Errorf("make uninstall took what is somebody else's: %v", err)
	}
}

func listed(t *testing.T, folder string) {
	var bill struct {
		BOMFormat string `json:"bomFormat"` //nolint:tagliatelle // as CycloneDX spells it
		Metadata  struct {
			Component struct{ Name, Version string }
		}
		Components []struct{ Name, Version, PURL string }
	}
	read(t, one(t, folder, "*.cdx.json"), &bill)
	if bill.BOMFormat != "CycloneDX" || bill.Metadata.Component.Version != version(t) {
		t.Errorf("it is of %+v in %s", bill.Metadata, bill.BOMFormat)
	}
	said := output(t, exec.Command("go", "version", "-m", one(t, folder, "rpcbench-linux-"+runtime.GOARCH)))
	for line := range strings.Lines(said) {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "dep" {
			continue
		}
		if !slices.ContainsFunc(bill.Components, func(c struct{ Name, Version, PURL string }) bool {
			return c.Name == words[1] && c.Version == words[2] && c.PURL == "pkg:golang/"+words[1]+"@"+words[2]
		}) {
			t.Errorf("it lacks %s %s", words[1], words[2])
		}
	}
	if len(bill.Components) < 20 {
		t.Errorf("it has %d components", len(bill.Components))
	}
}
