package driver_test

import (
	"path/filepath"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/results/result"
	"rpcbench/internal/run/driver"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/credential"
)

func TestTheServerLetsInItsOwn(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "keys")
	if err := credential.Create(dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"rpcbench:alice": "",
		"rpcbenches":     "every call failed: PERMISSION_DENIED: the server refused: rpcbenches may not call this server",
	} {
		keys, err := credential.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := credential.AddClient(dir, name); err != nil {
			t.Fatal(err)
		}
		client, err := credential.OpenClient(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		keys.Client = client.Client
		e := evidence(t, driver.Config{Seed: 1, Launcher: workers("good"), Keys: &keys},
			unary(func(s *plan.Spec) { s.Security, s.Calls = stack.SecurityMTLS, 20 }))
		if e.Failure != want || (e.Status == result.StatusOK) != (want == "") {
			t.Errorf("%s: %s %q, want %q", name, e.Status, e.Failure, want)
		}
	}
}
