package service

import (
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"os"
	"slices"
	"strings"

	"rpcbench/internal/call/recipe"
	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker"
	"rpcbench/internal/worker/control"
)

// A call describes a case's calls to a foreign server.
type call struct {
	point.Service

	file   string // of the scenario; empty is the command line
	config Config
	peer   *recipe.Peer // what the server says of itself, set when it is reached
	rows   *recipe.Rows // of RowsFile; nil is none
}

// resolve determines what is called and reads the requests.
func (c call) resolve(ctx context.Context, security *control.Security) (recipe.Recipe, error) {
	config, err := worker.ClientTLS(security)
	if err != nil {
		return recipe.Recipe{}, err
	}
	at := c.Target
	reach := func(ctx context.Context) (err error) {
		if c.config.Unstarted || c.Started {
			return nil
		}
		*c.peer, err = recipe.Probe(ctx, c.speech(), at.Network, at.Address, at.String(), config)
		return err
	}
	if !at.IsHTTP() {
		return c.resolveMethod(ctx, config, reach)
	}
	r, err := recipe.ResolveHTTP(recipe.HTTPConfig{
		Method: c.Method, URL: at.Raw, ExpectStatus: c.ExpectStatus, Message: c.message(),
	})
	if err == nil {
		err = reach(ctx)
	}
	return r, err
}

// speech returns the protocol that the target is expected to speak.
func (c call) speech() recipe.Speech {
	switch {
	case !c.Target.IsHTTP():
		return recipe.GRPC
	case c.HTTP2:
		return recipe.HTTP2
	default:
		return recipe.HTTP1
	}
}

// message returns the content that is sent.
func (c call) message() recipe.Message {
	return recipe.Message{
		Data: c.Data, Format: c.DataFormat, Rows: c.rows, Sample: c.SampleData, Seed: c.config.Seed, Metadata: c.Metadata,
		TokenFile: c.TokenFile, TokenEnv: c.TokenEnv, Authority: c.Authority, Stdin: os.Stdin, File: c.file,
		Allow: c.config.Allow, Files: c.config.files,
	}
}

// resolveMethod finds a method of gRPC.
func (c call) resolveMethod(ctx context.Context, config *tls.Config, reach func(context.Context) error) (recipe.Recipe, error) {
	at := c.Target
	authority := cmp.Or(c.Authority, at.Authority())
	conn, err := recipe.Dial(at.Network, at.Address, authority, config)
	if err != nil {
		return recipe.Recipe{}, err
	}
	defer conn.Close()
	asked := c.recipe()
	asked.Reach = reach
	r, err := recipe.Resolve(ctx, conn, asked)
	if r.Authority == "" {
		r.Authority = authority
	}
	return r, err
}

// recipe returns the configuration of a case's gRPC method.
func (c call) recipe() recipe.Config {
	return recipe.Config{
		Call: c.Call, Server: c.Target.String(), Protos: c.Protos, ImportPaths: c.ImportPaths, Protosets: c.Protosets,
		Reflection: c.Reflection, Message: c.message(),
	}
}

// sizedRequests is the number of requests whose sizes are examined.
const sizedRequests = 1000

// method returns the parts of a recipe that may appear in results.
func method(s point.Service, r recipe.Recipe) (*plan.Method, error) {
	opened, err := recipe.Open(r)
	if err != nil {
		return nil, err
	}
	m := &plan.Method{Requests: r.Input.Name, Sample: r.Sample, Authority: s.Authority}
	if s.Data == "" {
		m.Requests = "nothing"
	}
	if opened.Rows != nil && opened.Rows.Used() {
		m.Rows, m.RowCount = r.Rows.Name, opened.Rows.Count()
	}
	for _, entry := range opened.Metadata {
		m.Metadata = append(m.Metadata, entry.Name)
	}
	if opened.HTTP != nil {
		if r.Authority != s.Target.URL.Host {
			m.Authority = r.Authority // by a header too
		}
		m.ExpectStatus = opened.HTTP.Expected.String()
		m.Name, m.HTTP, m.RequestCount = opened.HTTP.Method+" "+opened.HTTP.Shown(), true, max(1, opened.HTTP.Bodies())
		return m, measure(m, func(uint64) int { return 1 }, func(dst []byte, call uint64) ([]byte, error) {
			return opened.HTTP.AppendBody(dst, call), nil
		})
	}
	m.Name, m.Schema, m.RequestCount = r.Method, schema(s), opened.Requests.Requests()
	if err := opened.Requests.Unprepared(); err != nil {
		m.Unprepared = err.Error()
	}
	if stack.SendsMany(r.Kind) {
		for call := range uint64(min(m.RequestCount, sizedRequests)) {
			m.MessagesMost = max(m.MessagesMost, opened.Requests.Messages(call))
		}
	}
	return m, measure(m, opened.Requests.Messages, func(dst []byte, call uint64) ([]byte, error) {
		return opened.Requests.Append(dst, call, 0)
	})
}

// checkRows refuses a file of rows that no call uses.
func (c call) checkRows(m *plan.Method) error {
	if c.RowsFile == "" || m.HasRows() {
		return nil
	}
	return fmt.Errorf(`no call uses the rows of %s: write {{column "NAME"}} where a value of theirs belongs`, c.RowsFile)
}

// measure looks how long the first messages are.
func measure(m *plan.Method, messages func(uint64) int, first func([]byte, uint64) ([]byte, error)) error {
	isFirst := true
	for call := range uint64(min(m.RequestCount, sizedRequests)) {
		if messages(call) == 0 {
			continue // a stream may be empty
		}
		encoded, err := first(nil, call)
		if err != nil {
			return err
		}
		if isFirst {
			m.RequestBytesLeast, isFirst = len(encoded), false
		}
		m.RequestBytesLeast, m.RequestBytesMost = min(m.RequestBytesLeast, len(encoded)), max(m.RequestBytesMost, len(encoded))
	}
	return nil
}

// schema names where it is from.
func schema(s point.Service) string {
	if files := slices.Concat(s.Protos, s.Protosets); len(files) > 0 {
		return strings.Join(files, ", ")
	}
	return "reflection"
}
