package launch

import (
	"hash/fnv"
	"math/rand/v2"
	"runtime"
	"strings"
)

// Bounds of what a Layout adds. The environment's covers a page, after which effects of a shifted stack repeat; Mytkowicz et al.
// went as far. A file name has at most 255 bytes.
const (
	environmentBytesMax = 4096
	directoryBytesMax   = 200
)

// padName is the variable that pads an environment.
const padName = "RPCBENCH_PADDING"

// A Layout shifts the memory of a process relative to other trials. With a fixed size of the environment and a fixed working
// directory, a difference between two programs may be caused by alignment, which no number of trials reveals (Mytkowicz et al.
// 2009, "Producing wrong data without doing anything obviously wrong!"). The zero value adds nothing.
type Layout struct {
	EnvironmentBytes int // that a variable adds to the environment
	DirectoryBytes   int // of the last part of the working directory's name; 0 leaves that
}

// DrawLayout draws the Layout of a trial. The same seed and ID have the same one.
func DrawLayout(seed uint64, trialID string) Layout {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(trialID)) // never fails
	random := rand.New(rand.NewPCG(seed, hash.Sum64()))
	layout := Layout{EnvironmentBytes: len(padName) + 2 + random.IntN(environmentBytesMax)}
	if runtime.GOOS != "windows" { // where links need a privilege
		layout.DirectoryBytes = 1 + random.IntN(directoryBytesMax)
	}
	return layout
}

// Padding is the variable that adds EnvironmentBytes to an environment, with "=" and the zero byte at its end; "" adds none.
func (l Layout) Padding() string {
	if l.EnvironmentBytes <= len(padName)+1 {
		return ""
	}
	return padName + "=" + strings.Repeat("x", l.EnvironmentBytes-len(padName)-2)
}
