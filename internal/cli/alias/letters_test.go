package alias

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// taken are words of other tools as flags of ours.
func taken(t *testing.T, line string) (flags *pflag.FlagSet, words *Words, err error) {
	t.Helper()
	flags = pflag.NewFlagSet("", pflag.ContinueOnError)
	for _, name := range []string{
		"calls", "deadline", "duration", "warmup", "format", "rate", "kind", "in-flight", "connections", "method", "messages",
	} {
		flags.String(name, "", "")
	}
	flags.StringP("data", "d", "", "")
	flags.StringArrayP("metadata", "H", nil, "")
	Load.Add(flags)
	if err := flags.Parse(TwoDashes(flags, strings.Fields(line))); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	words, err = Load.Take(flags, flags.Args())
	return flags, words, err
}

// A letter of several tools is taken for that of the tool whose other flags are there, else for ghz's, and a note says so.
func TestATimeIsADeadlineUnlessFortiosFlagsAreThere(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ line, deadline, duration, note string }{
		{"-t 30s -c 4", "30s", "", "as in ghz and hey, -t 30s is the deadline of each call; --duration 30s, or -z, sets how long to " +
			"load, as -t does in fortio"},
		{"-t 2 -c 4", "2s", "", "as in ghz and hey, -t 2 is the deadline of each call, 2s; there is no number of threads to set, as " +
			"-t is in wrk and h2load"},
		{"-qps 20 -c 4 -t 30s", "", "30s", "as in fortio, beside -qps, -t 30s is the duration; --deadline sets that of each call"},
		{"-qps 20 -t 5", "", "5s", "as in fortio, beside -qps, -t 5 is the duration; --deadline sets that of each call"},
		{"--timeout 30s", "30s", "", ""},
		{"--timeout 30s --qps 20", "30s", "", ""},
	} {
		flags, words, err := taken(t, test.line)
		if err != nil {
			t.Errorf("%s: %v", test.line, err)
			continue
		}
		deadline, duration := flags.Lookup("deadline").Value.String(), flags.Lookup("duration").Value.String()
		if deadline != test.deadline || duration != test.duration || strings.Join(words.Notes, "; ") != test.note {
			t.Errorf("%s: deadline %q, duration %q, notes %q", test.line, deadline, duration, words.Notes)
		}
		if test.duration != "" && words.Name("duration") != "-t" {
			t.Errorf("%s: the duration is written as %s", test.line, words.Name("duration"))
		}
	}
	for line, want := range map[string]string{
		"-qps 20 -t 30s --duration 5s": "-t 30s: beside -qps it is the duration, as in fortio; give it or --duration, not both",
		"-t 12 -c 400 -d 30s": "-d 30s: -d is the data of requests; --duration 30s, or -z, sets how long to load; -t 12 would be a " +
			"deadline here, and no number of threads: leave it out",
		"-d @":   "-d @: the name of the file is missing; @- is standard input",
		"-d 30s": "-d 30s: -d is the data of requests; --duration 30s, or -z, sets how long to load",
	} {
		if _, _, err := taken(t, line); err == nil || err.Error() != want {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// hey and ghz have no warm-up: N is all that their servers get.
func TestANumberOfCallsSaysThatTheWarmUpMakesMore(t *testing.T) {
	t.Parallel()
	const note = " counts the measured calls; the warm-up makes up to 100 more before them, which the server carries out, too: " +
		"--warmup 0s leaves them out"
	for line, want := range map[string]string{
		"-n 100":                             "-n 100" + note,
		"--total 100":                        "--total 100" + note,
		"--iterations=100":                   "--iterations 100" + note,
		"-n 100 --warmup 0s":                 "",
		"-n 100 --warmup 2s":                 "",
		"-n 100 --warmup-duration 1":         "",
		"--iterations 100 --format vanadium": "",
		"--calls 100":                        "",
		"-n many":                            "",
	} {
		if _, words, err := taken(t, line); err != nil || strings.Join(words.Notes, "; ") != want {
			t.Errorf("%s: %v, notes %q", line, err, words.Notes)
		}
	}
}
