package child

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
)

// Run runs a command on the given processors (nil means all) to its end and returns its standard output. It kills the group when
// ctx ends. If the program fails, the error includes its last words.
func Run(ctx context.Context, command *exec.Cmd, cpus []int) (printed string, err error) {
	name := filepath.Base(command.Path)
	var out bytes.Buffer
	command.Stdout = &out
	c, err := Start(command, cpus)
	if err != nil {
		return "", fmt.Errorf("start %s: %w", name, err)
	}
	stop := context.AfterFunc(ctx, c.Kill)
	defer stop()
	err = c.Wait()
	switch {
	case err == nil:
		return out.String(), nil
	case ctx.Err() != nil:
		return "", fmt.Errorf("%s: %w", name, context.Cause(ctx))
	default:
		return "", fmt.Errorf("%s: %w: %s", name, err, c.LastWords())
	}
}
