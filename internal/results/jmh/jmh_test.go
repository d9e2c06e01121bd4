package jmh

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rpcbench/internal/test/allocated"
)

// before.json and after.json are in JMH 1.37's words; their figures are the seed's and made up.
func read(t *testing.T, name string) *File {
	t.Helper()
	file, err := ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestAResultIsRead(t *testing.T) {
	t.Parallel()
	file := read(t, "before.json")
	if len(file.Benchmarks) != 3 {
		t.Fatalf("%d benchmarks, want 3", len(file.Benchmarks))
	}
	b := file.Benchmarks[0]
	if b.Name != "rpcbench.microbench.DecompressorRegistryBenchmark.marshal" || b.Mode != "sample" || b.Forks != 1 ||
		b.Version != "1.37" || b.IterationTime != "1 s" {
		t.Errorf("%+v", b)
	}
	if diff := cmp.Diff(map[string]string{"extraEncodings": "0"}, b.Params); diff != "" {
		t.Errorf("parameters (-want +got):\n%s", diff)
	}
	if b.Primary.Score != 124.104 || b.Primary.Error != 11.159 || b.Primary.Unit != "ns/op" || b.Primary.Count() != 1010 {
		t.Errorf("%v ± %v %s of %d", b.Primary.Score, b.Primary.Error, b.Primary.Unit, b.Primary.Count())
	}
	for q, want := range map[float64]float64{0: 84, .5: 94, .999: 4944, .9999: 12178.008, 1: 2056192} {
		if got, ok := b.Primary.Percentile(q); !ok || got != want {
			t.Errorf("the percentile %v: %v (there: %v), want %v", q, got, ok, want)
		}
	}
	if got, ok := b.Primary.Percentile(.42); ok {
		t.Errorf("a percentile that isn't there: %v", got)
	}
	if got := b.Secondary["gc.alloc.rate.norm"]; got.Score != 56 || got.Unit != "B/op" {
		t.Errorf("allocated: %+v", got)
	}
	if counter := file.Benchmarks[2]; counter.Primary.Error.Known() || counter.Primary.Count() != 1 {
		t.Errorf("one iteration has an error: %v of %d", counter.Primary.Error, counter.Primary.Count())
	}
}

func TestWhatIsNoNumberIsNoSample(t *testing.T) {
	t.Parallel()
	nan := Number(math.NaN())
	m := Metric{RawDataHistogram: [][][][2]Number{{{{nan, 5}, {5, nan}, {5, -5}, {7, 3}}}}}
	if n := m.Count(); n != 3 {
		t.Errorf("%d samples, want 3", n)
	}
}

func TestWhatIsNoResultIsRefused(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("testdata", "before.json"))
	if err != nil {
		t.Fatal(err)
	}
	whole := string(text)
	for name, test := range map[string]struct{ text, want string }{
		"cut off":     {whole[:len(whole)-20], "f.json: not a JMH results file: "},
		"two values":  {whole + "[]", "f.json: not a JMH results file: there is data after the array"},
		"empty array": {"[]", "f.json: the file has no benchmark"},
		"another":     {`[{"name": "x"}]`, "f.json: not a JMH results file: benchmark 1 has no name, mode or unit"},
		"no number":   {strings.Replace(whole, "124.104", `"fast"`, 1), `"fast" is not a number`},
	} {
		if _, err := Read(strings.NewReader(test.text), "f.json"); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", name, err, test.want)
		}
	}
}

func TestAFileIsToldByItsBeginning(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"[\n", " \r\n\t["} {
		if !Is([]byte(text)) {
			t.Errorf("%q is none", text)
		}
	}
	for _, text := range []string{`{"format"`, "", "x["} {
		if Is([]byte(text)) {
			t.Errorf("%q is one", text)
		}
	}
}

// Not parallel, because it counts what the process allocates.
func TestAFileIsBoundedBeforeItIsDecoded(t *testing.T) {
	for what, text := range map[string]string{
		"many": "[" + strings.Repeat("{},", 1_000_000) + "{}]",
		"deep": strings.Repeat("[", 1_000_000),
	} {
		allocated.AtMost(t, 30<<20, func() { // the text itself, as it grows
			if _, err := Read(strings.NewReader(text), "f"); err == nil || !strings.Contains(err.Error(), "more than") {
				t.Errorf("%s: got %v", what, err)
			}
		})
	}
}

// FuzzRead checks that reading takes memory in proportion to the input, never panics, and returns what a report needs.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"before.json", "after.json"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add(`[{"benchmark":"a.B.c","mode":"ss","primaryMetric":{"score":"NaN","scoreUnit":"s","rawDataHistogram":[[[[1,2]]]]}}]`)
	f.Fuzz(func(t *testing.T, text string) {
		var file *File
		var err error
		allocated.AtMost(t, 1<<20+500*uint64(len(text)), func() { file, err = Read(strings.NewReader(text), "f") })
		if err != nil {
			return
		}
		for _, b := range file.Benchmarks {
			if b.Name == "" || b.Primary.Unit == "" {
				t.Errorf("%+v", b)
			}
			b.Primary.Count()
			b.Primary.Percentile(0.5)
		}
	})
}
