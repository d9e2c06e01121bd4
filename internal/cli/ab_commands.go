package cli

import (
	"fmt"
	"net"
	"strconv"
	"strings"

	"rpcbench/internal/plan/point"
	"rpcbench/internal/run/server"
)

// A commandFlag is a flag that says a command.
type commandFlag struct{ name, text string }

// fillCommands splits commands into words as a shell does, and inserts a free port if the target asks for one: that of an earlier
// target, if there is one. It returns an error if a program does not exist.
func fillCommands(target, earlier string, flags ...commandFlag) (filled string, commands [][]string, err error) {
	port := server.PortHole
	if strings.Contains(target, server.PortHole) {
		if port, err = portAs(earlier); err != nil {
			return "", nil, err
		}
	}
	for _, flag := range flags {
		words, err := point.CommandWords(strings.ReplaceAll(flag.text, server.PortHole, port))
		switch {
		case err != nil:
			return "", nil, fmt.Errorf("--%s: %w", flag.name, err)
		case len(words) == 0:
			return "", nil, fmt.Errorf("ab needs --%s, the command that starts a server", flag.name)
		case port == server.PortHole && strings.Contains(flag.text, server.PortHole):
			return "", nil, fmt.Errorf("--%s has %s, and TARGET %s has not", flag.name, server.PortHole, target)
		}
		if words[0], err = server.Program(words[0]); err != nil {
			return "", nil, fmt.Errorf("--%s: %w", flag.name, err)
		}
		commands = append(commands, words)
	}
	return strings.ReplaceAll(target, server.PortHole, port), commands, nil
}

// portAs returns the port of an earlier target, or a free one.
func portAs(earlier string) (string, error) {
	if _, port, err := net.SplitHostPort(earlier); err == nil {
		return port, nil
	}
	free, err := server.FreePort()
	return strconv.Itoa(free), err
}
