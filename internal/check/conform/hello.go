package conform

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// The words of worker.v1.
var (
	kinds = []string{
		stack.KindConnect, stack.KindFirstCall, stack.KindUnary, stack.KindStream, stack.KindPingPong, stack.KindBurst,
		stack.KindUpload, stack.KindDownload, stack.KindBothWays,
	}
	networks     = stack.Networks()
	securities   = []string{stack.SecurityPlaintext, stack.SecurityTLS, stack.SecurityMTLS}
	compressions = []string{stack.CompressionNone, stack.CompressionGzip}
)

// leastWarmupMax is more than any runtime needs; a longer one is a mistake of the unit.
const leastWarmupMax = 10 * time.Minute

// hello checks the worker's description of itself. control.Open has checked that it comes first, and its version.
func hello(r *rig) (string, error) {
	begun := time.Now()
	c, err := r.start(r.worker)
	if err != nil {
		return "", err
	}
	took := time.Since(begun)
	h := c.Hello
	switch {
	case h.GetRuntime() == "":
		return "", errors.New("hello.runtime is empty")
	case h.GetProcessors() == 0:
		return "", errors.New("hello.processors is 0")
	case h.GetLeastWarmupNs() < 0 || h.GetLeastWarmupNs() > int64(leastWarmupMax):
		return "", fmt.Errorf("hello.least_warmup_ns is %d", h.GetLeastWarmupNs())
	case h.GetCompilerPatienceNs() < 0 || h.GetCompilerPatienceNs() > int64(leastWarmupMax):
		return "", fmt.Errorf("hello.compiler_patience_ns is %d", h.GetCompilerPatienceNs())
	case len(h.GetStacks()) == 0:
		return "", errors.New("hello.stacks is empty")
	}
	var seen []string
	for _, info := range h.GetStacks() {
		if slices.Contains(seen, info.GetName()) {
			return "", fmt.Errorf("two stacks are named %q", info.GetName())
		}
		seen = append(seen, info.GetName())
		if err := checkInfo(info); err != nil {
			return "", fmt.Errorf("hello.stacks, %q: %w", info.GetName(), err)
		}
	}
	return fmt.Sprintf("%d stacks on %s, %d ms after the start", len(seen), h.GetRuntime(), took.Milliseconds()), nil
}

func checkInfo(info *control.StackInfo) error {
	switch {
	case info.GetName() == "" || info.GetProtocol() == "" || info.GetLibrary() == "":
		return errors.New("a name, protocol or library is empty")
	case !info.GetServes() && !info.GetCalls():
		return errors.New("it neither serves nor calls")
	case info.GetProtocol() == stack.ProtocolCodec:
		return checkCodecInfo(info)
	case info.GetCalls() && !slices.Contains(info.GetKinds(), stack.KindFirstCall):
		return errors.New("kinds lacks first_call, which every client supports")
	}
	for _, list := range []struct {
		field        string
		given, known []string
	}{
		{"kinds", info.GetKinds(), kinds},
		{"networks", info.GetNetworks(), networks},
		{"securities", info.GetSecurities(), securities},
		{"compressions", info.GetCompressions(), compressions},
	} {
		if err := checkWords(list.field, list.given, list.known); err != nil {
			return err
		}
	}
	if err := checkDeviations(info); err != nil {
		return err
	}
	return checkOptions(info.GetOptions())
}

// checkCodecInfo checks a stack that encodes and decodes. It has no networks, and nothing that comes with them.
func checkCodecInfo(info *control.StackInfo) error {
	if info.GetServes() {
		return errors.New("it serves, but encode and decode need no server")
	}
	for _, list := range []struct {
		field string
		given []string
	}{{"messages", info.GetMessages()}, {"codecs", info.GetCodecs()}} {
		if err := checkWords(list.field, list.given, list.given); err != nil {
			return err
		}
	}
	if err := checkWords("kinds", info.GetKinds(), []string{stack.KindEncode, stack.KindDecode}); err != nil {
		return err
	}
	return checkOptions(info.GetOptions())
}

func checkWords(field string, given, known []string) error {
	if len(given) == 0 {
		return fmt.Errorf("%s is empty", field)
	}
	for i, word := range given {
		if !slices.Contains(known, word) || slices.Contains(given[:i], word) {
			return fmt.Errorf("%s has %q, which is unknown or listed twice", field, word)
		}
	}
	return nil
}

func checkOptions(options []*control.OptionInfo) error {
	for _, o := range options {
		if o.GetName() == "" || o.GetHelp() == "" || !o.GetClient() && !o.GetServer() {
			return fmt.Errorf("option %q has no name, no help or no side", o.GetName())
		}
	}
	for _, o := range control.Options(options) {
		if err := o.Check(); err != nil {
			return err
		}
	}
	return nil
}
