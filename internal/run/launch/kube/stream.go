package kube

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"k8s.io/client-go/tools/remotecommand"
	codes "k8s.io/client-go/util/exec"

	"rpcbench/internal/run/child"
	"rpcbench/internal/run/launch"
)

// A process is a worker in a Pod, at the other end of an exec stream.
type process struct {
	*io.PipeReader // its standard output

	in     *io.PipeWriter
	words  child.Tail
	host   launch.Host
	killed atomic.Bool
	kill   func()
	ended  chan struct{}
	exit   error // set before ended is closed
}

// start starts a worker in a Pod.
func (h *Host) start(pod, address string, output io.Writer) *process {
	ctx, cancel := context.WithCancel(context.Background()) // a worker outlives its order
	stdin, in := io.Pipe()
	out, stdout := io.Pipe()
	p := &process{PipeReader: out, in: in, host: launch.Host{ID: h.id, Address: address}, ended: make(chan struct{})}
	p.kill = func() {
		p.killed.Store(true)
		h.spoil(pod)
		cancel()
	}
	words := io.Writer(&p.words)
	if output != nil {
		words = io.MultiWriter(words, output)
	}
	go func() {
		defer close(p.ended)
		defer cancel()
		err := h.pool.cluster.exec(ctx, pod, []string{h.pool.program(), "worker", "--tether"},
			remotecommand.StreamOptions{Stdin: stdin, Stdout: stdout, Stderr: words})
		stdin.Close()
		stdout.Close()
		p.exit = p.found(h, pod, err)
	}()
	return p
}

// found says how the worker ended. If it did not end by itself, its Pod takes no other worker.
func (p *process) found(h *Host, pod string, err error) error {
	if err == nil {
		return nil
	}
	if p.killed.Load() && errors.Is(err, context.Canceled) {
		return &launch.KilledError{Err: errors.New("the worker was killed")}
	}
	h.spoil(pod)
	if fate := h.fate(pod); fate != "" {
		return fmt.Errorf("Pod %s: %s", pod, fate) //nolint:staticcheck // a Pod is spelled so
	}
	var status codes.CodeExitError
	if !errors.As(err, &status) {
		//nolint:staticcheck // as above
		return fmt.Errorf("Pod %s: the stream through the Kubernetes API server broke: %s", pod, said(err))
	}
	if words := launch.LastLine(p.LastWords()); words != "" {
		return fmt.Errorf("exit status %d: %s", status.Code, words)
	}
	return fmt.Errorf("exit status %d", status.Code)
}

// Write writes to the worker's standard input.
func (p *process) Write(b []byte) (int, error) { return p.in.Write(b) }

// Close ends the worker's standard input.
func (p *process) Close() error { return p.in.Close() }

// Host implements launch.Process.
func (p *process) Host() launch.Host { return p.host }

// LastWords implements launch.Process.
func (p *process) LastWords() string { return p.words.String() }

// Kill implements launch.Process. The worker ends with the stream, or with its Pod before there is another worker.
func (p *process) Kill() {
	select {
	case <-p.ended:
	default:
		p.kill()
	}
}

// Wait implements launch.Process.
func (p *process) Wait() error {
	<-p.ended
	return p.exit
}
