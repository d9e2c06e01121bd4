package program_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rpcbench/internal/run/program"
	"rpcbench/internal/worker/control"
)

// A proxy is told where the server is and what its files are, which only it can read, and which are gone after its end.
func TestAProxyGetsItsFiles(t *testing.T) {
	t.Setenv("PROGRAM_TEST", "tells")
	t.Setenv("TMPDIR", t.TempDir())
	said := filepath.Join(t.TempDir(), "said")
	told := &control.Program{
		Command: []string{
			os.Args[0], "{address}", said, "{upstream}", "{upstream_host}", "{upstream_port}", "{config}", "{cert}",
			"{key}", "{ca}", "{folder}",
		},
		Config:   "listen {port};\nuse {key} in {folder} for {upstream}; {other}",
		Upstream: "127.0.0.1:4711", ReadyLine: "told", ReadyNs: never.Nanoseconds(),
	}
	keys := &control.Security{Mode: "tls", CertPem: []byte("CERT"), KeyPem: []byte("KEY"), CaPem: []byte("CA")}
	p, err := program.Starter{}.Start(t.Context(), told, "tcp", "127.0.0.1:0", keys)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	text, err := os.ReadFile(said)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	folder := lines[7]
	_, port, _ := strings.Cut(p.Address(), ":")
	want := []string{
		"127.0.0.1:4711", "127.0.0.1", "4711", folder + "/config", folder + "/cert.pem", folder + "/key.pem",
		folder + "/ca.pem", folder,
		fmt.Sprintf("config -rw------- %q",
			"listen "+port+";\nuse "+folder+"/key.pem in "+folder+" for 127.0.0.1:4711; {other}"),
		`cert.pem -rw------- "CERT"`, `key.pem -rw------- "KEY"`, `ca.pem -rw------- "CA"`,
	}
	if got := strings.Join(lines, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("it was told\n%s\nand not\n%s", got, strings.Join(want, "\n"))
	}
	p.Close()
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("its folder is there after its end: %v", err)
	}
}

// One that can't be started leaves nothing.
func TestAProxyThatIsNotThereLeavesNoFolder(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	_, err := program.Starter{}.Start(t.Context(), &control.Program{
		Command: []string{"/nowhere/proxy", "{port}"}, Upstream: "127.0.0.1:1", Config: "x", ReadyNs: never.Nanoseconds(),
	}, "tcp", "127.0.0.1:0", &control.Security{Mode: "plaintext"})
	left, _ := os.ReadDir(temporary)
	if err == nil || !strings.HasPrefix(err.Error(), "there is no such program") || len(left) > 0 {
		t.Errorf("%v, left %v", err, left)
	}
}
