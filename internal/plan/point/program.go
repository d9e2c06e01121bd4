package point

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rpcbench/internal/call/hint"
	"rpcbench/internal/stack"
)

// A Program is a foreign server, which its command starts for every trial. Spec.Server is its name.
type Program struct {
	Command   []string `json:"command"` // words; {port}, {host} and {address} stand for where it has to listen
	Protocol  string   `json:"protocol"`
	Address   string   `json:"address,omitempty"`    // where it listens in any case; empty is where it is told to
	ReadyLine string   `json:"ready_line,omitempty"` // it is ready once it has printed a line that contains this
	Health    bool     `json:"health,omitempty"`     // it is ready once gRPC's health service says SERVING
	WithinNs  int64    `json:"within_ns"`            // how long it may take to be ready
	Library   string   `json:"library,omitempty"`    // what it is made with, and how it was built
	Config    string   `json:"config,omitempty"`     // the text of a file that is written for it, {config} of the command
}

// ProgramProtocols lists the protocols that programs may speak.
var ProgramProtocols = []string{stack.ProtocolGRPC, stack.ProtocolConnect, stack.ProtocolHTTPJSON}

// Limits of programs.
const (
	programReady    = 30 * time.Second // where a case does not say
	programReadyMax = 10 * time.Minute
	programTextMax  = 4096 // bytes of each text, and of all words together
	// programConfigMax is the most bytes of a config.
	programConfigMax = 16 << 10
)

var programKeys = []string{
	"name", "command", "protocol", "address", "ready", "ready_line", "ready_within", "library", "config",
}

// A kind of programs, by purpose.
type programs struct {
	example   string
	protocols []string
	fallback  string                 // the protocol where none is given
	check     func(p *Program) error // what only these must keep; nil is nothing
}

var (
	servers = programs{example: programExample, protocols: ProgramProtocols, fallback: stack.ProtocolGRPC}
	proxies = programs{
		example: proxyExample, protocols: append([]string{anyProtocol}, ProgramProtocols...), fallback: anyProtocol,
		check: (*Program).checkProxy,
	}
)

const programExample = "{name: mine, command: './server --port {port}'}"

// A server is the value of the key server.
type server struct {
	name    string
	program *Program // nil for a stack
}

// readServer accepts the name of a stack, or a map that says how a program is started.
func readServer(n Node) (server, error) {
	if n.Form == Scalar {
		stack, err := name(n.Text)
		return server{name: stack}, err
	}
	if n.Form != Map {
		return server{}, fmt.Errorf("%s is given; expected a stack's name or a map such as %s", n.Form, programExample)
	}
	program, name, err := servers.read(n)
	return server{name, program}, err
}

// read reads a program, and its name.
func (of programs) read(n Node) (*Program, string, error) {
	p := &Program{Protocol: of.fallback, WithinNs: programReady.Nanoseconds()}
	rest, err := p.takeCommand(n, of.example)
	if err != nil {
		return nil, "", err
	}
	texts, err := texts(rest)
	if err != nil {
		return nil, "", err
	}
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		if !slices.Contains(programKeys, key) {
			return nil, "", fmt.Errorf("unknown key %q%s", key, hint.Of(key, programKeys))
		}
		if err := p.take(key, texts[key], of.protocols); err != nil {
			return nil, "", fmt.Errorf("%s: %w", key, err)
		}
	}
	name := texts["name"]
	if name == "" {
		name = filepath.Base(p.Command[0])
	}
	if _, err := label(name); err != nil {
		return nil, "", fmt.Errorf("name: %q: use letters, digits, . _ and -, at most %d characters", name, labelMax)
	}
	if p.Protocol == anyProtocol {
		p.Protocol = ""
	}
	if err := p.check(of); err != nil {
		return nil, "", err
	}
	return p, name, nil
}

// takeCommand reads the command, as words or as a text split like a shell does, and returns the other keys.
func (p *Program) takeCommand(n Node, example string) (rest Node, err error) {
	rest = n
	rest.Fields = nil
	for _, f := range n.Fields {
		switch {
		case f.Name != "command":
			rest.Fields = append(rest.Fields, f)
			continue
		case p.Command != nil:
			return rest, errors.New("command is given twice")
		case f.Value.Form == Scalar:
			p.Command, err = CommandWords(f.Value.Text)
		default:
			p.Command, err = wordsOfList(f.Value)
		}
		if err != nil {
			return rest, fmt.Errorf("command: %w", err)
		}
	}
	if len(p.Command) == 0 {
		return rest, errors.New("it has no command, such as " + example)
	}
	return rest, nil
}

func wordsOfList(n Node) (words []string, err error) {
	if n.Form != List {
		return nil, fmt.Errorf("%s is given; expected words", n.Form)
	}
	for _, item := range n.List {
		if item.Form != Scalar {
			return nil, fmt.Errorf("%s is given as one of its words", item.Form)
		}
		words = append(words, item.Text)
	}
	return words, nil
}

