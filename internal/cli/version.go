package cli

import (
	"runtime"
	"runtime/debug"
	"strings"

	"rpcbench/internal/results/result"
)

// version is this rpcbench's. The Makefile, the packages and the Java workers have it from here.
const version = "0.1.0"

// commit and date, of the commit, are set by the linker; see the Makefile. Where they are not, what Go put into the binary
// counts.
var commit, date string

// about is what --version prints. The first line is what rpcbench on another host is asked for.
func (e *env) about() string {
	text, made := e.said()+"\n", date
	if commit == "" {
		made = fact("vcs.time")
	}
	if known := binary().Commit; known != "" {
		text += strings.TrimSuffix("commit "+known+", "+made, ", ") + "\n"
	}
	return text + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
}

// binary describes the running rpcbench.
func binary() result.Binary {
	b := result.Binary{Version: version, Commit: commit, Go: runtime.Version()}
	if b.Commit != "" {
		return b
	}
	b.Commit = fact("vcs.revision")
	if fact("vcs.modified") == "true" {
		b.Commit += "+dirty"
	}
	return b
}

// fact is a setting that Go put into the binary when it was built, or nothing.
func fact(key string) string {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, setting := range build.Settings {
		if setting.Key == key {
			return setting.Value
		}
	}
	return ""
}
