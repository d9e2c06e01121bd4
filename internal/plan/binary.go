package plan

import "slices"

// A Binary describes a program that hosts stacks instead of this one.
type Binary struct {
	Abilities

	Hash    string // SHA-256
	Version string // what it says of itself; may be empty
	Stacks  []string
}

// hostOf returns the worker that hosts a stack in a point, and whether it is another than this binary. A program that the user
// named gets no options for a JVM, whatever it is.
func (b *builder) hostOf(s Spec, name string) (host Host, isForeign bool) {
	if s.Binary != "" {
		return Host{Abilities: b.config.Binaries[s.BinaryPath()].Abilities, Worker: s.Binary}, true
	}
	host, isForeign = b.config.Hosts[name]
	return host, isForeign
}

// binaryLacks returns which of a point's stacks its binary does not host.
func (b *builder) binaryLacks(s Spec) lack {
	if s.Binary == "" {
		return lack{}
	}
	known := b.config.Binaries[s.BinaryPath()].Stacks
	for _, name := range []string{s.Stack, s.Server} {
		if name != "" && !slices.Contains(known, name) {
			return lack{"binary " + s.BinaryName(), "does not host " + name}
		}
	}
	return lack{}
}

// suitBinary gives a point what is known of its binary.
func (b *builder) suitBinary(spec *Spec) {
	if spec.Binary == "" {
		return
	}
	known := b.config.Binaries[spec.BinaryPath()]
	spec.BinaryHash, spec.BinaryVersion = known.Hash, known.Version
}
