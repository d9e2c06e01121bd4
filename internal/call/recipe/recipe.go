// Package recipe describes a call of a foreign service, on its way from the flags to the processes that make it.
//
// Resolve reads files and stdin, asks the server for its schema, and checks everything once. Its result is plain data.
// Open turns it, in any process, into what gives each call its bytes. It opens no connection and reads no file except a
// token's, so all workers send the same.
package recipe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/reflect/protoreflect"

	"rpcbench/internal/call/request"
	"rpcbench/internal/call/schema"
	"rpcbench/internal/stack"
)

// A Config holds what flags say about a gRPC method.
type Config struct {
	Call   string // package.Service/Method
	Server string // what sentences call the server

	// Where the schema is from: .proto files, else protosets, else the server's reflection.
	Protos      []string
	ImportPaths []string
	Protosets   []string
	Reflection  []string // metadata for reflection beside Metadata

	// Reach tries the server, once all that can be checked without it is; nil is not to.
	Reach func(context.Context) error

	Message
}

// An HTTPConfig holds what flags say about a call of HTTP.
type HTTPConfig struct {
	Method       string // "" is POST with a body and GET without
	URL          string
	ExpectStatus string // that are a success, as stack.ParseStatuses reads them

	Message
}

// A Message holds what flags say about the content that is sent, over gRPC or HTTP.
type Message struct {
	Data      string // JSON, @FILE or @-; "" is one empty message, or no body
	Format    string // one of request's; "" is by the file's ending
	Rows      *Rows  // of ReadRows: a row of values for each call; nil is none
	Sample    bool   // requests and rows are taken by chance, not in turn
	Seed      uint64
	Metadata  []string // "name: value", a JSON object, @FILE
	TokenFile string   // of a bearer token; at most one of the two
	TokenEnv  string   // a variable with one
	Authority string   // "" is the server's
	Stdin     io.Reader
	LookUp    request.LookUp // nil is the process's environment
	// File is the file that contains Data, Metadata and the URL. It is empty for a command line.
	File string
	// Allow is asked before anything is sent that holds variables which files name; nil allows them.
	Allow func([]Variable) error
	// Files are shared by calls that may read the same pipe or stdin; nil shares nothing.
	Files *Files
}

// A Variable is one of the environment that a file names.
type Variable struct {
	File string // "-" is stdin
	Name string
}

// A Recipe is a call, ready to travel. It holds secrets where the metadata does: it never belongs into results.
type Recipe struct {
	Method     string // package.Service/Method; "" is HTTP
	Kind       string // stack.KindUnary, KindUpload, KindDownload or KindStream
	Schema     []byte // a FileDescriptorSet
	HTTPMethod string
	URL        string
	// ExpectStatus has the statuses of HTTP that are a success, as stack.ParseStatuses reads them.
	ExpectStatus string

	Input     request.Input
	Rows      request.Input // no Text is none
	table     *request.Rows // of Rows; nil is not made yet
	Sample    bool
	Seed      uint64
	UUIDSeed  uint64 // see request.Options
	Metadata  []request.Pair
	Token     string
	TokenFile string // that TokenSource reads; "" where the token does not change
	Authority string
	Env       map[string]string // the variables that functions named
}

// A Call is an opened recipe. It may be used concurrently.
type Call struct {
	Method    *schema.Method   // nil for HTTP
	Requests  *request.Source  // nil for HTTP
	Metadata  request.Metadata // of HTTP, its headers
	Authority string           // "" is the server's
	HTTP      *request.HTTP    // nil for gRPC
	Rows      *request.Rows    // nil is none
}

// Resolve finds the method and checks everything that will be sent. conn is used for reflection and may be nil if the schema
// comes from files.
func Resolve(ctx context.Context, conn grpc.ClientConnInterface, config Config) (Recipe, error) {
	name, err := schema.ParseName(config.Call)
	if err != nil {
		return Recipe{}, suggest(ctx, conn, config, err)
	}
	r, err := config.read()
	if err != nil {
		return Recipe{}, err
	}
	variables := config.variables(r.Env)
	if ctx, err = r.introduce(ctx, config, variables); err != nil {
		return Recipe{}, err
	}
	reflects := len(config.Protos)+len(config.Protosets) == 0
	if reflects && config.Reach != nil {
		if err := config.Reach(ctx); err != nil {
			return Recipe{}, err
		}
	}
	method, err := find(ctx, conn, config, name)
	if err != nil {
		return Recipe{}, err
	}
	r.Method, r.Kind = name.String(), kind(method.Descriptor)
	if r.Schema, err = method.Set(); err != nil {
		return Recipe{}, err
	}
	// With the method itself: its types may still be asked for, and are in the schema from then on.
	open := func(r Recipe, o request.Options) (*Call, error) { return r.open(method, o) }
	if _, err := r.try(variables.options(), open); err != nil {
		return Recipe{}, err
	}
	if err := variables.allowed(); err != nil {
		return Recipe{}, err
	}
	if r.Schema, err = method.Set(); err == nil && !reflects && config.Reach != nil {
		err = config.Reach(ctx)
	}
	return r, err
}

