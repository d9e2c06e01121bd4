package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/run/scratch"
	"rpcbench/internal/test/allocated"
)

// Whatever somebody has changed in a results file, every verb that reads one ends with an exit code, in bounded memory. None
// starts anything: the context is over.
func TestEveryReaderEndsWhateverAResultsFileSays(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	const files, most = 20, 256 << 20
	good, err := os.ReadFile("testdata/mutated.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	base, changed := filepath.Join(folder, "base.jsonl"), filepath.Join(folder, "changed.jsonl")
	scenario := filepath.Join(folder, "tiny.yaml")
	for path, text := range map[string]string{base: string(good), scenario: tinyYAML} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for n := range files {
		text := mutated(t, good, random)
		for _, args := range [][]string{
			{"report", changed}, {"report", changed, "--format", "json"}, {"report", changed, "--format", "hlog"},
			{"compare", base, changed}, {"compare", changed, "--by", "stack"},
			{"bundle", changed, "--output", filepath.Join(folder, "changed.tar.gz")},
			{"replay", changed, "--out", filepath.Join(folder, "replayed.jsonl"), "--overwrite"},
			{"replay", changed, "--out", changed, "--resume"},
			{"run", scenario, "--no-floor", "--out", changed, "--resume"},
		} {
			if err := os.WriteFile(changed, text, 0o600); err != nil {
				t.Fatal(err)
			}
			_ = os.Remove(filepath.Join(folder, "changed.tar.gz"))
			allocated.AtMost(t, most, func() { endsWith(t, fmt.Sprintf("file %d", n), args) })
		}
	}
}

const tinyYAML = `
name: tiny
question: How long?
defaults: {warmup: 10ms, duration: 200ms, trials: 2}
cases:
  - {title: a, kind: unary, stack: tcp, load: closed}
  - {title: b, kind: unary, stack: tcp, load: constant 200/s}
`

// endsWith carries out a command that is interrupted before it begins, and checks how it ends.
func endsWith(t *testing.T, name string, args []string) {
	t.Helper()
	var said bytes.Buffer
	e := &env{out: io.Discard, err: plain.Writer{To: &said}, screen: io.Discard, temporary: new(scratch.Dir)}
	defer e.tidy()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s: %v panicked: %v", name, args, r)
		}
	}()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	root := e.root()
	root.SetArgs(args)
	root.SetOut(io.Discard)
	root.SetErr(e.err)
	if err := root.ExecuteContext(ctx); err != nil && strings.Contains(err.Error(), "\x1b") {
		t.Errorf("%s: %v: %q", name, args, err)
	}
}

// mutated changes one to three values of a results file.
func mutated(t *testing.T, good []byte, random *rand.Rand) []byte {
	t.Helper()
	lines := bytes.Split(bytes.TrimSpace(good), []byte("\n"))
	for range 1 + random.IntN(3) {
		i := random.IntN(len(lines))
		decoder := json.NewDecoder(bytes.NewReader(lines[i]))
		decoder.UseNumber()
		var value any
		if err := decoder.Decode(&value); err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(change(value, random))
		if err != nil {
			t.Fatal(err)
		}
		lines[i] = text
	}
	return append(bytes.Join(lines, []byte("\n")), '\n')
}

// change returns a value of which one part is another.
func change(value any, random *rand.Rand) any {
	switch v := value.(type) {
	case map[string]any:
		if len(v) > 0 && random.IntN(20) > 0 {
			keys := slices.Sorted(maps.Keys(v))
			key := keys[random.IntN(len(keys))]
			v[key] = change(v[key], random)
			return v
		}
	case []any:
		if len(v) > 0 && random.IntN(4) > 0 {
			i := random.IntN(len(v))
			v[i] = change(v[i], random)
			return v
		}
	}
	others := []any{
		nil, true, "", 0, -1, -0.5, int64(math.MaxInt64), int64(math.MinInt64), uint64(math.MaxUint64), 1e308, 4_000_000_000, []any{},
		map[string]any{}, strings.Repeat("x", 1<<16), "\x1b[31m\u202e", slices.Repeat([]any{value}, 100), []any{[]any{[]any{}}},
	}
	return others[random.IntN(len(others))]
}
