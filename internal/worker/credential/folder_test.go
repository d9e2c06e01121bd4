package credential

import (
	"crypto/tls"
	"crypto/x509"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func created(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "deep", "keys")
	if err := Create(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func modes(t *testing.T, dir string) map[string]fs.FileMode {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]fs.FileMode{}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			t.Fatal(err)
		}
		found[entry.Name()] = info.Mode()
	}
	return found
}

func TestAFolderIsItsOwnersAlone(t *testing.T) {
	t.Parallel()
	dir := created(t)
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder has mode %v, %v; want 0700", info.Mode(), err)
	}
	found := modes(t, dir)
	want := []string{"ca-key.pem", "ca.pem", "client-key.pem", "client.pem", "server-key.pem", "server.pem"}
	if names := slices.Sorted(maps.Keys(found)); !slices.Equal(names, want) {
		t.Errorf("it has %v, want %v", names, want)
	}
	for name, mode := range found {
		if strings.HasSuffix(name, "-key.pem") && mode.Perm() != 0o600 {
			t.Errorf("%s has mode %v, want 0600", name, mode)
		}
	}
}

func TestAnEmptyFolderIsTakenAndClosed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Create(dir); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(dir); info.Mode().Perm() != 0o700 {
		t.Errorf("the folder has mode %v, want 0700", info.Mode())
	}
}

func TestAFolderThatIsNotEmptyIsLeftAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "note"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	want := dir + " is not empty: credentials need a new directory"
	if err := Create(dir); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if found := modes(t, dir); len(found) != 1 {
		t.Errorf("the folder has %v now", found)
	}
}

func TestAnOpenedFolderIsASetForAYear(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		set, err := Open(created(t))
		if err != nil {
			t.Fatal(err)
		}
		for want, pair := range map[string]Pair{"rpcbench": set.Server, "rpcbench:client": set.Client} {
			if name, err := pair.Name(); name != want || err != nil {
				t.Errorf("the name is %q, %v; want %s", name, err, want)
			}
			if _, err := tls.X509KeyPair(pair.CertPEM, pair.KeyPEM); err != nil {
				t.Error(err)
			}
			wantDays(t, pair, 365)
		}
	})
}

// wantDays is for virtual time, in which no time passes since the pair was made.
func wantDays(t *testing.T, pair Pair, days int) {
	t.Helper()
	certificate, err := parseCertificate(pair.CertPEM)
	if err != nil {
		t.Fatal(err)
	}
	if left := time.Until(certificate.NotAfter); left != time.Duration(days)*24*time.Hour {
		t.Errorf("it is valid for %v, want %d days", left, days)
	}
}

func TestARunsSetIsValidForADay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		set, err := New()
		if err != nil {
			t.Fatal(err)
		}
		wantDays(t, set.Server, 1)
		wantDays(t, set.Client, 1)
		if name, err := set.Client.Name(); name != "rpcbench:client" || err != nil {
			t.Errorf("the client is %q, %v; want rpcbench:client", name, err)
		}
	})
}

func TestWhatIsWrongWithAFolderIsNamed(t *testing.T) {
	t.Parallel()
	other := created(t)
	for _, c := range []struct {
		what   string
		change func(t *testing.T, dir string)
		want   string // with DIR for the folder
	}{
		{"no folder", func(t *testing.T, dir string) { must(t, os.RemoveAll(dir)) }, "the credentials lack DIR/ca.pem"},
		{"no server", remove("server.pem"), "the credentials lack DIR/server.pem"},
		{"no key", remove("client-key.pem"), "the credentials lack DIR/client-key.pem"},
		{"a folder for a file", func(t *testing.T, dir string) {
			remove("server.pem")(t, dir)
			must(t, os.Mkdir(filepath.Join(dir, "server.pem"), 0o700))
		}, "read the credentials: cannot read DIR/server.pem: is a directory"},
		{"rubbish", write("ca.pem", "rubbish"), "cannot use DIR/ca.pem: it has no certificate"},
		{"another key", copyFrom(other, "server-key.pem"), "DIR/server-key.pem is not the key of DIR/server.pem: "},
		{"another authority", copyFrom(other, "ca.pem"), "DIR/server.pem does not match DIR/ca.pem: "},
		{"a client for a server", func(t *testing.T, dir string) {
			copyAs(t, dir, "client.pem", dir, "server.pem")
		}, "DIR/server.pem does not match DIR/ca.pem: "},
		{"expired", func(t *testing.T, dir string) { expire(t, dir, clientFile) }, "DIR/client.pem expired on 2"},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			dir := created(t)
			c.change(t, dir)
			set, err := Open(dir)
			if want := strings.ReplaceAll(c.want, "DIR", dir); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("got %v, want %s", err, want)
			}
			if c.what != "expired" && c.what != "no key" && set.Client.KeyPEM != nil {
				t.Error("there is a key in what was refused")
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func remove(file string) func(*testing.T, string) {
	return func(t *testing.T, dir string) { must(t, os.Remove(filepath.Join(dir, file))) }
}

func write(file, text string) func(*testing.T, string) {
	return func(t *testing.T, dir string) { must(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600)) }
}

func copyFrom(from, file string) func(*testing.T, string) {
	return func(t *testing.T, dir string) { copyAs(t, from, file, dir, file) }
}

func copyAs(t *testing.T, from, file, to, as string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(from, file))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(to, as), text, 0o600))
}

