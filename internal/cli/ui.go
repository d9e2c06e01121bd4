package cli

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rpcbench/internal/call/request"
	"rpcbench/internal/call/target"
	"rpcbench/internal/cli/ui"
	"rpcbench/internal/results/archive"
	"rpcbench/internal/run/leash"
	"rpcbench/internal/worker/credential"
)

// webFlags say where pages are served, and to whom.
type webFlags struct {
	listen string
	pair   certFlags
	token  tokenFlags
}

func (f *webFlags) flags(flags *pflag.FlagSet) {
	flags.StringVar(&f.listen, "listen", "127.0.0.1:0", "`address` to listen on; beyond loopback it needs --cert, --key and a token")
	f.pair.flags(flags, "`file` with a certificate, in PEM, for TLS")
	f.token.flags(flags)
	flags.Lookup("token-file").Usage = "`file` with tokens, one on each line, each after its bearer's name if it has one"
	flags.Lookup("token-env").Usage = "environment `variable` with a token"
}

// uiCommand serves a folder of results as pages.
func (e *env) uiCommand() *cobra.Command {
	var flags webFlags
	command := &cobra.Command{
		Use:   "ui [DIR]",
		Short: "Browse results in a browser, compare them, start and follow runs",
		Example: "  rpcbench ui\n  rpcbench ui results\n" +
			"  rpcbench ui dir --listen :8443 --cert c.pem --key k.pem --token-file tokens",
		RunE: func(command *cobra.Command, args []string) error {
			if len(args) > 1 {
				return badInput(fmt.Errorf("ui takes one directory: unexpected %q", args[1]))
			}
			folder := "."
			if len(args) == 1 {
				folder = args[0]
			}
			words, err := leash.Through()
			if err != nil {
				return failed(err)
			}
			self, err := os.Executable()
			if err != nil {
				return failed(err)
			}
			dir, err := archive.Open(folder)
			if err != nil {
				return badInput(err)
			}
			defer dir.Close()
			runs := &ui.Runs{Command: append(words, self), Folder: folder}
			defer runs.Close()
			return e.serveUI(command.Context(), flags, ui.Options{Dir: dir, Runs: runs}, true)
		},
	}
	flags.flags(command.Flags())
	return command
}

// archiveServe serves an archive to programs and browsers.
func (e *env) archiveServe() *cobra.Command {
	var flags webFlags
	most := int64(256 << 20)
	command := &cobra.Command{
		Use:   "serve DIR",
		Short: "Serve an archive over HTTP, for archive add and for browsers",
		Example: "  rpcbench archive serve history --token-file tokens\n" +
			"  rpcbench archive serve history --listen :8443 --cert c.pem --key k.pem \\\n" +
			"    --token-file tokens",
		RunE: func(command *cobra.Command, args []string) error {
			switch {
			case len(args) != 1:
				return badInput(errors.New("archive serve needs one directory"))
			case flags.token.file == "" && flags.token.variable == "":
				return badInput(errors.New("archive serve needs tokens: --token-file FILE or --token-env VARIABLE"))
			case most < 1:
				return badInput(fmt.Errorf("--max-upload-bytes %d: at least 1", most))
			}
			dir, err := archive.Create(args[0])
			if err != nil {
				return badInput(err)
			}
			defer dir.Close()
			return e.serveUI(command.Context(), flags, ui.Options{Dir: dir, Uploads: true, UploadMost: most}, false)
		},
	}
	flags.flags(command.Flags())
	command.Flags().Int64Var(&most, "max-upload-bytes", most, "largest results file that is taken, in `bytes`")
	return command
}

// serveUI serves until it is interrupted.
func (e *env) serveUI(ctx context.Context, flags webFlags, o ui.Options, isShown bool) error {
	secret, err := flags.tokens(&o)
	if err != nil {
		return badInput(err)
	}
	config, err := flags.security(&o)
	if err != nil {
		return badInput(err)
	}
	listener, err := net.Listen("tcp", flags.listen)
	if err != nil {
		return badInput(fmt.Errorf("--listen: %w", err))
	}
	defer listener.Close()
	scheme, address := "http", listener.Addr().String()
	if config != nil {
		address = admitted(address, o.IsHost, config.Certificates[0].Leaf)
		scheme, listener = "https", tls.NewListener(listener, config)
	}
	at := scheme + "://" + address + "/"
	if isShown && secret != "" {
		at += "?token=" + secret
	}
	if _, err := fmt.Fprintf(e.out, "%s\n", at); err != nil {
		return failed(err)
	}
	ctx, restore := interruptible(ctx, nothing, nothing)
	defer restore()
	served := make(chan error, 1)
	go func() { served <- ui.Serve(listener, ui.Handler(o), e.err) }()
	select {
	case err := <-served:
		return orFailed(err)
	case <-ctx.Done():
		return nil
	}
}

// tokens sets the tokens. The one that is returned was made here, and is shown once.
func (f *webFlags) tokens(o *ui.Options) (made string, err error) {
	text := ""
	switch {
	case f.token.file != "" && f.token.variable != "":
		return "", errors.New("--token-file and --token-env exclude each other")
	case f.token.file != "":
		var file []byte
		file, err = credential.ReadFile(f.token.file)
		text = string(file)
	case f.token.variable != "":
		var token *request.Token
		if token, err = request.EnvToken(f.token.variable, os.LookupEnv); err == nil {
			text = token.Value()
		}
	default:
		made = rand.Text()
		text = made
	}
	if err != nil {
		return "", err
	}
	o.Tokens, err = ui.Tokens(text)
	return made, err
}

// security sets which names the server has, and returns how TLS is spoken; nil is not at all.
func (f *webFlags) security(o *ui.Options) (*tls.Config, error) {
	host, _, err := net.SplitHostPort(f.listen)
	if err != nil {
		return nil, fmt.Errorf("--listen: %q is not an address such as 127.0.0.1:8080", f.listen)
	}
	if err := f.pair.check(); err != nil {
		return nil, err
	}
	isLocal := target.IsLoopback(host)
	switch {
	case f.pair.cert == "" && !isLocal:
		return nil, fmt.Errorf("--listen %s: other than on loopback, --cert and --key are needed, and --token-file or --token-env",
			f.listen)
	case !isLocal && f.token.file == "" && f.token.variable == "":
		return nil, fmt.Errorf("--listen %s: other than on loopback, --token-file or --token-env is needed", f.listen)
	case f.pair.cert == "":
		o.IsHost = target.IsLoopback
		return nil, nil //nolint:nilnil // plaintext
	}
	_, pair, err := f.pair.read()
	if err != nil {
		return nil, err
	}
	o.TLS = true
	o.IsHost = func(name string) bool {
		return pair.Leaf.VerifyHostname(strings.Trim(name, "[]")) == nil || isLocal && target.IsLoopback(name)
	}
	return pageTLS(pair), nil
}

// admitted returns an address under which a server is reached: the one at which it listens, or the first name of its certificate
// where requests that name the former are refused.
func admitted(listens string, isHost func(string) bool, leaf *x509.Certificate) string {
	host, port, err := net.SplitHostPort(listens)
	if err != nil || isHost(host) {
		return listens
	}
	for _, name := range leaf.DNSNames {
		if !strings.HasPrefix(name, "*") {
			return net.JoinHostPort(name, port)
		}
	}
	if len(leaf.IPAddresses) > 0 {
		return net.JoinHostPort(leaf.IPAddresses[0].String(), port)
	}
	return listens
}
