package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"rpcbench/internal/report"
	"rpcbench/internal/report/document"
	"rpcbench/internal/report/jmhtable"
	"rpcbench/internal/results/jmh"
	"rpcbench/internal/results/published"
)

// reportJMH prints results of JMH.
func (e *env) reportJMH(files []*jmh.File, flags reportFlags, err error) error {
	switch {
	case err != nil:
		return badInput(err)
	case flags.maxLatency != "":
		return badInput(errors.New("--max-latency: results of JMH have no batches"))
	}
	if err := checkFormat(flags.format, document.Formats()); err != nil {
		return err
	}
	ref, err := flags.micro()
	if err != nil {
		return badInput(err)
	}
	return e.print(flags.output, report.Options{}, func(w io.Writer, options report.Options) error {
		return jmhtable.Write(w, flags.format, files, ref, options.Style)
	})
}

// micro finds the published figures of --reference; nil without one.
func (f reportFlags) micro() (*published.Micro, error) {
	if f.reference == "" {
		return nil, nil //nolint:nilnil // no reference is what most reports have
	}
	ref, err := published.FindMicro(f.reference)
	switch {
	case err != nil:
		return nil, err
	case ref == nil:
		return nil, fmt.Errorf("--reference %s: published figures for JMH results are %s", f.reference,
			strings.Join(published.MicroNames(), ", "))
	case !report.IsForPeople(f.format):
		return nil, fmt.Errorf("--reference: --format %s does not support published figures of JMH; text, markdown and html do",
			f.format)
	}
	return ref, nil
}
