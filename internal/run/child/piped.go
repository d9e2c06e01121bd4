package child

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"time"
)

// A Piped is a Child whose standard input and standard output are pipes.
type Piped struct {
	*Child

	In  io.WriteCloser
	Out io.ReadCloser // what was written before the end can be read for outputPatience after it; the end of it closes it
}

// StartPiped is Start with pipes.
func StartPiped(command *exec.Cmd, cpus []int) (*Piped, error) {
	childsIn, in, err := os.Pipe() // exec's own is left open where the program can't be started
	if err != nil {
		return nil, err
	}
	defer childsIn.Close()
	out, childsOut, err := os.Pipe() // exec's own closes with the program, whether all has been read or not
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	defer childsOut.Close()
	command.Stdin, command.Stdout = childsIn, childsOut
	c, err := Start(command, cpus)
	if err != nil {
		return nil, errors.Join(err, in.Close(), out.Close())
	}
	go func() {
		<-c.ended
		in.Close()
		time.AfterFunc(outputPatience, func() { out.Close() })
	}()
	return &Piped{Child: c, In: in, Out: output{out}}, nil
}

// An output closes at its end, and stays there.
type output struct{ *os.File }

func (o output) Read(b []byte) (int, error) {
	n, err := o.File.Read(b)
	if errors.Is(err, io.EOF) || errors.Is(err, os.ErrClosed) {
		o.Close()
		return n, io.EOF
	}
	return n, err
}
