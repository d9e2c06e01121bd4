package cli

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"

	"github.com/spf13/pflag"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/credential"
)

// trustFlags say whom load trusts, and who it is, by files as other tools have them.
type trustFlags struct {
	cacert     string
	cert, key  string
	serverName string
	skipVerify bool
}

func (f *trustFlags) flags(flags *pflag.FlagSet) {
	flags.StringVar(&f.cacert, "cacert", "", "with TLS: a file of the authorities to trust (those that the system trusts)")
	flags.StringVar(&f.cert, "cert", "", "with TLS: a file with the client's certificate")
	flags.StringVar(&f.key, "key", "", "with TLS: a file with the key of --cert")
	flags.StringVar(&f.serverName, "server-name", "", "with TLS: the name that the server's certificate must have (TARGET's host)")
	flags.BoolVar(&f.skipVerify, "insecure-skip-verify", false, "with TLS: take any certificate of the server's; results say so")
}

// given tells whether files or a name say something of TLS.
func (f *trustFlags) given() bool {
	return f.cacert != "" || f.cert != "" || f.key != "" || f.serverName != "" || f.skipVerify
}

// mode is what the files mean where nothing else says it.
func (f *trustFlags) mode() string {
	switch {
	case f.cert != "" || f.key != "":
		return stack.SecurityMTLS
	case f.given():
		return stack.SecurityTLS
	default:
		return stack.SecurityPlaintext
	}
}

// check refuses what can't go together.
func (f *trustFlags) check(mode, credentials string) error {
	switch {
	case f.given() && credentials != "":
		return errors.New("--credentials has all keys: --cacert, --cert, --key, --server-name and --insecure-skip-verify exclude it")
	case f.given() && mode == stack.SecurityPlaintext:
		return errors.New("--security plaintext has no certificates: --cacert, --cert, --key, --server-name and " +
			"--insecure-skip-verify exclude it")
	case (f.cert == "") != (f.key == ""):
		return errors.New("--cert and --key mean something together only")
	case f.cert != "" && mode == stack.SecurityTLS:
		return errors.New("--security tls has no certificate of the client's; with --cert it is mtls")
	case mode == stack.SecurityMTLS && credentials == "" && f.cert == "":
		return errors.New("--security mtls needs --credentials, a folder of keys, or --cert and --key")
	case f.skipVerify && f.cacert != "":
		return errors.New("--insecure-skip-verify takes any certificate, and --cacert says whose: give one of them")
	}
	return nil
}

// clientSecurity is what the client and the server's certificate must show each other.
func (f *loadFlags) clientSecurity(at target) (*control.Security, error) {
	keys, err := f.client()
	mode := f.mode()
	if err != nil || mode == stack.SecurityPlaintext {
		return &control.Security{Mode: mode}, err
	}
	if keys != nil {
		s := &control.Security{Mode: mode, CaPem: keys.CAPEM, ServerName: credential.ServerName}
		if mode == stack.SecurityMTLS {
			s.CertPem, s.KeyPem = keys.Client.CertPEM, keys.Client.KeyPEM
		}
		return s, nil
	}
	return f.trust.security(mode, at)
}

// security reads the files.
func (f *trustFlags) security(mode string, at target) (*control.Security, error) {
	s := &control.Security{Mode: mode, ServerName: cmp.Or(f.serverName, at.name()), SkipVerify: f.skipVerify}
	if s.GetServerName() == "" && !f.skipVerify {
		return nil, errors.New("TLS over a Unix socket needs --server-name, the name in the server's certificate")
	}
	var err error
	switch {
	case f.cacert != "":
		if s.CaPem, err = readAuthorities(f.cacert); err != nil {
			return nil, fmt.Errorf("--cacert: %w", err)
		}
	case !f.skipVerify:
		s.SystemRoots = true
	}
	if f.cert == "" {
		return s, nil
	}
	if s.CertPem, err = os.ReadFile(f.cert); err != nil {
		return nil, fmt.Errorf("--cert: %w", err)
	}
	if s.KeyPem, err = os.ReadFile(f.key); err != nil {
		return nil, fmt.Errorf("--key: %w", err)
	}
	if _, err := tls.X509KeyPair(s.GetCertPem(), s.GetKeyPem()); err != nil {
		return nil, fmt.Errorf("--cert %s and --key %s can't be used: %w", f.cert, f.key, err)
	}
	return s, nil
}

func readAuthorities(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if !x509.NewCertPool().AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("%s has no certificate in it", path)
	}
	return data, nil
}

// host is a TCP target's; empty of a Unix socket.
func (t target) host() string {
	if t.network != stack.NetworkTCP {
		return ""
	}
	host, _, _ := net.SplitHostPort(t.address) // parseTarget has seen to it
	return host
}

// name is what the target's certificate must have: the host, of a URL whatever leads there; empty of a Unix socket.
func (t target) name() string {
	if t.isHTTP() {
		return t.url.Hostname()
	}
	return t.host()
}

// authority is what HTTP/2 calls the target.
func (t target) authority() string {
	if t.network != stack.NetworkTCP {
		return "localhost" // a path is none
	}
	return t.address
}
