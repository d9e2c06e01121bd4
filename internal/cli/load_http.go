package cli

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"rpcbench/internal/call/recipe"
	"rpcbench/internal/stack"
)

// httpFlags say how a URL is called.
type httpFlags struct {
	verb       string
	http2      bool
	unixSocket string
	basicAuth  string
	short      []string // -m: ghz's metadata, hey's method
}

// shortFlag is the long name of -m, which says one thing to a method and another to a URL.
const shortFlag = "m"

// ofURLs are the flags that mean something with a URL only, aliases first: those are what was written.
var ofURLs = []string{
	"content-type", "accept", "host", "h2", "qps", "disable-keepalive", "disable-compression", "disable-redirects",
	"method", "http2", "unix-socket", "basic-auth",
}

func (f *httpFlags) flags(flags *pflag.FlagSet) {
	flags.StringVarP(&f.verb, "method", "X", "", "with a URL: the method of HTTP (POST with --data, else GET)")
	flags.BoolVar(&f.http2, "http2", false, "with a URL: HTTP/2, in plaintext too, instead of HTTP/1.1")
	flags.StringVar(&f.unixSocket, "unix-socket", "", "with a URL: the Unix socket that leads there")
	flags.StringVarP(&f.basicAuth, "basic-auth", "a", "", "with a URL: USER:PASSWORD")
	flags.StringArrayVarP(&f.short, shortFlag, shortFlag, nil, "with --call as --metadata, with a URL as --method")
	_ = flags.MarkHidden(shortFlag) // it is there
}

// written is how a flag is written: what has one letter, with one dash.
func written(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// speech is what the target is to speak.
func (f *httpFlags) speech(at target) recipe.Speech {
	switch {
	case !at.isHTTP():
		return recipe.GRPC
	case f.http2:
		return recipe.HTTP2
	default:
		return recipe.HTTP1
	}
}

// settle gives flags whose meaning depends on TARGET theirs, and TARGET what flags say of it.
func (f *loadFlags) settle(flags *pflag.FlagSet, at target) (target, error) {
	if !at.isHTTP() {
		f.call.metadata = append(f.call.short, f.call.metadata...)
		return at, nil
	}
	if f.call.unixSocket != "" {
		at.network, at.address = stack.NetworkUnix, f.call.unixSocket
	}
	return at, errors.Join(f.setVerb(flags), f.setSecurity(at), f.setBasicAuth(), f.setHTTPOptions(flags))
}

func (f *loadFlags) setVerb(flags *pflag.FlagSet) error {
	switch verbs := f.call.short; {
	case len(verbs) > 1 || len(verbs) == 1 && flags.Changed("method"):
		return errors.New("-m stands for --method where TARGET is a URL, and there are two")
	case len(verbs) == 1:
		f.call.verb = verbs[0]
	case flags.Changed("method") && f.call.verb == "":
		return errors.New("--method: it is empty; it is a method of HTTP, such as PUT")
	}
	f.call.verb = strings.ToUpper(f.call.verb) // as all of them are written
	return nil
}

// setSecurity has https be TLS, and refuses what contradicts the URL.
func (f *loadFlags) setSecurity(at target) error {
	mode := f.mode()
	switch isTLS := at.url.Scheme == "https"; {
	case isTLS && f.security == stack.SecurityPlaintext:
		return fmt.Errorf("--security plaintext: %s is TLS; write http://", at)
	case isTLS && mode == stack.SecurityPlaintext:
		f.security = stack.SecurityTLS
	case !isTLS && mode != stack.SecurityPlaintext:
		return fmt.Errorf("%s is plaintext, and flags say %s; write https://", at, mode)
	}
	return nil
}

// setBasicAuth makes the header of RFC 7617.
func (f *loadFlags) setBasicAuth() error {
	if f.call.basicAuth == "" {
		return nil
	}
	if !strings.Contains(f.call.basicAuth, ":") {
		return errors.New("--basic-auth: it is written USER:PASSWORD")
	}
	f.call.metadata = append(f.call.metadata,
		"authorization: Basic "+base64.StdEncoding.EncodeToString([]byte(f.call.basicAuth)))
	return nil
}

// setHTTPOptions says the version of HTTP by the stack's option, so that every report has it.
func (f *loadFlags) setHTTPOptions(flags *pflag.FlagSet) error {
	begins := func(name string) func(string) bool {
		return func(option string) bool { return strings.HasPrefix(option, name+"=") }
	}
	if !slices.ContainsFunc(f.options, begins(stack.OptionHTTPVersion)) {
		version := "1.1"
		if f.call.http2 {
			version = "2"
		}
		if err := flags.Set("option", stack.OptionHTTPVersion+"="+version); err != nil {
			return err
		}
	} else if f.call.http2 {
		return errors.New("--http2 stands for --option " + stack.OptionHTTPVersion + "=2, and both are given")
	}
	f.call.http2 = slices.Contains(f.options, stack.OptionHTTPVersion+"=2")
	if f.call.http2 && slices.Contains(f.options, stack.OptionKeepAlive+"=false") {
		return errors.New("a connection for each call is HTTP/1.1's: --option " + stack.OptionKeepAlive + "=false excludes --http2")
	}
	return nil
}

// checkAccept refuses two words on what responses may be compressed with.
func (f *loadFlags) checkAccept(flags *pflag.FlagSet, a aim) error {
	compression, _ := given(flags, "compression")
	if compression == stack.CompressionGzip && slices.Contains(a.method.Metadata, "accept-encoding") {
		return errors.New("--compression gzip sets the header accept-encoding, and it is given too")
	}
	return nil
}
