package cli

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"rpcbench/internal/call/recipe"
	"rpcbench/internal/plan"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker"
	"rpcbench/internal/worker/control"
)

// callFlags say which method of somebody else's is called, and what its calls send.
type callFlags struct {
	call        string
	protos      []string
	importPaths []string
	protosets   []string
	reflection  []string
	data        string
	dataFormat  string
	sample      bool
	messageRate string
	metadata    []string
	tokenFile   string
	tokenEnv    string
	authority   string
	unstarted   bool // the server does not run yet
	allow       func([]recipe.Variable) error
	httpFlags
}

func (f *callFlags) flags(flags *pflag.FlagSet) {
	flags.StringVar(&f.call, "call", "", "call this method of the server's own, package.Service/Method")
	flags.StringArrayVar(&f.protos, "proto", nil, "with --call: a .proto file with its schema (the server's reflection tells it)")
	flags.StringArrayVar(&f.importPaths, "import-path", nil, "with --proto: a folder of imports")
	flags.StringArrayVar(&f.protosets, "protoset", nil, "with --call: a file of compiled descriptors with its schema")
	flags.StringArrayVar(&f.reflection, "reflect-metadata", nil, "with --call: metadata for reflection alone")
	flags.StringVarP(&f.data, "data", "d", "",
		"with --call or a URL: requests, as JSON, @FILE or @- for standard input (one empty message; no body)")
	flags.StringVar(&f.dataFormat, "data-format", "", "of --data: json, jsonl, csv or binary (by the file's ending)")
	flags.BoolVar(&f.sample, "sample", false, "take the requests of --data by chance, not in turn")
	flags.StringVar(&f.messageRate, "message-rate", "",
		"with --call: messages a second that each upload or stream sends, whatever replies do (as fast as it can)")
	flags.StringArrayVarP(&f.metadata, "metadata", "H", nil,
		"with --call or a URL: 'name: value', a JSON object, or @FILE of either")
	flags.StringVar(&f.tokenFile, "token-file", "", "with --call or a URL: a file with a bearer token")
	flags.StringVar(&f.tokenEnv, "token-env", "", "with --call or a URL: a variable of the environment with a bearer token")
	flags.StringVar(&f.authority, "authority", "", "with --call or a URL: the name that the server is called by (TARGET)")
	flags.AddFlag(&pflag.Flag{
		Name: "header", Usage: "as --metadata", Value: flags.Lookup("metadata").Value, DefValue: "[]", Hidden: true,
	})
	f.httpFlags.flags(flags)
}

// Flags that mean something for some sorts of calls only: of rpcbench's own services, of a method, of a URL.
var (
	ofMethods = []string{"proto", "import-path", "protoset", "reflect-metadata", "message-rate"}
	ofOthers  = []string{"data", "data-format", "sample", "metadata", "header", shortFlag, "token-file", "token-env", "authority"}
	ofOwn     = []string{"request-bytes", "response-bytes", "payload", "batch", "background", "verify"}
	notOfURLs = []string{"messages", "streams"}
)

// isOwn tells whether calls are of rpcbench's own services.
func (f *callFlags) isOwn(at target) bool { return f.call == "" && !at.isHTTP() }

// check refuses flags of another sort of calls.
func (f *callFlags) check(flags *pflag.FlagSet, at target) error {
	switch {
	case at.isHTTP() && flags.Changed("call"):
		return errors.New("--call names a method of gRPC, and TARGET is a URL: give host:port, or leave --call out")
	case f.call == "" && flags.Changed("call"):
		return errors.New("--call: it is empty; a method is named as package.Service/Method")
	}
	for _, of := range []struct {
		flags   []string
		refused bool
		why     string
	}{
		{ofMethods, f.call == "", " means something with --call only, which names a method"},
		{ofURLs, !at.isHTTP(), " means something with a URL as TARGET only, such as http://localhost:8080/"},
		{ofOthers, f.isOwn(at), " means something with --call, which names a method, or with a URL as TARGET only"},
		{ofOwn, at.isHTTP(), ": a URL has requests and replies of its own; --data says what is sent"},
		{ofOwn, f.call != "", ": a method has requests and replies of its own; --data says what is sent"},
		{notOfURLs, at.isHTTP(), ": a call of a URL is one request and its response"},
	} {
		if i := slices.IndexFunc(of.flags, flags.Changed); of.refused && i >= 0 {
			return fmt.Errorf("%s%s", written(of.flags[i]), of.why)
		}
	}
	return f.checkPairs(flags)
}

// checkPairs refuses flags that say something of another one that is not there.
func (f *callFlags) checkPairs(flags *pflag.FlagSet) error {
	switch {
	case f.data == "" && flags.Changed("sample"):
		return errors.New("--sample takes requests of --data by chance, and there is no --data")
	case f.data == "" && flags.Changed("data-format"):
		return errors.New("--data-format says what --data is, and there is no --data")
	case len(f.reflection) > 0 && len(f.protos)+len(f.protosets) > 0:
		return fmt.Errorf("--reflect-metadata is for the server's reflection, which is not asked where files tell the schema: %s",
			f.schema())
	default:
		return nil
	}
}

// resolve finds out what is called and reads the requests.
func (f *callFlags) resolve(ctx context.Context, at target, security *control.Security, seed uint64) (recipe.Recipe, error) {
	config, err := worker.ClientTLS(security)
	if err != nil {
		return recipe.Recipe{}, err
	}
	if !f.unstarted {
		if err := recipe.Probe(ctx, f.speech(at), at.network, at.address, at.String(), config); err != nil {
			return recipe.Recipe{}, err
		}
	}
	if at.isHTTP() {
		return recipe.ResolveHTTP(f.verb, at.raw, f.message(seed))
	}
	return f.resolveMethod(ctx, at, config, seed)
}

