package driver

import (
	"fmt"
	"os"

	"rpcbench/internal/call/secret"
	"rpcbench/internal/results/evidence"
	"rpcbench/internal/results/result"
)

// maxOutputBytes limits how much of a worker's output is kept: a JVM that prints compilations prints megabytes.
const maxOutputBytes = 64 << 20

// An output keeps what a worker prints, without secrets, in a file that is created with the first output.
type output struct {
	lines  secret.Lines
	folder evidence.Folder
	name   string
	file   *os.File
	left   int
	err    error // the first
}

func (s *sides) newOutput(stem string) *output {
	o := &output{folder: evidence.Folder(s.Evidence), name: s.evidence.ID + "-" + stem + "-output.txt", left: maxOutputBytes}
	o.lines.To = (*outputFile)(o)
	return o
}

// outputFile writes lines.
type outputFile output

// Write implements io.Writer.
func (o *outputFile) Write(b []byte) (int, error) {
	if o.file == nil && o.err == nil {
		o.file, o.err = o.folder.Create(o.name)
	}
	if o.err == nil && len(b) > o.left {
		o.err = fmt.Errorf("it printed more than %d MiB", maxOutputBytes>>20)
	}
	if o.err == nil {
		o.left -= len(b)
		_, o.err = o.file.Write(b)
	}
	return len(b), nil
}

// keepOutputs closes the output files of the processes, which have ended.
func (s *sides) keepOutputs() {
	for _, o := range s.outputs {
		o.lines.End()
		if o.file != nil {
			if err := o.file.Close(); o.err == nil {
				o.err = err
			}
			s.evidence.Evidence = append(s.evidence.Evidence, o.name)
		}
		if o.err != nil {
			s.warnf(result.WarningCutOutput, "%s is not whole: %v", o.name, o.err)
		}
	}
}
