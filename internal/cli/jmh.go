package cli

import (
	"errors"
	"io"

	"rpcbench/internal/report"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/jmhtable"
	"rpcbench/internal/results/jmh"
)

// reportJMH prints results of JMH.
func (e *env) reportJMH(files []*jmh.File, flags reportFlags, err error) error {
	switch {
	case err != nil:
		return badInput(err)
	case flags.reference != "":
		return badInput(errors.New("--reference: there are no published figures for JMH results"))
	case flags.maxLatency != "":
		return badInput(errors.New("--max-latency: results of JMH have no batches"))
	}
	if err := checkFormat(flags.format, document.Formats()); err != nil {
		return err
	}
	return e.print(flags.output, report.Options{}, func(w io.Writer, options report.Options) error {
		return jmhtable.Write(w, flags.format, files, options.Style)
	})
}
