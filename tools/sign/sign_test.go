package main

import (
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// keys makes a throw-away pair of keys, the secret one in a file.
func keys(t *testing.T) (public minisign.PublicKey, secret minisign.PrivateKey, file string) {
	t.Helper()
	public, secret, err := minisign.GenerateKey(rand.Reader)
	must(t, err)
	text, err := secret.MarshalText()
	must(t, err)
	file = filepath.Join(t.TempDir(), "key")
	must(t, os.WriteFile(file, text, 0o600))
	return public, secret, file
}

func TestASignatureIsOfTheFile(t *testing.T) {
	public, _, key := keys(t)
	file := filepath.Join(t.TempDir(), "SHA256SUMS")
	must(t, os.WriteFile(file, []byte("abc  rpcbench\n"), 0o600))
	must(t, sign(key, []string{file}, "", time.Unix(1_700_000_000, 0)))
	signature, err := os.ReadFile(file + ".minisig")
	must(t, err)
	if !minisign.Verify(public, []byte("abc  rpcbench\n"), signature) {
		t.Error("the signature is not of the file")
	}
	if minisign.Verify(public, []byte("abd  rpcbench\n"), signature) {
		t.Error("the signature is of another file too")
	}
	if !strings.Contains(string(signature), "trusted comment: timestamp:1700000000\tfile:SHA256SUMS\n") {
		t.Errorf("the signature is\n%s", signature)
	}
}

// Deriving a key from a password takes a gigabyte, on purpose.
func TestAnEncryptedKeySigns(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds and a gigabyte")
	}
	public, secret, _ := keys(t)
	text, err := minisign.EncryptKey("opensesame", secret)
	must(t, err)
	folder := t.TempDir()
	key, file := filepath.Join(folder, "key"), filepath.Join(folder, "x")
	must(t, os.WriteFile(key, text, 0o600))
	must(t, os.WriteFile(file, []byte("x"), 0o600))
	want := key + " is encrypted: set MINISIGN_PASSWORD"
	if err := sign(key, []string{file}, "", time.Now()); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	must(t, sign(key, []string{file}, "opensesame", time.Now()))
	signature, err := os.ReadFile(file + ".minisig")
	must(t, err)
	if !minisign.Verify(public, []byte("x"), signature) {
		t.Error("the signature is not of the file")
	}
}

func TestMinisignTakesTheSignature(t *testing.T) {
	program, err := exec.LookPath("minisign")
	if err != nil {
		t.Skip("there is no minisign to ask")
	}
	public, _, plain := keys(t)
	file := filepath.Join(t.TempDir(), "SHA256SUMS")
	must(t, os.WriteFile(file, []byte("abc  rpcbench\n"), 0o600))
	must(t, sign(plain, []string{file}, "", time.Now()))
	if said, err := exec.CommandContext(t.Context(), program, "-V", "-P", public.String(), "-m", file).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, said)
	}
}

func TestWhatCannotSignSaysWhy(t *testing.T) {
	_, _, plain := keys(t)
	rubbish := filepath.Join(t.TempDir(), "rubbish")
	must(t, os.WriteFile(rubbish, []byte("rubbish"), 0o600))
	for _, c := range []struct{ key, file, want string }{
		{"gone", plain, "open gone: "},
		{plain, "gone", "open gone: "},
		{rubbish, plain, rubbish + ": "},
	} {
		if err := sign(c.key, []string{c.file}, "", time.Now()); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}
