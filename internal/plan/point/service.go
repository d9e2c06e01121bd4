package point

import (
	"encoding/json"
	"slices"
	"strings"

	"rpcbench/internal/call/target"
	"rpcbench/internal/plan/number"
	"rpcbench/internal/stack"
)

// A Service is a foreign server, and what to call there. The zero Service is none: calls are of rpcbench's own services.
type Service struct {
	Target  target.Target // of a server that runs already
	Started bool          // the servers are programs, started for each trial, and there is no Target
	Call    string        // package.Service/Method; empty calls the URL, or the services of rpcbench's own server
	Method  string        // of HTTP; empty is POST with data and else GET
	// ExpectStatus has the statuses of HTTP that are a success, as stack.ParseStatuses reads them; empty is 200 to 299.
	ExpectStatus string
	HTTP2        bool
	Mix          []Mixed  // calls of which each is one, instead of Call, or Method and the URL's path
	Data         string   // requests: JSON, or @FILE; empty is one empty message, or no body
	DataFormat   string   // empty is by the file's ending
	RowsFile     string   // values of columns, a row for each call
	SampleData   bool     // requests and rows are taken by chance, not in turn
	Metadata     []string // "name: value", a JSON object, or @FILE of either
	TokenFile    string
	TokenEnv     string // an environment variable
	Authority    string // empty is the target's
	Protos       []string
	ImportPaths  []string
	Protosets    []string
	Reflection   []string // metadata for reflection alone
	Security     string   // the mode: what the case says, or what follows from target and keys
	TLS          TLS
	Credentials  string // a folder of keys that serve made
	As           string // the client's name among them
	Verify       bool   // check the bytes of replies, not only their lengths
}

// TLS says whom a client trusts, and who it is, by files.
type TLS struct {
	CA, Cert, Key string
	ServerName    string
	SkipVerify    bool
}

// IsZero returns whether the case calls rpcbench's own services, of servers that are started for it.
func (s Service) IsZero() bool { return !s.Runs() && !s.Started }

// Runs returns whether the server runs already.
func (s Service) Runs() bool { return s.Target.Network != "" }

// IsForeign reports whether calls are of a foreign method or URL.
func (s Service) IsForeign() bool { return s.Call != "" || s.Target.IsHTTP() || len(s.Mix) > 0 }

// Where is the target as results may have it: of a URL with its path, and without the values in its query.
func (s Service) Where() string {
	if !s.Target.IsHTTP() {
		return s.Target.String()
	}
	where := s.Target.String() + s.Target.Path
	if s.Target.Socket != "" {
		where += " over unix:" + s.Target.Socket
	}
	return where
}

// Verb is the method that calls have: package.Service/Method, or that of HTTP.
func (s Service) Verb() string {
	switch {
	case s.Call != "":
		return strings.TrimPrefix(s.Call, "/")
	case s.Method != "":
		return s.Method
	case s.Data != "":
		return "POST"
	default:
		return "GET"
	}
}

// Title names the calls as reports do.
func (s Service) Title() string {
	switch {
	case len(s.Mix) > 0:
		return "mix of " + number.Count(len(s.Mix), "call")
	case s.Target.IsHTTP():
		return s.Verb() + " " + s.Target.Path
	default:
		return s.Verb()
	}
}

// Identity is equal for Services that are called alike. It may hold secrets.
func (s Service) Identity() string {
	text, err := json.Marshal(s) //nolint:musttag // it is compared, and never read
	if err != nil {
		panic(err) // of a number that is not finite; no parsed rate is one
	}
	return string(text)
}

// GRPCTestCA stands for the CA certificate of gRPC's own tests, which is public. A file of that name is ./grpc-test.
const GRPCTestCA = "grpc-test"

// Files returns the files that the service names, as written.
func (s Service) Files() []string {
	files := s.RequestFiles()
	for _, path := range []string{s.TokenFile, s.TLS.CA, s.TLS.Cert, s.TLS.Key, s.Credentials} {
		if path != "" && path != GRPCTestCA {
			files = append(files, path)
		}
	}
	return slices.Concat(files, s.Protos, s.ImportPaths, s.Protosets)
}

// RequestFiles returns the files with requests and metadata.
func (s Service) RequestFiles() []string {
	var files []string
	if s.RowsFile != "" {
		files = append(files, s.RowsFile)
	}
	texts := slices.Concat([]string{s.Data}, s.Metadata, s.Reflection)
	for _, m := range s.Mix {
		texts = slices.Concat(texts, []string{m.Service.Data}, m.Service.Metadata)
	}
	for _, text := range texts {
		if path, isFile := strings.CutPrefix(text, "@"); isFile {
			files = append(files, path)
		}
	}
	return files
}

// Mode is the security that target and keys are for.
func (s Service) Mode() string {
	switch {
	case s.Credentials != "", s.TLS.Cert != "":
		return stack.SecurityMTLS
	case s.TLS != TLS{}, s.Target.IsTLS():
		return stack.SecurityTLS
	default:
		return stack.SecurityPlaintext
	}
}
