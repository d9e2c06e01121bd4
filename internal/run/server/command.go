package server

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"regexp"
	"slices"
)

// PortHole is replaced by a free port, in a command or an address.
const PortHole = "{port}"

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
