package doctest

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/report"
	"rpcbench/internal/results/analysis"
	"rpcbench/internal/results/published"
	"rpcbench/internal/results/result"
	"rpcbench/internal/stack"
)

// names fails for every word that a document does not have in backquotes.
func names(t *testing.T, document string, words []string) {
	t.Helper()
	if len(words) == 0 {
		t.Fatalf("there is nothing that %s should name", document)
	}
	text := read(t, filepath.Join(root, "docs", document))
	for _, word := range words {
		if !strings.Contains(text, "`"+word+"`") {
			t.Errorf("docs/%s does not name `%s`", document, word)
		}
	}
}

func TestReportsNamesEveryColumnMetricAndFormat(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	scenario := "rpcbench run latency --stacks grpc-go --set request_bytes=1 --trials 1 --format csv --out r.jsonl"
	output, code := shell(t, folder, short(scenario)+" 2>notes")
	if code != 0 {
		t.Fatal(output)
	}
	header, _, _ := strings.Cut(output, "\n")
	names(t, "reports.md", strings.Split(header, ","))
	names(t, "reports.md", report.Formats())
	var metrics []string
	for _, m := range analysis.Metrics() {
		metrics = append(metrics, string(m))
	}
	names(t, "reports.md", metrics)
	names(t, "reports.md", published.Names())
	names(t, "reports.md", analysis.Verdicts())
	names(t, "measuring.md", analysis.Verdicts())
	for _, code := range analysis.Codes() {
		names(t, "reports.md", []string{string(code)})
	}
}

func TestScenariosNamesEveryKey(t *testing.T) {
	t.Parallel()
	names(t, "scenarios.md", point.Names())
	names(t, "scenarios.md", []string{"name", "question", "note", "defaults", "cases", "title"})
}

func TestScenariosNamesEveryBuiltInAndItsQuestion(t *testing.T) {
	t.Parallel()
	names(t, "scenarios.md", scenario.BuiltinNames())
	text := read(t, filepath.Join(root, "docs", "scenarios.md"))
	for _, name := range scenario.BuiltinNames() {
		built, err := scenario.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		if row := "| `" + name + "` | " + built.Question + " |"; !strings.Contains(text, row) {
			t.Errorf("docs/scenarios.md does not have the row %s", row)
		}
	}
}

func TestServingNamesEveryFlagAndAlias(t *testing.T) {
	t.Parallel()
	var words []string
	for _, verb := range []string{"serve", "load", "credentials"} {
		help, _ := shell(t, t.TempDir(), "rpcbench "+verb+" --help")
		for _, match := range regexp.MustCompile(`(?m)^ +(?:-\w, )?(--[\w-]+)`).FindAllStringSubmatch(help, -1) {
			if match[1] != "--help" {
				words = append(words, match[1])
			}
		}
	}
	table := regexp.MustCompile(`(?m)^\t+\{name: "([a-z-]{2,})"`)
	aliases := table.FindAllStringSubmatch(read(t, filepath.Join(root, "internal/cli/alias/table.go")), -1)
	if len(aliases) == 0 {
		t.Error("internal/cli/alias/table.go has no table of aliases")
	}
	for _, match := range aliases {
		words = append(words, "--"+match[1])
	}
	names(t, "serving.md", words)
}

func TestStacksNamesEveryStackAndOption(t *testing.T) {
	t.Parallel()
	output, _ := shell(t, t.TempDir(), "rpcbench stacks --format json")
	var stacks []struct {
		Name    string
		Options []struct{ Name string }
	}
	if err := json.Unmarshal([]byte(output), &stacks); err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, s := range stacks {
		words = append(words, s.Name)
		for _, o := range s.Options {
			words = append(words, o.Name)
		}
	}
	names(t, "stacks.md", words)
}

func TestResultsNamesEveryField(t *testing.T) {
	t.Parallel()
	fields := map[string]bool{}
	seen := map[reflect.Type]bool{}
	collect(reflect.TypeFor[result.Header](), fields, seen)
	collect(reflect.TypeFor[result.Trial](), fields, seen)
	var words []string
	for field := range fields {
		words = append(words, field)
	}
	names(t, "results.md", words)
	names(t, "results.md", []string{result.HistResponse, result.HistService, result.HistWake, result.HistQueue, result.HistError})
	names(t, "results.md", []string{result.CodeOK, stack.Mismatch.String(), result.CodeUnsent, result.CodeUnfinished})
}

// collect gathers the JSON names of a struct's fields, those of embedded structs too, and of the structs within that it has not
// seen yet.
func collect(of reflect.Type, fields map[string]bool, seen map[reflect.Type]bool) {
	switch {
	case of.Kind() == reflect.Pointer, of.Kind() == reflect.Slice:
		collect(of.Elem(), fields, seen)
	case of.Kind() != reflect.Struct, seen[of]:
	default:
		seen[of] = true
		for field := range of.Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "-" || name == "" && !field.Anonymous {
				continue
			}
			if name != "" {
				fields[name] = true
			}
			collect(field.Type, fields, seen)
		}
	}
}

func TestWorkersNamesEveryMessage(t *testing.T) {
	t.Parallel()
	schema := read(t, filepath.Join(root, "proto/rpcbench/worker/v1/worker.proto"))
	var words []string
	for _, match := range regexp.MustCompile(`(?m)^message (\w+)`).FindAllStringSubmatch(schema, -1) {
		words = append(words, match[1])
	}
	names(t, "workers.md", words)
	names(t, "workers.md", []string{"rpcbench worker"})
}

// TestReferenceIsWhatTheProgramSays holds docs/reference.md to the help of every verb; -update writes it anew.
func TestReferenceIsWhatTheProgramSays(t *testing.T) {
	t.Parallel()
	want := referencePage(t)
	path := filepath.Join(root, "docs", "reference.md")
	if *update {
		write(t, path, want)
	}
	if got := read(t, path); got != want {
		t.Errorf("docs/reference.md is out of date: go test ./internal/test/doctest -update. It should be\n%s", want)
	}
}

// verbLine finds the lines of help that name a verb.
var verbLine = regexp.MustCompile(`(?m)^  ([a-z]+(?:-[a-z]+)*) {2,}`)

func referencePage(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("# Verbs and flags\n\nWhat `rpcbench --help` and `rpcbench VERB --help` print. " +
		"A test writes this page and keeps it current.\n")
	help := func(command string) string {
		output, code := shell(t, t.TempDir(), command+" --help")
		if code != 0 {
			t.Fatalf("%s --help: %s", command, output)
		}
		output = regexp.MustCompile(`(?m) +$`).ReplaceAllString(output, "")
		text.WriteString("\n## " + command + "\n\n```text\n" + output + "```\n")
		return output
	}
	main := help("rpcbench")
	verbs := verbLine.FindAllStringSubmatch(main, -1)
	if len(verbs) == 0 {
		t.Error("rpcbench --help names no verb")
	}
	for _, match := range verbs {
		if of := help("rpcbench " + match[1]); strings.Contains(of, " help "+match[1]+" COMMAND prints ") {
			for _, below := range verbLine.FindAllStringSubmatch(of, -1) {
				help("rpcbench " + match[1] + " " + below[1])
			}
		}
	}
	return text.String()
}
