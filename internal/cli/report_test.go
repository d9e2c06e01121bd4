package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// A format that can show nothing of a file is wrong input: nothing was run. A write that fails is not.
func TestAFormatThatDoesNotFitIsWrongInput(t *testing.T) {
	t.Parallel()
	const good = "testdata/mutated.jsonl"
	results, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	with := func(name, old, changed string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, bytes.ReplaceAll(results, []byte(old), []byte(changed)), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	codec := with("codec.jsonl", `"kind":"unary"`, `"kind":"encode"`)
	bad := with("failed.jsonl", `"status":"ok"`, `"status":"failed","failure":"the server died"`)
	out := filepath.Join(folder, "out")
	unread, full := io.Pipe()
	_ = unread.CloseWithError(errors.New("disk full"))
	for _, test := range []struct {
		file, format string
		flags        []string
		code         int
		says         string
	}{
		{good, "simple", nil, exitBadInput, "--format simple prints the scenario simple, and " + good + " has none of its cases"},
		{good, "simple", []string{"--output", out}, exitBadInput,
			"--format simple prints the scenario simple, and " + good + " has none of its cases"},
		{codec, "qps", nil, exitBadInput, "--format qps needs calls to a server, and the results have none"},
		{bad, "scenario-result", nil, exitBadInput, "--format scenario-result needs calls of unary, ping_pong, upload, download or " +
			"both_ways, in a trial that did not fail, and the results have none"},
		{bad, "hgrm", []string{"--output", out}, exitBadInput, "no call was OK, so there is no latency histogram"},
		{bad, "svg", []string{"--output", out}, exitBadInput,
			"no chart can be drawn from " + bad + ": no trial with a latency succeeded"},
		{good, "text", nil, exitTrialFailed, "disk full"},
	} {
		e := env{screen: full, err: io.Discard, out: io.Discard}
		command := e.report()
		command.SetArgs(append([]string{test.file, "--format", test.format}, test.flags...))
		command.SilenceUsage, command.SilenceErrors = true, true
		err := command.ExecuteContext(t.Context())
		found, ok := errors.AsType[*exitError](err)
		if !ok || found.code != test.code || found.Error() != test.says {
			t.Errorf("%s of %s: %+v, want code %d and %q", test.format, filepath.Base(test.file), found, test.code, test.says)
		}
	}
}
