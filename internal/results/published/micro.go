package published

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/goccy/go-yaml"
)

//go:embed micro/*.yaml
var micro embed.FS

// A Micro is a source's published figures of a JMH microbenchmark, before and after a change.
type Micro struct {
	Name, Title, Source, Note string
	Class, Method, Mode, Unit string // of the benchmark
	Param                     string // the parameter that figures differ in
	Figures                   []MicroFigure
}

// A MicroFigure is one line of both tables.
type MicroFigure struct {
	Param         string
	Percentile    string // "p0.50"; empty is the mean
	Before, After float64
}

// MicroNames lists the references of microbenchmarks.
func MicroNames() []string {
	files, err := fs.Glob(micro, "micro/*.yaml")
	if err != nil {
		panic(err) // of a bad pattern
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(path.Base(file), ".yaml")
	}
	return files
}

// FindMicro returns the reference of a microbenchmark; nil where none has the name.
func FindMicro(name string) (*Micro, error) {
	text, err := micro.ReadFile("micro/" + name + ".yaml")
	if err != nil {
		return nil, nil //nolint:nilnil,nilerr // the name is that of another sort of reference, or of none
	}
	var m Micro
	if err := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict()).Decode(&m); err != nil {
		return nil, fmt.Errorf("a reference can't be read: %w", err)
	}
	return &m, nil
}