// ResolveHTTP checks a call of HTTP.
func ResolveHTTP(config HTTPConfig) (Recipe, error) {
	message := config.Message
	r, err := message.read()
	if err != nil {
		return Recipe{}, err
	}
	if message.Data == "" {
		r.Input = request.Input{} // no body, where gRPC has an empty message
	}
	r.HTTPMethod, r.URL, r.ExpectStatus, r.Kind = config.Method, config.URL, config.ExpectStatus, stack.KindUnary
	for _, p := range r.Metadata {
		if r.Authority != "" && strings.EqualFold(p.Name, "host") {
			return Recipe{}, fmt.Errorf("%s and --authority are mutually exclusive; give only one", p.Source)
		}
	}
	variables := message.variables(r.Env)
	options := variables.options()
	options.File = message.File
	opened, err := r.try(options, Recipe.openHTTP)
	if err == nil {
		err = variables.allowed()
	}
	if err != nil {
		return Recipe{}, err
	}
	r.Authority = opened.Authority // a connection is dialled with the recipe's, and not with the URL's or a header's
	return r, checkAuthority(r.Authority)
}

// Open makes a call of a recipe.
func Open(r Recipe) (*Call, error) {
	options := request.Options{LookUp: func(name string) (string, bool) {
		value, ok := r.Env[name]
		return value, ok
	}}
	if r.Method == "" {
		return r.openHTTP(options)
	}
	name, err := schema.ParseName(r.Method)
	if err != nil {
		return nil, err
	}
	method, err := schema.OpenSet(r.Schema, name)
	if err != nil {
		return nil, err
	}
	return r.open(method, options)
}

func (r Recipe) open(method *schema.Method, options request.Options) (*Call, error) {
	options, err := r.options(options)
	if err != nil {
		return nil, err
	}
	requests, err := request.New(method, r.Input, options)
	if err != nil {
		return nil, err
	}
	entries, err := request.NewMetadata(r.Metadata, options)
	if err == nil {
		entries, err = r.authorized(entries)
	}
	if err != nil {
		return nil, err
	}
	return &Call{
		Method: method, Requests: requests, Metadata: entries, Authority: r.Authority, Rows: options.Rows,
	}, nil
}

// options adds what the recipe says of choosing and filling.
func (r Recipe) options(o request.Options) (_ request.Options, err error) {
	o.Sample, o.Seed, o.UUIDSeed = r.Sample, r.Seed, r.UUIDSeed
	switch {
	case r.table != nil:
		o.Rows = r.table.Again()
	case len(r.Rows.Text) > 0:
		o.Rows, err = request.NewRows(r.Rows)
	}
	return o, err
}

func (r Recipe) openHTTP(options request.Options) (*Call, error) {
	options, err := r.options(options)
	if err != nil {
		return nil, err
	}
	h, err := request.NewHTTP(request.HTTPConfig{
		Method: r.HTTPMethod, URL: r.URL, Headers: r.Metadata, Input: r.Input,
		Options: options,
	})
	if err != nil {
		return nil, err
	}
	if h.Expected, err = stack.ParseStatuses(r.ExpectStatus); err != nil {
		return nil, err
	}
	if r.Authority != "" {
		h.Authority = r.Authority
	}
	if h.Headers, err = r.authorized(h.Headers); err != nil {
		return nil, err
	}
	return &Call{HTTP: h, Metadata: h.Headers, Authority: h.Authority, Rows: options.Rows}, nil
}

// authorized adds the token.
func (r Recipe) authorized(entries request.Metadata) (request.Metadata, error) {
	if r.Token == "" {
		return entries, nil
	}
	token, err := request.ParseToken(r.Token)
	if err != nil {
		return nil, err
	}
	return append(entries, token.Metadatum()), nil
}

// TokenSource returns what reads the token anew; nil if it does not change.
func (r Recipe) TokenSource() func() (string, error) {
	if r.TokenFile == "" {
		return nil
	}
	return func() (string, error) {
		token, err := request.ReadToken(r.TokenFile)
		if err != nil {
			return "", err
		}
		return token.Value(), nil
	}
}

