package server

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"rpcbench/internal/plan/point"
)

// PortHole is replaced by a free port.
const PortHole = "{port}"

// A Flag says a command.
type Flag struct{ Name, Text string }

// Fill splits commands into words as a shell does, and inserts a free port if the target asks for one: that of an earlier target,
// if there is one. It returns an error if a program does not exist.
func Fill(target, earlier string, flags ...Flag) (filled string, commands [][]string, err error) {
	port := PortHole
	if strings.Contains(target, PortHole) {
		if port, err = portAs(earlier); err != nil {
			return "", nil, err
		}
	}
	for _, flag := range flags {
		words, err := point.CommandWords(strings.ReplaceAll(flag.Text, PortHole, port))
		switch {
		case err != nil:
			return "", nil, fmt.Errorf("--%s: %w", flag.Name, err)
		case len(words) == 0:
			return "", nil, fmt.Errorf("ab needs --%s, the command that starts a server", flag.Name)
		case port == PortHole && strings.Contains(flag.Text, PortHole):
			return "", nil, fmt.Errorf("--%s has %s, and TARGET %s has not", flag.Name, PortHole, target)
		}
		if words[0], err = Program(words[0]); err != nil {
			return "", nil, fmt.Errorf("--%s: %w", flag.Name, err)
		}
		commands = append(commands, words)
	}
	return strings.ReplaceAll(target, PortHole, port), commands, nil
}

// portAs returns the port of an earlier target, or a free one.
func portAs(earlier string) (string, error) {
	if _, port, err := net.SplitHostPort(earlier); err == nil {
		return port, nil
	}
	free, err := FreePort()
	return strconv.Itoa(free), err
}

// Program finds a program by its name or path.
func Program(name string) (path string, err error) {
	path, err = exec.LookPath(name)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "", fmt.Errorf("%s is not an executable file (chmod +x makes a program or a script one)", name)
	case err == nil:
		return path, nil
	case assignment.MatchString(name):
		return "", fmt.Errorf("there is no such program: no shell carries out the command; write env %s PROGRAM … to set a variable",
			name)
	case slices.Contains(builtins, name):
		return "", fmt.Errorf("there is no such program: no shell carries out the command; write sh -c '%s …' if one is to", name)
	default:
		return "", fmt.Errorf("there is no such program: %w", err)
	}
}

// assignment is the first word of a shell's command that sets a variable.
var assignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)

// builtins are words of a shell that are seldom programs.
var builtins = []string{"cd", "export", "source", ".", "exec", "ulimit", "umask", "set", "eval", "trap"}
