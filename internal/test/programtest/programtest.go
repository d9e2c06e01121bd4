// Package programtest writes programs for tests that start them.
package programtest

import (
	"os"
	"syscall"
	"testing"
)

// Write writes a program, which may be started at once. A process that is started while a program is open for writing has the
// open file too, for a moment, and until then the kernel refuses to start the program (ETXTBSY, "text file busy"). So no process
// of this one is started meanwhile.
func Write(t *testing.T, path, text string) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}