// find finds the method where the flags say.
func find(ctx context.Context, conn grpc.ClientConnInterface, config Config, name schema.Name) (*schema.Method, error) {
	if err := config.Files.schema(slices.Concat(config.Protos, config.Protosets)); err != nil {
		return nil, err
	}
	switch {
	case len(config.Protos) > 0 && len(config.Protosets) > 0:
		return nil, errors.New("--proto and --protoset are mutually exclusive; give only one")
	case len(config.Protos) > 0:
		return schema.Compile(ctx, config.Protos, config.ImportPaths, name)
	case len(config.ImportPaths) > 0:
		return nil, errors.New("--import-path needs --proto")
	case len(config.Protosets) > 0:
		return schema.Protosets(config.Protosets, name)
	default:
		return schema.Reflect(ctx, conn, config.Server, name)
	}
}

// introduce adds to the context the metadata for the reflection server: that of the calls, and metadata for reflection only.
func (r Recipe) introduce(ctx context.Context, config Config, variables *variables) (context.Context, error) {
	pairs, err := config.pairs(config.Reflection)
	if err != nil {
		return ctx, err
	}
	options, err := r.options(variables.options())
	if err != nil {
		return ctx, err
	}
	entries, err := request.NewMetadata(slices.Concat(r.Metadata, pairs), options)
	if err == nil {
		entries, err = r.authorized(entries)
	}
	if err == nil {
		err = variables.allowed()
	}
	if err != nil {
		return ctx, err
	}
	shown, ok := metadata.FromOutgoingContext(ctx)
	if !ok {
		shown = metadata.MD{}
	}
	for _, e := range entries {
		value, err := e.Append(nil, 0)
		if err != nil {
			return ctx, err
		}
		shown.Append(e.Name, string(value))
	}
	return metadata.NewOutgoingContext(ctx, shown), nil
}

// read reads all that is not in the flags themselves.
func (m Message) read() (Recipe, error) {
	r := Recipe{Sample: m.Sample, Seed: m.Seed, TokenFile: m.TokenFile, Authority: m.Authority, Env: map[string]string{}}
	if m.Data == "@-" && slices.Contains(m.Metadata, "@-") {
		return r, errors.New("stdin can be read only once: use it for the requests or for the metadata")
	}
	if err := checkAuthority(m.Authority); err != nil {
		return r, err
	}
	var err error
	if r.Input, err = m.Files.input(m.Data, m.Format, m.Stdin); err != nil {
		return r, err
	}
	if m.Rows != nil {
		r.Rows, r.table = m.Rows.input, m.Rows.table
	}
	if r.Metadata, err = m.pairs(m.Metadata); err != nil {
		return r, err
	}
	r.Input.File = cmp.Or(r.Input.File, m.File)
	token, err := m.token()
	if err != nil || token == nil {
		return r, err
	}
	for _, p := range r.Metadata {
		if strings.EqualFold(p.Name, "authorization") {
			return r, fmt.Errorf("%s and a token are mutually exclusive; give only one", p.Source)
		}
	}
	r.Token = token.Value()
	if file, err := os.Stat(r.TokenFile); err == nil && !file.Mode().IsRegular() {
		r.TokenFile = "" // a pipe has it once
	}
	return r, nil
}

// pairs reads metadata. Errors name the file of entries that are in a file.
func (m Message) pairs(entries []string) ([]request.Pair, error) {
	var list []request.Pair
	for _, entry := range entries {
		read, err := m.Files.metadata(entry, m.Stdin)
		if err != nil {
			return nil, err
		}
		list = append(list, read...)
	}
	for i := range list {
		list[i].File = cmp.Or(list[i].File, m.File)
	}
	return list, nil
}

func checkAuthority(name string) error {
	if strings.ContainsFunc(name, func(c rune) bool { return c <= ' ' || c > '~' || c == '/' }) {
		return fmt.Errorf("%q is not an authority, such as host or host:port", name)
	}
	return nil
}

// token reads the bearer token, if there is to be one.
func (m Message) token() (*request.Token, error) {
	switch {
	case m.TokenFile != "" && m.TokenEnv != "":
		return nil, errors.New("a token from a file and one from the environment are mutually exclusive; give " +
			"only one")
	case m.TokenFile != "":
		return m.Files.token(m.TokenFile)
	case m.TokenEnv != "":
		return request.EnvToken(m.TokenEnv, m.variables(map[string]string{}).lookUp)
	default:
		return nil, nil
	}
}

// kind is the method's, in the words of stacks.
func kind(method protoreflect.MethodDescriptor) string {
	switch {
	case method.IsStreamingClient() && method.IsStreamingServer():
		return stack.KindStream
	case method.IsStreamingClient():
		return stack.KindUpload
	case method.IsStreamingServer():
		return stack.KindDownload
	default:
		return stack.KindUnary
	}
}
