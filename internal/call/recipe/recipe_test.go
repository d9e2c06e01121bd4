package recipe_test

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/reflection"
	reflectionv1 "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"rpcbench/internal/call/recipe"
	"rpcbench/internal/call/schema"
	"rpcbench/internal/worker/control"
)

func TestACallIsTheSameWhereverItsRecipeIsOpened(t *testing.T) {
	t.Parallel()
	token := file(t, "token", "sesame\n")
	r, err := recipe.Resolve(t.Context(), nil, recipe.Config{
		Call: "shop.v1.Orders/Upload", Protos: []string{"shop/v1/shop.proto"}, ImportPaths: []string{"../schema/testdata"},
		Message: recipe.Message{
			Data: "@-", Stdin: strings.NewReader(`[{"id": "{{uuid}}"}, {"id": "{{env "SHOP"}}", "count": {{random 1 9}}}] {"id": "x"}`),
			Sample: true, Seed: 7, Metadata: []string{"x-one: {{sequence}}", "x-bin: YQ"}, TokenFile: token, Authority: "shop:1",
			LookUp: func(name string) (string, bool) { return "corner", name == "SHOP" },
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Kind != "upload" || r.Method != "shop.v1.Orders/Upload" {
		t.Errorf("got %s of %s", r.Kind, r.Method)
	}
	one, two := opened(t, r), opened(t, travelled(t, r))
	for call := range uint64(20) {
		if got, want := shown(t, two, call), shown(t, one, call); got != want {
			t.Errorf("call %d: got %q, want %q", call, got, want)
		}
	}
	if got := shown(t, one, 3); !strings.HasSuffix(got, "x-one=3 x-bin=a authorization=Bearer sesame shop:1") {
		t.Errorf("got %q", got)
	}
	if err := os.WriteFile(token, []byte("open"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := r.TokenSource()(); err != nil || got != "open" {
		t.Errorf("the token is then %q, %v", got, err)
	}
	if err := os.WriteFile(token, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = r.TokenSource()()
	wantError(t, err, token+": the token is empty")
}

func TestReflectionIsAskedWithTheCallsMetadata(t *testing.T) {
	t.Parallel()
	conn := guarded(t)
	config := recipe.Config{
		Call: "grpc.testing.BenchmarkService/UnaryCall", Server: "here",
		Message: recipe.Message{Data: `{"response_size": {{random 5 5}}, "payload": {"body": "YWI="}}`},
	}
	_, err := recipe.Resolve(t.Context(), conn, config)
	wantError(t, err, "cannot get the schema of the server at here: no key (PermissionDenied)")
	config.Metadata = []string{"key: {{choose \"sesame\"}}"}
	_, err = recipe.Resolve(t.Context(), conn, config)
	wantError(t, err, "cannot get the schema of the server at here: no token (PermissionDenied)")
	config.TokenEnv, config.LookUp = "TOKEN", func(name string) (string, bool) { return "secret", name == "TOKEN" }
	r, err := recipe.Resolve(t.Context(), conn, config)
	if err != nil {
		t.Fatal(err)
	}
	if r.Kind != "unary" {
		t.Errorf("got %s", r.Kind)
	}
	encoded, err := opened(t, travelled(t, r)).Requests.Append(nil, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	var request grpc_testing.SimpleRequest
	if err := proto.Unmarshal(encoded, &request); err != nil {
		t.Fatal(err)
	}
	if request.GetResponseSize() != 5 || string(request.GetPayload().GetBody()) != "ab" {
		t.Errorf("got %v", &request)
	}
	config.Metadata, config.Reflection = nil, []string{"key: sesame"}
	if r, err = recipe.Resolve(t.Context(), conn, config); err != nil || len(r.Metadata) != 0 {
		t.Errorf("got %v, %v", r.Metadata, err)
	}
}

func TestATypeThatOnlyTheRequestNamesTravels(t *testing.T) {
	t.Parallel()
	config := recipe.Config{
		Call: "shop.v1.Orders/Place", Server: "here",
		Message: recipe.Message{Data: `{"extra": {"@type": "x/legacy.Record", "name": "a"}}`},
	}
	files := &protoregistry.Files{}
	for name, path := range map[string]string{
		"shop.v1.Orders/Place": "shop/v1/shop.proto", "legacy.Archive/Store": "legacy/legacy.proto",
	} {
		called, err := schema.ParseName(name)
		if err != nil {
			t.Fatal(err)
		}
		method, err := schema.Compile(t.Context(), []string{path}, []string{"../schema/testdata"}, called)
		if err != nil {
			t.Fatal(err)
		}
		register(t, files, method.Descriptor.ParentFile())
	}
	r, err := recipe.Resolve(t.Context(), serve(t, func(server *grpc.Server) {
		options := reflection.ServerOptions{Services: server, DescriptorResolver: files}
		reflectionv1.RegisterServerReflectionServer(server, reflection.NewServerV1(options))
	}), config)
	if err != nil {
		t.Fatal(err)
	}
	encoded, ok := opened(t, travelled(t, r)).Requests.Constant()
	if want := "\x8a\x01\x16\x0a\x0fx/legacy.Record\x12\x03\x0a\x01a"; !ok || string(encoded) != want {
		t.Errorf("got %q, want %q", encoded, want)
	}
}

// register registers a file behind its imports.
func register(t *testing.T, files *protoregistry.Files, file protoreflect.FileDescriptor) {
	t.Helper()
	for i := range file.Imports().Len() {
		register(t, files, file.Imports().Get(i).FileDescriptor)
	}
	if _, err := files.FindFileByPath(file.Path()); err == nil {
		return
	}
	if err := files.RegisterFile(file); err != nil {
		t.Fatal(err)
	}
}

func TestAnHTTPCallTravelsToo(t *testing.T) {
	t.Parallel()
	r, err := recipe.ResolveHTTP(recipe.HTTPConfig{URL: "https://shop/{{sequence}}", ExpectStatus: "404", Message: recipe.Message{
		Data: `{"id": {{sequence}}}`, Metadata: []string{"x-a: {{env \"SHOP\"}}"}, TokenEnv: "SHOP", Authority: "other",
		LookUp: func(name string) (string, bool) { return "corner", name == "SHOP" },
	}})
	if err != nil {
		t.Fatal(err)
	}
	c := opened(t, travelled(t, r))
	got := fmt.Sprintf("%s %s %s %s", c.HTTP.Method, c.HTTP.Address, c.HTTP.AppendPath(nil, 4), c.HTTP.AppendBody(nil, 4))
	want := `POST shop:443 /4 {"id": 4} x-a=corner content-type=application/json authorization=Bearer corner other`
	if got += shown(t, c, 4); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	r, err = recipe.ResolveHTTP(recipe.HTTPConfig{URL: "http://shop"})
	if err != nil {
		t.Fatal(err)
	}
	if c.HTTP.Expected.String() != "404" {
		t.Errorf("expected is %s", c.HTTP.Expected)
	}
	if c := opened(t, r); c.HTTP.Method != http.MethodGet || len(c.HTTP.AppendBody(nil, 0)) != 0 {
		t.Errorf("got %s with a body of %q", c.HTTP.Method, c.HTTP.AppendBody(nil, 0))
	}
}

func rowsOf(t *testing.T, text string) *recipe.Rows {
	t.Helper()
	rows, err := recipe.ReadRows(file(t, "rows.csv", text))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestBadFilesOfRowsAreOneSentence(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":              "rows.csv is empty; its first line must name the columns",
		"\ufeff":        "rows.csv is empty; its first line must name the columns",
		"a\n":           "rows.csv has no rows; the first line names the columns",
		"a,b\n\xff,1\n": "rows.csv:2:1: not UTF-8",
	} {
		if _, err := recipe.ReadRows(file(t, "rows.csv", text)); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%q: got %v, want … %s", text, err, want)
		}
	}
	if _, err := recipe.ReadRows("-"); err == nil || err.Error() != "--rows-file: rows can't come from stdin; give a file" {
		t.Errorf("stdin: %v", err)
	}
}

// Of large requests as many are tried as have a gigabyte together. The load meets the others.
func TestTheBytesOfTriesAreBounded(t *testing.T) {
	t.Parallel()
	const large = 1 << 20
	resolve := func(bad int) error {
		_, err := recipe.Resolve(t.Context(), nil, recipe.Config{
			Call: "shop.v1.Orders/Place", Protos: []string{"shop/v1/shop.proto"}, ImportPaths: []string{"../schema/testdata"},
			Message: recipe.Message{
				Rows: rowsOf(t, "n\n"+strings.Repeat("1\n", bad-1)+"98765432109\n"),
				Data: `{"id": "` + strings.Repeat("x", large) + `", "count": {{column "n"}}}`,
			},
		})
		return err
	}
	if err := resolve(100); err == nil || !strings.Contains(err.Error(), "rows.csv, row 100: ") {
		t.Errorf("the row 100: %v", err)
	}
	if err := resolve(1<<30/large + 2); err != nil {
		t.Error(err)
	}
}

// All rows are tried before the first call with the requests that they may meet, however calls choose among them.
func TestRowsTravelAndAreTried(t *testing.T) {
	t.Parallel()
	rows := rowsOf(t, "id,token\n7,YQ==\n8,YWI=\n")
	r, err := recipe.ResolveHTTP(recipe.HTTPConfig{URL: `http://shop/{{column "id"}}`, Message: recipe.Message{
		Rows: rows, Sample: true, Seed: 3, Metadata: []string{`x: {{column "token"}}`},
	}})
	if err != nil {
		t.Fatal(err)
	}
	here, there := opened(t, r), opened(t, travelled(t, r))
	seen := map[string]bool{}
	for call := range uint64(50) {
		want := string(here.HTTP.AppendPath(nil, call)) + shown(t, here, call)
		if got := string(there.HTTP.AppendPath(nil, call)) + shown(t, there, call); got != want {
			t.Errorf("call %d: %s there and %s here", call, got, want)
		}
		seen[want] = true
	}
	if len(seen) != 2 {
		t.Errorf("of 2 rows calls had %d", len(seen))
	}
	for want, config := range map[string]recipe.Config{
		`rows.csv, row 2: --data:1:12: field weight: the value is not a number (double)`: {Message: recipe.Message{
			Rows: rowsOf(t, "weight\n1.5\nheavy\n"), Data: `{"weight": "{{column "weight"}}"}`, Sample: true,
		}},
		`rows.csv, row 1: --data:1:12: field weight: the value is not a number (double)`: {Message: recipe.Message{
			Rows: rowsOf(t, "weight\nheavy\n1.5\n"), Data: `{"weight": "{{column "weight"}}"}`,
		}},
		// The third row meets the second request in the sixth call.
		`rows.csv, row 3: --data:2:12: field weight: the value is not a number (double)`: {Message: recipe.Message{
			Rows: rowsOf(t, "weight\n1\n2\nheavy\n"), Format: "jsonl",
			Data: `{"id": "{{column "weight"}}"}` + "\n" + `{"weight": "{{column "weight"}}"}`,
		}},
		// Each request fits the row that it meets in turn, and the first row, but with --sample it also meets the others.
		`rows.csv, row 2: --data:1:23: field weight: the value is not a number (double)`: {Message: recipe.Message{
			Rows: rowsOf(t, "weight\n1\nheavy\n"), Format: "jsonl", Sample: true,
			Data: `{"id": "x", "weight": "{{column "weight"}}"}` + "\n" + `{"id": "{{column "weight"}}"}`,
		}},
		`rows.csv, row 2: the value has 'ä', which is not printable ASCII`: {Message: recipe.Message{
			Rows: rowsOf(t, "key\nYQ==\nä\n"), Metadata: []string{`x: {{column "key"}}`},
		}},
		`rows.csv, row 2: the value is not base64, which x-bin needs`: {Message: recipe.Message{
			Rows: rowsOf(t, "key\nYQ==\n!\n"), Metadata: []string{`x-bin: {{column "key"}}`},
		}},
	} {
		config.Call, config.Protos, config.ImportPaths = "shop.v1.Orders/Place", []string{"shop/v1/shop.proto"},
			[]string{"../schema/testdata"}
		if _, err := recipe.Resolve(t.Context(), nil, config); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want … %s", err, want)
		}
	}
}

func TestAnHTTPCallIsAddressedByTheHeaderTheFlagOrTheURL(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		url, flag, header, want string
	}{
		{"http://shop/", "", "", "shop"},
		{"https://shop/", "", "", "shop"},
		{"https://shop:8443/", "", "", "shop:8443"},
		{"http://shop/", "flag.example:1", "", "flag.example:1"},
		{"http://shop/", "", "Host: header.example", "header.example"},
	} {
		message := recipe.Message{Authority: c.flag}
		if c.header != "" {
			message.Metadata = []string{c.header}
		}
		r, err := recipe.ResolveHTTP(recipe.HTTPConfig{URL: c.url, Message: message})
		if err != nil {
			t.Fatal(err)
		}
		if got := opened(t, travelled(t, r)); r.Authority != c.want || got.Authority != c.want || len(got.Metadata) > 0 {
			t.Errorf("%+v: %q travels, and %q is opened", c, r.Authority, got.Authority)
		}
	}
	for want, message := range map[string]recipe.Message{
		`metadata "host: a" and --authority are mutually exclusive; give only one`: {Metadata: []string{"host: a"}, Authority: "b"},
		`"a/b" is not an authority, such as host or host:port`:                     {Metadata: []string{"host: a/b"}},
	} {
		_, err := recipe.ResolveHTTP(recipe.HTTPConfig{URL: "http://shop/", Message: message})
		wantError(t, err, want)
	}
}

func TestABareMethodIsAnsweredWithItsWholeName(t *testing.T) {
	t.Parallel()
	proto := file(t, "shop.proto", "syntax = \"proto3\"; package shop.v1; message M {} service Shop { rpc GetItem(M) returns (M); }")
	_, err := recipe.Resolve(t.Context(), nil, recipe.Config{Call: "GetItme", Protos: []string{proto}})
	wantError(t, err, `"GetItme" is not a method, such as package.Service/Method; did you mean "shop.v1.Shop/GetItem"?`)
}

func TestFlagsThatContradictEachOtherAreOneSentence(t *testing.T) {
	t.Parallel()
	for want, config := range map[string]recipe.Config{
		`"UnaryCall" is not a method, such as package.Service/Method`: {Call: "UnaryCall"},
		"--proto and --protoset are mutually exclusive; give only one": {
			Call: "a.B/C", Protos: []string{"a"}, Protosets: []string{"b"},
		},
		"--import-path needs --proto": {Call: "a.B/C", ImportPaths: []string{"a"}},
		"stdin can be read only once: use it for the requests or for the metadata": {
			Call: "a.B/C", Message: recipe.Message{Data: "@-", Metadata: []string{"@-"}},
		},
		"a token from a file and one from the environment are mutually exclusive; give only one": {
			Call: "a.B/C", Message: recipe.Message{TokenFile: "a", TokenEnv: "b"},
		},
		`metadata "Authorization: Basic x" and a token are mutually exclusive; give only one`: {
			Call: "a.B/C", Message: recipe.Message{TokenFile: file(t, "token", "x"), Metadata: []string{"Authorization: Basic x"}},
		},
		`"http://a" is not an authority, such as host or host:port`: {Call: "a.B/C", Message: recipe.Message{Authority: "http://a"}},
	} {
		_, err := recipe.Resolve(t.Context(), nil, config)
		wantError(t, err, want)
	}
}

// travelled is a recipe after a worker has read it.
func travelled(t *testing.T, r recipe.Recipe) recipe.Recipe {
	t.Helper()
	encoded, err := proto.Marshal(control.FromRecipe(r))
	if err != nil {
		t.Fatal(err)
	}
	var read control.Recipe
	if err := proto.Unmarshal(encoded, &read); err != nil {
		t.Fatal(err)
	}
	return control.ToRecipe(&read)
}

func opened(t *testing.T, r recipe.Recipe) *recipe.Call {
	t.Helper()
	c, err := recipe.Open(r)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// shown writes all that a call sends.
func shown(t *testing.T, c *recipe.Call, call uint64) string {
	t.Helper()
	var b strings.Builder
	if c.Requests != nil {
		for i := range c.Requests.Messages(call) {
			encoded, err := c.Requests.Append(nil, call, i)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%q", encoded)
		}
	}
	for _, e := range c.Metadata {
		value, err := e.Append(nil, call)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, " %s=%s", e.Name, value)
	}
	return b.String() + " " + c.Authority
}

func file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// guarded is a server that shows its schema to those who have the key and the token.
func guarded(t *testing.T) *grpc.ClientConn {
	t.Helper()
	guard := func(service any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler) error {
		for name, want := range map[string]string{"key": "sesame", "authorization": "Bearer secret"} {
			if got := metadata.ValueFromIncomingContext(stream.Context(), name); len(got) != 1 || got[0] != want {
				if name == "authorization" && metadata.ValueFromIncomingContext(stream.Context(), "key") == nil {
					name = "key"
				}
				return status.Error(codes.PermissionDenied, "no "+map[string]string{"key": "key", "authorization": "token"}[name])
			}
		}
		return next(service, stream)
	}
	return serve(t, func(server *grpc.Server) {
		grpc_testing.RegisterBenchmarkServiceServer(server, grpc_testing.UnimplementedBenchmarkServiceServer{})
		reflection.Register(server)
	}, grpc.StreamInterceptor(guard))
}

// serve starts a server on loopback and connects to it.
func serve(t *testing.T, register func(server *grpc.Server), options ...grpc.ServerOption) *grpc.ClientConn {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(options...)
	register(server)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	conn, err := grpc.NewClient("passthrough:///"+listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
