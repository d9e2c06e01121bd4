package result_test

import (
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"rpcbench/internal/results/result"
)

func TestWhatIsNoCountIsRefused(t *testing.T) {
	t.Parallel()
	outcomes := func(calls ...int64) (all []result.Outcome) {
		for _, n := range calls {
			all = append(all, result.Outcome{Calls: n})
		}
		return all
	}
	for name, c := range map[string]struct {
		record result.Record
		good   bool
	}{
		"nothing":             {result.Record{}, true},
		"all":                 {result.Record{Arrivals: 3, Outcomes: outcomes(1, 2), Tail: &result.Tail{OK: 1}}, true},
		"others":              {result.Record{Arrivals: 4, Outcomes: outcomes(1, 2)}, false},
		"negative":            {result.Record{Arrivals: -1, Outcomes: outcomes(-1)}, false},
		"negative, and again": {result.Record{Arrivals: 1, Outcomes: outcomes(2, -1)}, false},
		"too many to count":   {result.Record{Arrivals: 1, Outcomes: outcomes(math.MaxInt64, math.MaxInt64, 3)}, false},
		"very many codes":     {result.Record{Outcomes: make([]result.Outcome, 1001)}, false},
		"time":                {result.Record{ElapsedNs: -1}, false},
		"tail":                {result.Record{Tail: &result.Tail{MessagesIn: -1}}, false},
		"background":          {result.Record{Background: &result.Background{OK: -1}}, false},
		"interval":            {result.Record{Intervals: []result.Interval{{InFlight: -1}}}, false},
	} {
		if err := c.record.CheckCounts(); (err == nil) != c.good {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestATrialOfNegativeCountsIsNotRead(t *testing.T) {
	t.Parallel()
	good, err := os.ReadFile("testdata/v2.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	head, trials, _ := strings.Cut(string(good), "\n")
	wild := strings.Replace(trials, `"messages_out":`, `"messages_out":-1`, 1)
	if wild == trials {
		t.Fatal("nothing can be made wild")
	}
	file, err := result.Read(strings.NewReader(head+"\n"+wild), "x.jsonl")
	if err != nil || len(file.Warnings) != 1 || !strings.Contains(file.Warnings[0], "is not a count of what its calls took") {
		t.Errorf("%v, %+v", err, file)
	}
}

func TestATrialOfImpossibleHostsIsNotRead(t *testing.T) {
	t.Parallel()
	good, err := os.ReadFile("testdata/v2.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	head, trials, _ := strings.Cut(string(good), "\n")
	for _, wild := range []string{
		`"frequency_mhz":1.7e308`, `"frequency_mhz":-1`, `"energy_joules":1.7e308`, `"energy_joules":-1`,
	} {
		name, _, _ := strings.Cut(strings.Trim(wild, `"`), `"`)
		changed := regexp.MustCompile(`"energy_joules":[0-9.]+`).ReplaceAllString(trials, wild)
		if changed == trials {
			t.Fatalf("%s can't be made wild", name)
		}
		file, err := result.Read(strings.NewReader(head+"\n"+changed), "x.jsonl")
		if err != nil || len(file.Warnings) == 0 || !strings.Contains(file.Warnings[0], name+": ") {
			t.Errorf("%s: %v, %+v", wild, err, file)
		}
	}
}
