package child

import (
	"strings"
	"sync"
)

// lastWordsBytes is the length of the end of a program's standard error that is kept.
const lastWordsBytes = 4 << 10

// A Tail keeps the end of what is written to it.
type Tail struct {
	mu   sync.Mutex
	kept []byte
}

// Write implements io.Writer.
func (t *Tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b...)
	if over := len(t.kept) - lastWordsBytes; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(b), nil
}

// String returns the kept text.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.kept))
}
