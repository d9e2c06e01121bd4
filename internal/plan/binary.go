package plan

import "slices"

// A Binary describes a program that hosts stacks instead of this one.
type Binary struct {
	Hash    string // SHA-256
	Version string // what it says of itself; may be empty
	Stacks  []string

	Reconnects bool // its clients begin anew with a further Connect
}

// suitBinary sets a point's binary. It reports whether the binary hosts the point's stacks; if not, a note says so.
func (b *builder) suitBinary(p pair, use Case, spec *Spec) bool {
	if spec.Binary == "" {
		return true
	}
	known := b.config.Binaries[spec.BinaryPath()]
	for _, name := range []string{spec.Stack, spec.Server} {
		if name != "" && !slices.Contains(known.Stacks, name) {
			b.notes.leaveOut(p, lack{"binary " + spec.BinaryName(), "does not host " + name}, use, *spec)
			return false
		}
	}
	spec.BinaryHash, spec.BinaryVersion = known.Hash, known.Version
	return true
}
