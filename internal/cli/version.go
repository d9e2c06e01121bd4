package cli

import (
	"runtime"
	"runtime/debug"

	"rpcbench/internal/results/result"
)

// version is this rpcbench's.
const version = "0.1.0"

// commit is set by the linker; see the Makefile. Where it is not, what Go put into the binary counts.
var commit string

// binary describes the running rpcbench.
func binary() result.Binary {
	b := result.Binary{Version: version, Commit: commit, Go: runtime.Version()}
	if b.Commit != "" {
		return b
	}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	dirty := ""
	for _, setting := range build.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.Commit = setting.Value
		case "vcs.modified":
			if setting.Value == "true" {
				dirty = "+dirty"
			}
		}
	}
	b.Commit += dirty
	return b
}
