package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"rpcbench/internal/control"
	"rpcbench/internal/plan"
	"rpcbench/internal/recipe"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker"
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
}

func (f *callFlags) flags(flags *pflag.FlagSet) {
	flags.StringVar(&f.call, "call", "", "call this method of the server's own, package.Service/Method")
	flags.StringArrayVar(&f.protos, "proto", nil, "with --call: a .proto file with its schema (the server's reflection tells it)")
	flags.StringArrayVar(&f.importPaths, "import-path", nil, "with --proto: a folder of imports")
	flags.StringArrayVar(&f.protosets, "protoset", nil, "with --call: a file of compiled descriptors with its schema")
	flags.StringArrayVar(&f.reflection, "reflect-metadata", nil, "with --call: metadata for reflection alone")
	flags.StringVarP(&f.data, "data", "d", "", "with --call: requests, as JSON, @FILE or @- for standard input (one empty message)")
	flags.StringVar(&f.dataFormat, "data-format", "", "of --data: json, jsonl, csv or binary (by the file's ending)")
	flags.BoolVar(&f.sample, "sample", false, "take the requests of --data by chance, not in turn")
	flags.StringVar(&f.messageRate, "message-rate", "",
		"with --call: messages a second that each upload or stream sends, whatever replies do (as fast as it can)")
	flags.StringArrayVarP(&f.metadata, "metadata", "m", nil, "with --call: 'name: value', a JSON object, or @FILE of either")
	flags.StringVar(&f.tokenFile, "token-file", "", "with --call: a file with a bearer token")
	flags.StringVar(&f.tokenEnv, "token-env", "", "with --call: a variable of the environment with a bearer token")
	flags.StringVar(&f.authority, "authority", "", "with --call: the name that the server is called by (TARGET)")
	flags.AddFlag(&pflag.Flag{
		Name: "header", Shorthand: "H", Usage: "as --metadata", Value: flags.Lookup("metadata").Value, DefValue: "[]", Hidden: true,
	})
}

// ofCall are the flags that mean something with --call only.
var ofCall = []string{
	"proto", "import-path", "protoset", "reflect-metadata", "data", "data-format", "sample", "metadata", "header", "token-file",
	"token-env", "authority", "message-rate",
}

// notOfCall are the flags of calls that send what rpcbench makes.
var notOfCall = []string{"request-bytes", "response-bytes", "payload", "batch", "background", "verify"}

// check refuses flags of the other sort of call.
func (f *callFlags) check(flags *pflag.FlagSet) error {
	if f.call == "" {
		if flags.Changed("call") {
			return errors.New("--call: it is empty; a method is named as package.Service/Method")
		}
		if i := slices.IndexFunc(ofCall, flags.Changed); i >= 0 {
			return fmt.Errorf("--%s means something with --call only, which names a method", ofCall[i])
		}
		return nil
	}
	if i := slices.IndexFunc(notOfCall, flags.Changed); i >= 0 {
		return fmt.Errorf("--%s: a method has requests and replies of its own; --data says what is sent", notOfCall[i])
	}
	return nil
}

// resolve finds the method and reads the requests.
func (f *callFlags) resolve(ctx context.Context, at target, security *control.Security, seed uint64) (recipe.Recipe, error) {
	config, err := worker.ClientTLS(security)
	if err != nil {
		return recipe.Recipe{}, err
	}
	if !f.unstarted {
		if err := recipe.Probe(ctx, at.network, at.address, at.String(), config); err != nil {
			return recipe.Recipe{}, err
		}
	}
	authority := cmp.Or(f.authority, at.authority())
	conn, err := recipe.Dial(at.network, at.address, authority, config)
	if err != nil {
		return recipe.Recipe{}, err
	}
	defer conn.Close()
	r, err := recipe.Resolve(ctx, conn, recipe.Config{
		Call: f.call, Server: at.String(), Protos: f.protos, ImportPaths: f.importPaths, Protosets: f.protosets,
		Reflection: f.reflection,
		Message: recipe.Message{
			Data: f.data, Format: f.dataFormat, Sample: f.sample, Seed: seed, Metadata: f.metadata, TokenFile: f.tokenFile,
			TokenEnv: f.tokenEnv, Authority: f.authority, Stdin: os.Stdin,
		},
	})
	if r.Authority == "" {
		r.Authority = authority
	}
	return r, err
}

// sizedRequests is how many requests are looked at for their sizes.
const sizedRequests = 1000

// method says of a recipe what may stand in results.
func (f *callFlags) method(r recipe.Recipe) (*plan.Method, error) {
	opened, err := recipe.Open(r)
	if err != nil {
		return nil, err
	}
	from := r.Input.Name
	if f.data == "" {
		from = "nothing"
	}
	m := &plan.Method{
		Name: r.Method, Schema: f.schema(), Requests: from, RequestCount: opened.Requests.Requests(),
		Sample: r.Sample, Authority: f.authority,
	}
	for _, entry := range opened.Metadata {
		m.Metadata = append(m.Metadata, entry.Name)
	}
	for call := range uint64(min(m.RequestCount, sizedRequests)) {
		messages := opened.Requests.Messages(call)
		if stack.SendsMany(r.Kind) {
			m.MessagesMost = max(m.MessagesMost, messages)
		}
		if messages == 0 {
			continue // a stream may be empty
		}
		first, err := opened.Requests.Append(nil, call, 0)
		if err != nil {
			return nil, err
		}
		if call == 0 {
			m.RequestBytesLeast = len(first)
		}
		m.RequestBytesLeast, m.RequestBytesMost = min(m.RequestBytesLeast, len(first)), max(m.RequestBytesMost, len(first))
	}
	return m, nil
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
		return "", fmt.Errorf("--kind %s: %s is %s", asked, r.Method, r.Kind)
	}
}

// stackFor is the client that calls other services by itself: the one with the least of a library in it that can.
func stackFor(infos []stack.Info, kind, compression, security string) string {
	for _, name := range []string{"grpc-wire", "grpc-go"} {
		if slices.ContainsFunc(infos, func(i stack.Info) bool {
			return i.Name == name && i.Methods && slices.Contains(i.Kinds, kind) &&
				slices.Contains(i.Compressions, compression) && slices.Contains(i.Securities, security)
		}) {
			return name
		}
	}
	return "grpc-go"
}

// travelling is the recipe as a worker gets it.
func travelling(r recipe.Recipe) *control.Recipe {
	made := &control.Recipe{
		Method: r.Method, Schema: r.Schema, Name: r.Input.Name, Format: r.Input.Format, Requests: r.Input.Text,
		Sample: r.Sample, Seed: r.Seed, Token: r.Token, TokenFile: r.TokenFile, Authority: r.Authority, Environment: r.Env,
	}
	for _, p := range r.Metadata {
		made.Metadata = append(made.Metadata, &control.Metadatum{Source: p.Source, Name: p.Name, Value: p.Value})
	}
	return made
}
