package serve

import (
	"testing"
	"time"

	"rpcbench/internal/call/target"
)

func TestEveryLimitHasBounds(t *testing.T) {
	t.Parallel()
	if err := DefaultLimits().Check(); err != nil {
		t.Error(err)
	}
	for want, spoil := range map[string]func(*Limits){
		"--max-request-bytes 0: it must be more than 0 and at most 134217728": func(l *Limits) { l.RequestBytes = 0 },
		"--max-response-bytes 67108865: it must be more than 0 and at most 67108864": func(l *Limits) {
			l.ResponseBytes = 67108865
		},
		"--max-batch 100001: it must be more than 0 and at most 100000":        func(l *Limits) { l.Batch = 100001 },
		"--max-connections 0: it must be more than 0 and at most 1048576":      func(l *Limits) { l.Connections = 0 },
		"--max-streams 0: it must be more than 0 and at most 1048576":          func(l *Limits) { l.Streams = 0 },
		"--max-held-bytes 0: it must be more than 0 and at most 1099511627776": func(l *Limits) { l.HeldBytes = 0 },
		"--header-timeout -1s: it must be more than 0 and at most 24h0m0s":     func(l *Limits) { l.HeaderTimeout = -time.Second },
		"--idle-timeout 0s: it must be more than 0 and at most 24h0m0s":        func(l *Limits) { l.IdleTimeout = 0 },
	} {
		limits := DefaultLimits()
		spoil(&limits)
		if err := limits.Check(); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestAnAddressBeyondLoopbackSaysWhatItMeans(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ network, address, mode, want string }{
		{"unix", "s", "plaintext", ""},
		{"tcp", "127.0.0.1:1", "plaintext", ""},
		{"tcp", "[::1]:1", "plaintext", ""},
		{"tcp", "0.0.0.0:1", "plaintext", "0.0.0.0:1 can be reached from other machines, anyone may call, and nothing is " +
			"encrypted; --credentials DIR encrypts and restricts it to known clients"},
		{"tcp", "[::]:1", "tls", "[::]:1 can be reached from other machines, and anyone may call; --security mtls restricts " +
			"it to known clients"},
		{"tcp", "192.0.2.1:1", "mtls", "192.0.2.1:1 can be reached from other machines; only clients with a certificate of " +
			"this server's CA may call"},
	} {
		if got := (Keys{mode: c.mode}).Exposure(target.Target{Network: c.network, Address: c.address}); got != c.want {
			t.Errorf("%s: got %q, want %q", c.address, got, c.want)
		}
	}
}