// expire puts a pair in a folder that expired a minute ago.
func expire(t *testing.T, dir, file string) {
	t.Helper()
	ca, err := openAuthority(dir)
	must(t, err)
	pair, err := ca.issue("root:late", x509.ExtKeyUsageClientAuth, -time.Minute)
	must(t, err)
	must(t, os.WriteFile(certPath(dir, file), pair.CertPEM, 0o600))
	must(t, os.WriteFile(keyPath(dir, file), pair.KeyPEM, 0o600))
}

func TestAnAddedClientHasItsName(t *testing.T) {
	t.Parallel()
	synctest.Test(t, wantAddedClients)
}

func wantAddedClients(t *testing.T) {
	dir := created(t)
	for name, file := range map[string]string{
		"root:alice":     "root+alice.client.pem",
		"root+alice":     "root%2Balice.client.pem",
		"root:alice-key": "root+alice-key.client.pem",
		"ca":             "ca.client.pem",
		"rück%3A#":       "r%C3%BCck%253A%23.client.pem",
	} {
		path, err := AddClient(dir, name)
		if want := filepath.Join(dir, file); err != nil || path != want {
			t.Errorf("%s is in %s, %v; want %s", name, path, err, want)
			continue
		}
		set, err := OpenClient(dir, name)
		if err != nil {
			t.Error(err)
			continue
		}
		if got, err := set.Client.Name(); err != nil || got != name {
			t.Errorf("the name is %q, %v; want %s", got, err, name)
		}
		wantDays(t, set.Client, 365)
		if set.Server.CertPEM != nil || set.CAPEM == nil {
			t.Error("a client has the authority's certificate, and no server")
		}
	}
	for name, mode := range modes(t, dir) {
		if strings.HasSuffix(name, "-key.pem") && mode.Perm() != 0o600 {
			t.Errorf("%s has mode %v, want 0600", name, mode)
		}
	}
	if _, err := Open(dir); err != nil {
		t.Errorf("the folder's own: %v", err)
	}
}

func TestAClientsFolderNeedsNothingElse(t *testing.T) {
	t.Parallel()
	from, to := created(t), t.TempDir()
	if _, err := AddClient(from, "root:alice"); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"ca.pem", "root+alice.client.pem", "root+alice.client-key.pem"} {
		copyAs(t, from, file, to, file)
	}
	if _, err := OpenClient(to, "root:alice"); err != nil {
		t.Error(err)
	}
	want := "the credentials lack " + filepath.Join(to, "client.pem")
	if _, err := OpenClient(to, ""); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	want = "the credentials lack " + filepath.Join(to, "ca-key.pem")
	if _, err := AddClient(to, "root:bob"); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestAClientIsNeverReplaced(t *testing.T) {
	t.Parallel()
	dir := created(t)
	path, err := AddClient(dir, "root:alice")
	must(t, err)
	before, err := os.ReadFile(path)
	must(t, err)
	want := "add root:alice: " + filepath.Join(dir, "root+alice.client-key.pem") + " already exists"
	if _, err := AddClient(dir, "root:alice"); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Error("the certificate is another one")
	}
	// With the key alone gone, the certificate stays, and no second key is left beside it.
	key := filepath.Join(dir, "root+alice.client-key.pem")
	must(t, os.Remove(key))
	if _, err := AddClient(dir, "root:alice"); err == nil {
		t.Error("a certificate was replaced")
	}
	if _, err := os.Stat(key); err == nil {
		t.Error("a key that fits nothing was left")
	}
}

func TestAClientsNameIsChecked(t *testing.T) {
	t.Parallel()
	dir := created(t)
	for _, name := range []string{"", "root::alice", "root:", "...", "root:$", "../x", "a b"} {
		if _, err := AddClient(dir, name); err == nil {
			t.Errorf("%q was added", name)
		}
	}
	copyAs(t, dir, "client.pem", dir, "root+bob.client.pem")
	copyAs(t, dir, "client-key.pem", dir, "root+bob.client-key.pem")
	want := filepath.Join(dir, "root+bob.client.pem") + ` is not the certificate of "root:bob"`
	if _, err := OpenClient(dir, "root:bob"); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A client that is added late is valid no longer than who signed it.
func TestAClientDoesNotOutliveTheAuthority(t *testing.T) {
	t.Parallel()
	ca, err := newAuthority(time.Hour)
	must(t, err)
	pair, err := ca.issue("root:alice", x509.ExtKeyUsageClientAuth, validForYear)
	must(t, err)
	certificate, err := parseCertificate(pair.CertPEM)
	must(t, err)
	if !certificate.NotAfter.Equal(ca.certificate.NotAfter) {
		t.Errorf("it is valid until %v, the authority until %v", certificate.NotAfter, ca.certificate.NotAfter)
	}
}

func TestAServerIsAtAnAddress(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "keys")
	at := net.ParseIP("192.0.2.7")
	for range 2 { // the folder is made, and then opened
		set, err := OpenAt(dir, at)
		if err != nil {
			t.Fatal(err)
		}
		leaf, err := parseCertificate(set.Server.CertPEM)
		if err != nil {
			t.Fatal(err)
		}
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM(set.CAPEM)
		if _, err := leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: "192.0.2.7"}); err != nil {
			t.Error(err)
		}
		if _, err := tls.X509KeyPair(set.Server.CertPEM, set.Server.KeyPEM); err != nil {
			t.Error(err)
		}
	}
	if made := modes(t, dir); len(made) != 6 {
		t.Errorf("the folder has %v", made)
	}
}
