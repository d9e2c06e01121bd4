package driver_test

import (
	"path/filepath"
	"testing"
	"time"

	"rpcbench/internal/credential"
	"rpcbench/internal/driver"
	"rpcbench/internal/plan"
	"rpcbench/internal/result"
	"rpcbench/internal/stack"
)

// It is not parallel: trials beside it keep time.
func TestTheServerLetsInItsOwn(t *testing.T) {
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
		k := &kept{}
		_, err = driver.Run(t.Context(), driver.Config{
			Trials: []plan.Trial{unary(func(s *plan.Spec) { s.Security, s.DurationNs, s.Calls = stack.SecurityMTLS, 0, 20 })},
			Seed:   1, Launch: launch("good", nil), Results: k, Progress: k, Keys: &keys, Silence: 5 * time.Second, Now: time.Now,
		})
		if err != nil || len(k.trials) != 1 || k.trials[0].Failure != want {
			t.Errorf("%s: %v, %+v; want %q", name, err, k.trials, want)
		}
		if want == "" && k.trials[0].Status != result.StatusOK {
			t.Errorf("%s: status %s", name, k.trials[0].Status)
		}
	}
}