// take reads a key of the map, but the name and the command.
func (p *Program) take(key, text string, protocols []string) (err error) {
	switch key {
	case "protocol":
		p.Protocol, err = oneOf(protocols...)(text)
	case "address":
		p.Address = text
	case "ready":
		text, err = oneOf("port", "health")(text)
		p.Health = text == "health"
	case "ready_line":
		p.ReadyLine = text
	case "ready_within":
		var within time.Duration
		within, err = span(time.Millisecond)(text)
		p.WithinNs = within.Nanoseconds()
	case "library":
		p.Library = text
	case "config":
		p.Config = text
	}
	return err
}

// check checks any program, whether it comes from a case or from a file.
func (p *Program) check(of programs) error {
	if err := p.checkTexts(); err != nil {
		return err
	}
	switch {
	case len(p.Command) == 0 || p.Command[0] == "":
		return errors.New("it has no command")
	case !slices.Contains(of.protocols, cmp.Or(p.Protocol, of.fallback)):
		return fmt.Errorf("%q is not a protocol of programs", p.Protocol)
	case p.checkConfig() != nil:
		return p.checkConfig()
	case p.WithinNs <= 0 || p.WithinNs > programReadyMax.Nanoseconds():
		return fmt.Errorf("ready_within: %s is not between 1ns and %s", time.Duration(p.WithinNs), programReadyMax)
	case p.Health && p.Protocol != stack.ProtocolGRPC:
		return errors.New("ready: health is a service of gRPC")
	case p.Address == "" && !p.toldWhere():
		return errors.New("the program must be told where to listen, by {port} or {address} in its command, or say where by " +
			"the key address")
	case of.check != nil:
		return of.check(p)
	default:
		return nil
	}
}

// checkTexts limits the program's texts together.
func (p *Program) checkTexts() error {
	most := 0
	for _, text := range slices.Concat(p.Command, []string{p.Address, p.ReadyLine, p.Library}) {
		if most += len(text); strings.ContainsFunc(text, isControl) {
			return fmt.Errorf("%q has a control character in it", text)
		}
	}
	if most > programTextMax {
		return fmt.Errorf("its texts are longer than %d bytes", programTextMax)
	}
	return nil
}

// checkConfig looks at the text of the file that is written for the program.
func (p *Program) checkConfig() error {
	switch {
	case strings.ContainsFunc(p.Config, func(r rune) bool { return isControl(r) && r != '\n' && r != '\t' }):
		return errors.New("config has a control character in it")
	case len(p.Config) > programConfigMax:
		return fmt.Errorf("config is longer than %d bytes", programConfigMax)
	case p.Config != "" && !p.toldOf("{config}"):
		return errors.New("the command has no place for {config}, the path of the file with its config")
	default:
		return nil
	}
}

// Says is the command, and behind it the text of its configuration.
func (p *Program) Says() string {
	if p.Config == "" {
		return strings.Join(p.Command, " ")
	}
	return strings.Join(p.Command, " ") + " with the config " + p.Config
}

// toldWhere reports whether there is a place for the address.
func (p *Program) toldWhere() bool { return p.mentions("{port}") || p.mentions("{address}") }

// toldOf reports whether the command has a place for something.
func (p *Program) toldOf(hole string) bool {
	return slices.ContainsFunc(p.Command, func(word string) bool { return strings.Contains(word, hole) })
}

// writeServer says a server as a case does.
func writeServer(a Asked) Node {
	if a.Program == nil {
		return textNode(a.Server)
	}
	return a.Program.write(a.Server, stack.ProtocolGRPC)
}

// write says a program as a case does; of no protocol the fallback.
func (p *Program) write(name, fallback string) Node {
	texts := map[string]string{
		"name": name, "protocol": cmp.Or(p.Protocol, fallback), "ready_within": time.Duration(p.WithinNs).String(),
	}
	for key, text := range map[string]string{
		"address": p.Address, "ready_line": p.ReadyLine, "library": p.Library, "config": p.Config,
	} {
		if text != "" {
			texts[key] = text
		}
	}
	if p.Health {
		texts["ready"] = "health"
	}
	n := mapNode(texts)
	command := Node{Form: List}
	for _, word := range p.Command {
		command.List = append(command.List, Node{Text: word})
	}
	n.Fields = append(n.Fields, Field{Name: "command", Value: command})
	return n
}

// Info returns what a program may be asked for: everything in its protocol. Its answers show what it lacks.
func (p *Program) Info(name string) stack.Info {
	return stack.Info{
		Name: name, Protocol: p.Protocol, Serves: true, Kinds: served, Multiplexed: p.Protocol != stack.ProtocolHTTPJSON,
		Networks: []string{stack.NetworkTCP, stack.NetworkUnix}, Securities: []string{stack.SecurityPlaintext},
		Compressions: []string{stack.CompressionNone, stack.CompressionGzip},
	}
}