// message is what is sent.
func (f *callFlags) message(seed uint64) recipe.Message {
	return recipe.Message{
		Data: f.data, Format: f.dataFormat, Sample: f.sample, Seed: seed, Metadata: f.metadata, TokenFile: f.tokenFile,
		TokenEnv: f.tokenEnv, Authority: f.authority, Stdin: os.Stdin, Allow: f.allow,
	}
}

// requestFiles are the files that requests and metadata are read from, as they are named.
func (f *callFlags) requestFiles() []string {
	var files []string
	for _, text := range slices.Concat([]string{f.data}, f.metadata, f.reflection) {
		if path, isFile := strings.CutPrefix(text, "@"); isFile {
			files = append(files, path)
		}
	}
	return files
}

// resolveMethod finds a method of gRPC.
func (f *callFlags) resolveMethod(ctx context.Context, at target, config *tls.Config, seed uint64) (recipe.Recipe, error) {
	authority := cmp.Or(f.authority, at.authority())
	conn, err := recipe.Dial(at.network, at.address, authority, config)
	if err != nil {
		return recipe.Recipe{}, err
	}
	defer conn.Close()
	r, err := recipe.Resolve(ctx, conn, recipe.Config{
		Call: f.call, Server: at.String(), Protos: f.protos, ImportPaths: f.importPaths, Protosets: f.protosets,
		Reflection: f.reflection, Message: f.message(seed),
	})
	if r.Authority == "" {
		r.Authority = authority
	}
	return r, err
}

// sizedRequests is how many requests are looked at for their sizes.
const sizedRequests = 1000

// method says of a recipe what may stand in results.
func (f *callFlags) method(r recipe.Recipe, at target) (*plan.Method, error) {
	opened, err := recipe.Open(r)
	if err != nil {
		return nil, err
	}
	m := &plan.Method{Requests: r.Input.Name, Sample: r.Sample, Authority: f.authority}
	if f.data == "" {
		m.Requests = "nothing"
	}
	for _, entry := range opened.Metadata {
		m.Metadata = append(m.Metadata, entry.Name)
	}
	if opened.HTTP != nil {
		if r.Authority != at.url.Host {
			m.Authority = r.Authority // by a header too
		}
		m.Name, m.HTTP, m.RequestCount = opened.HTTP.Method+" "+opened.HTTP.Shown(), true, max(1, opened.HTTP.Bodies())
		return m, measure(m, func(uint64) int { return 1 }, func(dst []byte, call uint64) ([]byte, error) {
			return opened.HTTP.AppendBody(dst, call), nil
		})
	}
	m.Name, m.Schema, m.RequestCount = r.Method, f.schema(), opened.Requests.Requests()
	if stack.SendsMany(r.Kind) {
		for call := range uint64(min(m.RequestCount, sizedRequests)) {
			m.MessagesMost = max(m.MessagesMost, opened.Requests.Messages(call))
		}
	}
	return m, measure(m, opened.Requests.Messages, func(dst []byte, call uint64) ([]byte, error) {
		return opened.Requests.Append(dst, call, 0)
	})
}

// measure looks how long the first messages are.
func measure(m *plan.Method, messages func(uint64) int, first func([]byte, uint64) ([]byte, error)) error {
	for call := range uint64(min(m.RequestCount, sizedRequests)) {
		if messages(call) == 0 {
			continue // a stream may be empty
		}
		encoded, err := first(nil, call)
		if err != nil {
			return err
		}
		if call == 0 {
			m.RequestBytesLeast = len(encoded)
		}
		m.RequestBytesLeast, m.RequestBytesMost = min(m.RequestBytesLeast, len(encoded)), max(m.RequestBytesMost, len(encoded))
	}
	return nil
}

// schema names where it is from.
func (f *callFlags) schema() string {
	if files := slices.Concat(f.protos, f.protosets); len(files) > 0 {
		return strings.Join(files, ", ")
	}
	return "reflection"
}

// kindOf is what calls of the method are: its own kind, or, of one that streams both ways, ping_pong where that is asked
// for.
func (f *callFlags) kindOf(r recipe.Recipe, asked string) (string, error) {
	switch {
	case asked == "" || asked == r.Kind:
		return r.Kind, nil
	case asked == stack.KindPingPong && r.Kind == stack.KindStream:
		return asked, nil
	case r.Kind == stack.KindStream:
		return "", fmt.Errorf("--kind %s: %s streams both ways, so that it is stream or ping_pong", asked, r.Method)
	default:
		return "", fmt.Errorf("--kind %s: %s is %s", asked, cmp.Or(r.Method, "a call of a URL"), r.Kind)
	}
}

// The clients that call other services where nobody says which: the one with the least of a library in it that can, or
// else the last.
var (
	methodStacks = []string{"grpc-wire", "grpc-go"}
	urlStacks    = []string{"http-wire", "http-json-go"}
)

func stackFor(names []string, infos []stack.Info, kind, compression, security string) string {
	for _, name := range names {
		if slices.ContainsFunc(infos, func(i stack.Info) bool {
			return i.Name == name && i.Methods && slices.Contains(i.Kinds, kind) &&
				slices.Contains(i.Compressions, compression) && slices.Contains(i.Securities, security)
		}) {
			return name
		}
	}
	return names[len(names)-1]
}
