package consent_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rpcbench/internal/run/consent"
)

// Addresses need no resolver. TEST-NET-1 belongs to nobody (RFC 5737).
const elsewhere = "192.0.2.1"

func TestOnlyThisMachineIsLoadedUnasked(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	for host, said := range map[string]bool{
		"": false, "127.0.0.1": false, "127.8.9.10": false, "::1": false, "0.0.0.0": false, "::ffff:127.0.0.1": false, elsewhere: true,
	} {
		if err := consent.ToLoad(t.Context(), host, said); err != nil {
			t.Errorf("%q: %v", host, err)
		}
	}
	for _, host := range []string{elsewhere, "::ffff:" + elsewhere, "2001:db8::1"} {
		err := consent.ToLoad(t.Context(), host, false)
		if err == nil || !strings.Contains(err.Error(), "is not this machine, and a load can do it harm") ||
			!strings.Contains(err.Error(), "--"+consent.Flag) {
			t.Errorf("%s: %v", host, err)
		}
	}
}

func TestAHostInTheUsersFileIsAllowedAndNoOther(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("HOME", folder)
	t.Setenv("XDG_CONFIG_HOME", folder)
	t.Setenv("AppData", folder)
	config, err := os.UserConfigDir()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(config, "rpcbench", "targets")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("# mine\n "+elsewhere+"  # the old one\nShop.Example\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := consent.ToLoad(t.Context(), elsewhere, false); err != nil {
		t.Errorf("a host in the file: %v", err)
	}
	if err := consent.ToLoad(t.Context(), "192.0.2.11", false); err == nil {
		t.Error("a host that begins like one in the file is allowed")
	}
	for host, want := range map[string]bool{"shop.example": true, "mine": false, "# mine": false, "example": false} {
		if got, err := consent.Listed(host); err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", host, got, err, want)
		}
	}
}
