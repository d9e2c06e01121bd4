package target_test

import (
	"strings"
	"testing"

	"rpcbench/internal/call/target"
)

func TestAnAddressSaysItsNetwork(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{ // the network and what it is written as
		"127.0.0.1:80":     {"tcp", "127.0.0.1:80"},
		":80":              {"tcp", "localhost:80"},
		"unix:/tmp/s":      {"unix", "unix:/tmp/s"},
		"ws://127.0.0.1:8": {"ws", "ws://127.0.0.1:8"},
		"ws://[::1]:8/":    {"ws", "ws://[::1]:8"},
		"wsh://:8":         {"wsh", "wsh://localhost:8"},
	} {
		at, err := target.Parse(text)
		if err != nil || at.Network != want[0] || at.String() != want[1] {
			t.Errorf("%s: %s on %s, %v", text, at, at.Network, err)
		}
		if at.Network != "unix" && (at.Host() == "" || at.Authority() != at.Address) {
			t.Errorf("%s: host %q, authority %q", text, at.Host(), at.Authority())
		}
	}
	for text, want := range map[string]string{
		"ws://host":                        "is not an address",
		"ws://host:0":                      "is not a port",
		"ws://host:80/path":                "is not an address",
		"wss://host:443":                   "write ws://, with --security tls",
		"unix:":                            "unix: needs a path",
		"unix://":                          "unix: needs a path",
		"unix:" + strings.Repeat("s", 300): "bytes, and this one has 300: " + strings.Repeat("s", 60) + "…",
	} {
		if at, err := target.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %q", text, at, err, want)
		}
	}
}

func TestASocketMayBeWrittenAsAnAddress(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"web.sock": "web.sock", "unix:web.sock": "web.sock", "unix:///run/web": "/run/web", "@abstract": "@abstract",
		"//run/web": "//run/web",
	} {
		if path, err := target.Socket(text); err != nil || path != want {
			t.Errorf("%s: %q, %v, want %q", text, path, err, want)
		}
	}
	for text, want := range map[string]string{
		"": "it is empty", "unix:": "unix: needs a path", strings.Repeat("s", 300): "and this one has 300",
	} {
		if path, err := target.Socket(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v, want %q", text, path, err, want)
		}
	}
}
