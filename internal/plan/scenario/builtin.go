package scenario

import (
	"embed"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/call/infile"
)

//go:embed builtin/*.yaml
var builtin embed.FS

// BuiltinNames lists the built-in scenarios in the order in which a newcomer would run them.
func BuiltinNames() []string {
	return []string{"quick", "simple", "latency", "throughput", "echo", "openloop", "cost", "batch", "ycsb", "patterns", "channels",
		"distance", "codec", "mobile", "phone", "qps"}
}

// Builtin returns a built-in scenario. An unknown name is an *Error with the names that there are.
func Builtin(name string) (Scenario, error) {
	data, err := builtin.ReadFile(path.Join("builtin", name+".yaml"))
	if err != nil {
		if strings.HasSuffix(name, ".js") {
			return Scenario{}, Errorf("", "%s is a script: rpcbench load TARGET has flags for a load, and a scenario, in YAML, has "+
				"several; there are no scripts", name)
		}
		return Scenario{}, Errorf("", "unknown scenario %q%s (built-in scenarios: %s; a file name ends in .yaml)",
			name, hint.Near(name, BuiltinNames()), strings.Join(BuiltinNames(), ", "))
	}
	return Parse("built-in "+name+".yaml", data)
}

// Load returns the scenario of a file, when the name ends in .yaml or .yml or has a path separator in it, else the
// built-in one of that name. Every error is an *Error.
func Load(nameOrPath string) (Scenario, error) {
	if !isPath(nameOrPath) {
		return Builtin(nameOrPath)
	}
	data, err := readAll(nameOrPath)
	if err != nil {
		return Scenario{}, err
	}
	s, err := Parse(nameOrPath, data)
	if err != nil {
		return s, err
	}
	s.File = nameOrPath
	return s, s.CheckStored()
}

func isPath(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") ||
		strings.ContainsRune(name, '/') || strings.ContainsRune(name, os.PathSeparator)
}

func readAll(filename string) ([]byte, error) {
	file, err := infile.Open(filename)
	if err != nil {
		return nil, unreadable(filename, err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, fileBytesMax+1))
	if err != nil {
		return nil, unreadable(filename, err)
	}
	return data, nil
}

func unreadable(filename string, err error) *Error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		err = failed.Err
	}
	return Errorf(filename, "the scenario can't be read: %v", err)
}
