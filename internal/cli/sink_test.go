package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A pipe, whose other end reads or does not.
func pipedSink(t *testing.T, text string) (sink, *io.PipeReader) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "results.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	read, written := io.Pipe()
	return sink{name: "pipe", handover: &handover{from: path, to: written}}, read
}

func TestASinkThatTakesNothingIsGivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, read := pipedSink(t, "trials")
		begun := time.Now()
		if err := s.rescue(); err == nil || err.Error() != "--out: pipe takes no more, so trials are lost" {
			t.Errorf("got %v", err)
		}
		if waited := time.Since(begun); waited != rescuePatience {
			t.Errorf("waited %v, want %v", waited, rescuePatience)
		}
		read.Close()
	})
}

func TestASinkThatIsSlowIsAwaited(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		text := strings.Repeat("trials", 100_000)
		s, read := pipedSink(t, text)
		rescued := make(chan error, 1)
		go func() { rescued <- s.rescue() }()
		var got strings.Builder
		part := make([]byte, 1<<20)
		for {
			n, err := read.Read(part)
			if err != nil {
				break
			}
			got.Write(part[:n])
			time.Sleep(rescuePatience - time.Millisecond)
		}
		if err := <-rescued; err != nil || got.String() != text {
			t.Errorf("%v, and %d bytes, want %d", err, got.Len(), len(text))
		}
	})
}

func TestASinkTakesResultsOnce(t *testing.T) {
	t.Parallel()
	s, read := pipedSink(t, "trials")
	got := make(chan string)
	go func() {
		text, _ := io.ReadAll(read)
		got <- string(text)
	}()
	for range 2 {
		if err := s.take(); err != nil {
			t.Error(err)
		}
	}
	if text := <-got; text != "trials" {
		t.Errorf("the sink took %q", text)
	}
}
