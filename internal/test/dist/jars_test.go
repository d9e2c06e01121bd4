package dist

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// downloads is a local repository of Maven's with one jar, a worker that has it beside its own, and their checksums.
type downloads struct{ repository, workers, checksums string }

func newDownloads(t *testing.T) downloads {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	d := downloads{filepath.Join(t.TempDir(), "m2"), t.TempDir(), filepath.Join(t.TempDir(), "checksums.sha256")}
	d.put(t, d.inRepository(), "netty")
	d.put(t, d.inWorker("netty-4.jar"), "netty")
	d.put(t, d.inWorker("worker.jar"), "built here")
	d.put(t, d.inWorker("worker-core-1-SNAPSHOT.jar"), "built here")
	netty := sha256.Sum256([]byte("netty"))
	d.put(t, d.checksums, fmt.Sprintf("%x  io/netty/netty-4.jar\n%064d  org/example/absent-1.jar\n", netty, 0))
	return d
}

func (d downloads) inRepository() string {
	return filepath.Join(d.repository, "io", "netty", "netty-4.jar")
}
func (d downloads) inWorker(name string) string { return filepath.Join(d.workers, "w", "lib", name) }

func (d downloads) put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// check returns what the check of the downloads says, and whether it holds them for good.
func (d downloads) check(t *testing.T) (said string, good bool) {
	t.Helper()
	command := exec.CommandContext(t.Context(), filepath.Join(root, "tools", "jars.sh"), "check", d.repository)
	command.Env = append(os.Environ(), "CHECKSUMS="+d.checksums, "WORKERS="+d.workers)
	output, err := command.CombinedOutput()
	return string(output), err == nil
}

func TestAJarThatIsNotTheRecordedOneIsRefused(t *testing.T) {
	t.Parallel()
	d := newDownloads(t)
	if said, good := d.check(t); !good || said != "" {
		t.Fatalf("what is recorded is refused: %s", said)
	}
	d.put(t, d.inRepository(), "evil")
	if said, good := d.check(t); good || !strings.Contains(said, "netty-4.jar is not what java/.mvn/checksums.sha256 says") {
		t.Errorf("another jar in the repository: %q, good %v", said, good)
	}
	d = newDownloads(t)
	d.put(t, d.inWorker("evil-1.jar"), "evil")
	if said, good := d.check(t); good || !strings.HasSuffix(said, "evil-1.jar is not in java/.mvn/checksums.sha256\n") {
		t.Errorf("another jar in a worker: %q, good %v", said, good)
	}
}

// A first build finds nothing downloaded and nothing built.
func TestNothingDownloadedIsGood(t *testing.T) {
	t.Parallel()
	d := newDownloads(t)
	d.repository, d.workers = filepath.Join(t.TempDir(), "none"), filepath.Join(t.TempDir(), "none")
	if said, good := d.check(t); !good {
		t.Error(said)
	}
}
