package cluster

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// A program is one of the cluster's, which runs until it is stopped.
type program struct {
	name string
	cmd  *exec.Cmd
	log  string        // the file of all that it says
	gone chan struct{} // closed when it has ended
}

// launch starts a program, whose words go to a file with its name.
func (c *cluster) launch(name, path string, arguments ...string) (*program, error) {
	log := filepath.Join(c.folder, name+".log")
	file, err := os.OpenFile(log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p := &program{name: name, cmd: exec.Command(c.path(path), arguments...), log: log, gone: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = file, file
	p.cmd.Env = append(os.Environ(), "PATH="+c.path("usr/bin")+":"+c.path("usr/sbin")+":"+os.Getenv("PATH"))
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(p.gone)
		_ = p.cmd.Wait() // whoever waits for the program sees that it is gone
	}()
	return p, nil
}

// hang is how long anything may take here. Only what never happens does.
const hang = 5 * time.Minute

// until asks every 200 ms whether something is so. An error is the last reason why it is not.
func until(what string, ask func() error, needed ...*program) error {
	limit := time.Now().Add(hang)
	for {
		err := ask()
		if err == nil {
			return nil
		}
		for _, p := range needed {
			select {
			case <-p.gone:
				return fmt.Errorf("%s: %s has ended: %s", what, p.name, p.lastWords())
			default:
			}
		}
		if time.Now().After(limit) {
			return fmt.Errorf("%s: not after %v: %w", what, hang, err)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

func (p *program) lastWords() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-2000):])
}
