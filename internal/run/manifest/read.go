package manifest

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"rpcbench/internal/call/infile"
	"rpcbench/internal/plan/schedule"
	"rpcbench/internal/plan/yamlbound"
)

// fileBytesMax is far more than a manifest needs: a longer file was named by mistake.
const fileBytesMax = 64 << 10

// WarmupMax limits the minimum warm-up of a worker, and entriesMax the entries of any list in a manifest: only mistakes exceed
// them.
const (
	WarmupMax  = time.Hour
	entriesMax = 100
)

// file is a manifest as it is written.
type file struct {
	Name        text  `yaml:"name"`
	Command     texts `yaml:"command"`
	Runtime     text  `yaml:"runtime"`
	LeastWarmup text  `yaml:"least_warmup"`
	Stacks      texts `yaml:"stacks"`
	Environment texts `yaml:"environment"`
}

// text is a scalar with its place.
type text struct {
	value string
	at    *token.Token
}

// UnmarshalYAML takes a scalar as it is written: `name: 1` is the name 1.
func (t *text) UnmarshalYAML(node ast.Node) error {
	t.at = node.GetToken()
	switch node := node.(type) {
	case *ast.StringNode:
		t.value = node.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		t.value = t.at.Value
	default:
		return &misplaced{t.at, "expected one word"}
	}
	return nil
}

// texts are a list of scalars. It is read here, because the library's own reading of lists fails on a tag without one.
type texts []text

// UnmarshalYAML takes a list as it is written.
func (t *texts) UnmarshalYAML(node ast.Node) error {
	list, ok := node.(*ast.SequenceNode)
	if !ok {
		return &misplaced{node.GetToken(), "expected a list of words"}
	}
	*t = make(texts, len(list.Values))
	for i, value := range list.Values {
		if err := (*t)[i].UnmarshalYAML(value); err != nil {
			return err
		}
	}
	return nil
}

// misplaced is an error at a place of the file, with the methods of the library's own.
type misplaced struct {
	at      *token.Token
	message string
}

func (m *misplaced) Error() string          { return m.message }
func (m *misplaced) GetMessage() string     { return m.message }
func (m *misplaced) GetToken() *token.Token { return m.at }

// Read reads one manifest. Every error is one sentence that says where.
func Read(path string) (Worker, error) {
	data, err := infile.Read(path, fileBytesMax)
	if err != nil {
		return Worker{}, fmt.Errorf("read a worker's manifest: %w", err)
	}
	return parse(path, data)
}

func parse(path string, data []byte) (Worker, error) {
	var f file
	if err := yamlbound.Decode(path, data, &f); err != nil {
		return Worker{}, err
	}
	worker, err := f.worker(path)
	if err != nil {
		return Worker{}, yamlbound.Located(path, err)
	}
	return worker, nil
}

// worker checks the content of the file.
func (f file) worker(path string) (Worker, error) {
	w := Worker{Name: f.Name.value, Path: path, Runtime: f.Runtime.value}
	for _, err := range []error{
		f.Name.check("name"), list("command", f.Command), list("stacks", f.Stacks), f.checkRuntime(), f.checkEnvironment(),
	} {
		if err != nil {
			return Worker{}, err
		}
	}
	var err error
	if w.LeastWarmup, err = f.warmup(); err != nil {
		return Worker{}, err
	}
	w.Command, w.Stacks, w.Environment = words(f.Command), words(f.Stacks), words(f.Environment)
	if w.Command[0], err = resolved(path, w.Command[0]); err != nil {
		return Worker{}, err
	}
	return w, nil
}

func (t text) check(key string) error {
	switch {
	case t.at == nil:
		return fmt.Errorf("%s is missing", key)
	case t.value == "" || strings.ContainsFunc(t.value, func(r rune) bool { return r <= ' ' || r == ',' || r == 0x7f }):
		return &misplaced{t.at, fmt.Sprintf("%s: %q is not a word", key, t.value)}
	}
	return nil
}

// list refuses a list that is missing, that has nothing in it, or an item twice. Words of a command may repeat, and be
// anything.
func list(key string, items []text) error {
	switch {
	case len(items) == 0:
		return fmt.Errorf("%s is missing: a list of at least one word", key)
	case len(items) > entriesMax:
		return &misplaced{items[entriesMax].at, fmt.Sprintf("%s: the list has more than %d words", key, entriesMax)}
	case key == "command" && items[0].value != "":
		return nil
	}
	for i, item := range items {
		if err := item.check(key); err != nil {
			return err
		}
		if slices.Contains(words(items[:i]), item.value) {
			return &misplaced{item.at, fmt.Sprintf("%s: %s is given twice", key, item.value)}
		}
	}
	return nil
}

// checkEnvironment refuses invalid names of variables; the program env in the command can set a value.
func (f file) checkEnvironment() error {
	if f.Environment == nil {
		return nil // nothing but the usual
	}
	for _, name := range f.Environment {
		if strings.Contains(name.value, "=") {
			return &misplaced{name.at, fmt.Sprintf("environment: %q is not the name of a variable", name.value)}
		}
	}
	return list("environment", f.Environment)
}

func (f file) checkRuntime() error {
	if f.Runtime.at == nil || f.Runtime.value == RuntimeJVM {
		return nil
	}
	return &misplaced{f.Runtime.at, fmt.Sprintf("runtime: %q is unknown; known: %s", f.Runtime.value, RuntimeJVM)}
}

func (f file) warmup() (time.Duration, error) {
	if f.LeastWarmup.at == nil {
		return 0, nil
	}
	d, err := time.ParseDuration(schedule.Seconds(f.LeastWarmup.value))
	switch {
	case err != nil || d < 0:
		return 0, &misplaced{f.LeastWarmup.at,
			fmt.Sprintf("least_warmup: %q is not a duration, such as 8s or 300ms", f.LeastWarmup.value)}
	case d > WarmupMax:
		return 0, &misplaced{f.LeastWarmup.at, fmt.Sprintf("least_warmup: %s is above the limit of %s", d, WarmupMax)}
	}
	return d, nil
}

func words(items []text) (list []string) {
	for _, item := range items {
		list = append(list, item.value)
	}
	return list
}

// resolved makes a program's path independent of where rpcbench is started. A word without a folder stays for PATH.
func resolved(manifest, program string) (string, error) {
	if !strings.ContainsRune(filepath.ToSlash(program), '/') || filepath.IsAbs(program) {
		return program, nil
	}
	folder, err := filepath.Abs(filepath.Dir(manifest))
	if err != nil {
		return "", fmt.Errorf("command: %w", err)
	}
	return filepath.Join(folder, program), nil
}
