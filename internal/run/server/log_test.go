package server_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"rpcbench/internal/run/server"
)

// printed has a server print so many lines of 100 bytes, and ends its log.
func printed(t *testing.T, log *server.Log, lines int) {
	t.Helper()
	for i := range lines {
		if n, err := fmt.Fprintf(log, "%099d\n", i); n != 100 || err != nil {
			t.Fatal(n, err)
		}
	}
}

func TestALogKeepsTheBeginningAndTheEnd(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		lines      int
		room       int64
		head, tail int // bytes that are written
		cut        string
	}{
		{10, 64 << 20, 1000, 0, ""},
		{10_486, 64 << 20, 1 << 20, 24, ""}, // a little more than the beginning: nothing is left out
		{100_000, 64 << 20, 1 << 20, 64 << 10, "it printed 10000000 bytes, of which the first 1048576 and the last 65536 are kept"},
		{100_000, 100_000, 100_000 - 64<<10, 64 << 10,
			"it printed 10000000 bytes, of which the first 34464 and the last 65536 are kept"},
		{10, 0, 0, 0, "it printed 1000 bytes, for which there is no room left"},
		{10, -5, 0, 0, "it printed 1000 bytes, for which there is no room left"},
	} {
		var file bytes.Buffer
		log := server.NewLog(&file, test.room)
		printed(t, log, test.lines)
		cut := log.Cut()
		if err := log.End(); err != nil || cut != test.cut {
			t.Errorf("%d lines: %v, cut %q, want %q", test.lines, err, cut, test.cut)
		}
		head, rest := file.String()[:test.head], file.String()[test.head:]
		all := []byte(fmt.Sprintf("%099d\n", test.lines-1))
		if left := 100*test.lines - test.head - test.tail; test.head > 0 && left > 0 {
			mark := fmt.Sprintf("\n[rpcbench left out %d bytes]\n", left)
			var found bool
			if rest, found = strings.CutPrefix(rest, mark); !found {
				t.Errorf("%d lines: %q is missing", test.lines, mark)
			}
		}
		if len(rest) != test.tail || test.tail >= 100 && !strings.HasSuffix(rest, string(all)) ||
			test.head > 0 && !strings.HasPrefix(head, "000") {
			t.Errorf("%d lines: %d bytes at the end, want %d", test.lines, len(rest), test.tail)
		}
		if want := strings.TrimSpace(string(all)); !strings.HasSuffix(log.LastWords(), want) {
			t.Errorf("%d lines: last words %q", test.lines, log.LastWords())
		}
	}
}

// A failing writes nothing.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestAServerIsNotHeldUpByAFullDisk(t *testing.T) {
	t.Parallel()
	log := server.NewLog(failing{}, 1<<20)
	printed(t, log, 3)
	if err := log.End(); err == nil || log.Cut() != "no space left on device" {
		t.Errorf("%v, %q", err, log.Cut())
	}
}
