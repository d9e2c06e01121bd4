package cli_test

import (
	"strings"
	"testing"

	"github.com/mattn/go-shellwords"

	"rpcbench/internal/cli"
)

// saysOf returns the exit code of a line, and what it says on standard error.
func saysOf(t *testing.T, line string) (code int, said string) {
	t.Helper()
	words, err := shellwords.Parse(line)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	code, said = cli.Say(words, stacks())
	return code, strings.TrimSuffix(said, "\n")
}

func TestAFlagOfOneValueIsRefusedWithTwo(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`load x:1 --ramp line:1..50/s@2s --ramp line:50..1/s@2s`: "--ramp is given twice, with different values, line:1..50/s@2s and " +
			"line:50..1/s@2s; join the parts of a ramp by +",
		`load x:1 --rate 100 --rate 200`:               "--rate is given twice, with different values, 100 and 200; give one",
		`load --rate=100 x:1 -rate 200`:                "--rate is given twice, with different values, 100 and 200; give one",
		`load x:1 --duration 5s -z 10s`:                "--duration (-z) is given twice, with different values, 5s and 10s; give one",
		`capacity x:1 --connections 1 --connections 2`: "--connections is given twice, with different values, 1 and 2; give one",
		`ab --a ./x --a './y 1' x:1`:                   "--a is given twice, with different values, ./x and './y 1'; give one",
		`run quick --out a.jsonl --out b.jsonl`:        "--out is given twice, with different values, a.jsonl and b.jsonl; give one",
		`plan quick --seed 1 --seed 2`:                 "--seed is given twice, with different values, 1 and 2; give one",
		`call x:1 --deadline 1s --deadline 2s`:         "--deadline is given twice, with different values, 1s and 2s; give one",
		`serve --listen x:1 --listen x:2`:              "--listen is given twice, with different values, x:1 and x:2; give one",
		`report a.jsonl --format csv --format json`:    "--format is given twice, with different values, csv and json; give one",
		`archive add d a.jsonl --commit a --commit b`:  "--commit is given twice, with different values, a and b; give one",
		`load x:1 --poisson --poisson=false`:           "--poisson is given twice, with different values, true and false; give one",
		`load x:1 -d '{"a": 1}' -d '{"a": 2}'`: "--data (-d) is given twice, with different values; give one; several requests stand " +
			"in one value, or in a file as --data @FILE",
		`load http://x:1 --basic-auth a:b --basic-auth a:c`: "--basic-auth (-a) is given twice, with different values; give one",
		// Other tools' words, under both their names.
		`load x:1 -c 4 --concurrency 8`:  "--concurrency (-c) is given twice, with different values, 4 and 8; give one",
		`load http://x:1 -q 4 -q 8`:      "-q is given twice, with different values, 4 and 8; give one",
		`load --server x:1 --server x:2`: "--server is given twice, with different values, x:1 and x:2; give one",
	} {
		if code, said := saysOf(t, line); code != 2 || said != "rpcbench: "+want {
			t.Errorf("%s: exit code %d\ngot  %s\nwant rpcbench: %s", line, code, said, want)
		}
	}
}

// One value twice is nothing but longer, flags that are lists take several, and other mistakes keep their own sentences.
func TestWhatIsTypedTwiceWithOneMeaningIsTaken(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`load --rate 100 --rate=100 --in_flight 4 --in-flight 4`:  "load needs one TARGET",
		`load --option a=1 --option a=2 -H 'a: b' -H 'c: d'`:      "load needs one TARGET",
		`load --rate 1 --nosuch --rate 2`:                         "unknown flag --nosuch",
		`load --rate`:                                             "--rate needs a value",
		`run nosuch --set request_bytes=1 --set response_bytes=2`: "unknown scenario",
		`plan quick --set calls=1 --set calls=2`:                  "calls is given twice",
	} {
		if _, said := saysOf(t, line); !strings.Contains(said, want) {
			t.Errorf("%s: %s; want %s", line, said, want)
		}
	}
	if code, said := saysOf(t, "load --rate 1 --help --rate 2"); code != 0 {
		t.Errorf("help: exit code %d: %s", code, said)
	}
}
