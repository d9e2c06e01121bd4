package published

import (
	"bufio"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// lines returns the lines of a source, without the one that names its origin.
func lines(t *testing.T, name string) []string {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []string
	for scanner := bufio.NewScanner(file); scanner.Scan(); {
		if !strings.HasPrefix(scanner.Text(), "#") {
			all = append(all, scanner.Text())
		}
	}
	return all
}

// check holds figures to the numbers of a source, in their order.
func check(t *testing.T, what string, figures []Figure, want []float64) {
	t.Helper()
	if len(figures) != len(want) {
		t.Fatalf("%s: %d figures, want %d", what, len(figures), len(want))
	}
	for i, f := range figures {
		if math.Abs(f.Value-want[i]) > 1e-9*want[i] {
			t.Errorf("%s: %s is %v, want %v", what, f.Name, f.Value, want[i])
		}
	}
}

// numbers returns the numbers that a pattern finds in a source, multiplied.
func numbers(t *testing.T, name, pattern string, by float64) []float64 {
	t.Helper()
	var found []float64
	for _, line := range lines(t, name) {
		match := regexp.MustCompile(pattern).FindStringSubmatch(line)
		if match == nil {
			continue
		}
		n, err := strconv.ParseFloat(match[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, n*by)
	}
	return found
}

func TestFiguresOfVanadiumAreThoseOfItsResults(t *testing.T) {
	t.Parallel()
	for i, name := range []string{"vanadium-2022-08-29.txt", "vanadium-2022-08-26.txt"} {
		var figures []Figure
		for _, f := range find(t, "vanadium-2022").Tables[i].Figures {
			if strings.HasPrefix(f.Unit, "µs") {
				figures = append(figures, f)
			}
		}
		check(t, name, figures, numbers(t, name, ` ([0-9.]+) ns/op`, 1e-3))
	}
}

// TestCasesOfVanadiumAreThoseOfItsNames checks that the required values agree with the benchmark's name.
func TestCasesOfVanadiumAreThoseOfItsNames(t *testing.T) {
	t.Parallel()
	sizes := map[string]string{"B": "", "KB": "000"}
	pattern := regexp.MustCompile(`^Benchmark_+(?:([0-9]+)(K?)_chunk_+|per_chunk_+)?([0-9]+)(K?B) `)
	figures := find(t, "vanadium-2022").Tables[0].Figures
	checked := 0
	for i, line := range lines(t, "vanadium-2022-08-29.txt") {
		match := pattern.FindStringSubmatch(line)
		if match == nil {
			continue
		}
		checked++
		f := figures[i]
		if want := match[3] + sizes[match[4]]; text(f.Case["request_bytes"]) != want || text(f.Case["response_bytes"]) != want {
			t.Errorf("%s: %v", line, f.Case)
		}
		chunks := ""
		if match[1] != "" {
			chunks = match[1] + sizes[match[2]+"B"]
		}
		if text(f.Case["messages"]) != chunks {
			t.Errorf("%s: messages %v, want %s", line, f.Case["messages"], chunks)
		}
	}
	if checked != 36 {
		t.Errorf("%d names are checked, want 36", checked)
	}
}

func TestFiguresOfTheMobileBenchmarkAreThoseOfItsFiles(t *testing.T) {
	t.Parallel()
	tables := find(t, "grpc-mobile").Tables
	exact := func(figures []Figure, unit func(string) bool) []Figure {
		var chosen []Figure
		for _, f := range figures {
			if unit(f.Unit) && !f.About {
				chosen = append(chosen, f)
			}
		}
		return chosen
	}
	for i, name := range []string{"grpc-mobile-rpc.txt", "grpc-mobile-okhttp.txt"} {
		latency := exact(tables[i].Figures, func(unit string) bool { return strings.HasPrefix(unit, "ms") })
		check(t, name+", latency", latency, numbers(t, name, `Latency \(in micros\):\s+([0-9]+)`, 1e-3))
		rate := exact(tables[i].Figures, func(unit string) bool { return unit == "calls/s" })
		check(t, name+", rate", rate, numbers(t, name, `^QPS:\s+([0-9]+)`, 1))
		bytes := exact(tables[i].Figures, func(unit string) bool { return unit == "B/call" })
		check(t, name+", bytes", bytes, numbers(t, name, `^Size of request:\s+([0-9]+)`, 1))
	}
	check(t, "protobuf", tables[3].Figures, numbers(t, "grpc-mobile-protobuf.txt", `~([0-9.]+)Mb/s`, 1))
}

func TestFiguresOfMarshallingAreThoseOfTheCommit(t *testing.T) {
	t.Parallel()
	ref, err := FindMicro("grpc-java")
	if err != nil || ref == nil {
		t.Fatal(ref, err)
	}
	var figures []Figure
	for _, of := range []func(MicroFigure) float64{
		func(f MicroFigure) float64 { return f.Before }, func(f MicroFigure) float64 { return f.After },
	} {
		for _, f := range ref.Figures {
			figures = append(figures, Figure{Name: f.Param + " " + f.Percentile, Value: of(f)})
		}
	}
	check(t, "grpc-java", figures, numbers(t, "grpc-java-marshal.txt", `([0-9.]+)(?: ± [0-9.]+)? ns/op`, 1))
}
