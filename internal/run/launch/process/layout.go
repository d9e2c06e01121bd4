package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"rpcbench/internal/run/launch"
)

// layOut gives a command's process its layout. The working directory stays the same, under another name: a symbolic link
// of that length, in the folder for temporary files and in PWD. So relative paths mean what they meant.
func (p Program) layOut(command *exec.Cmd, layout launch.Layout) error {
	if padding := layout.Padding(); padding != "" {
		command.Env = append(command.Env, padding)
	}
	if layout.DirectoryBytes == 0 || p.Temporary == "" {
		return nil
	}
	here, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("find the working directory: %w", err)
	}
	link := filepath.Join(p.Temporary, strings.Repeat("d", layout.DirectoryBytes))
	if err := os.Symlink(here, link); err != nil && !errors.Is(err, fs.ErrExist) { // another process of the trial has it too
		return fmt.Errorf("give the working directory another name: %w", err)
	}
	command.Dir = link
	command.Env = append(command.Env, "PWD="+link)
	return nil
}
