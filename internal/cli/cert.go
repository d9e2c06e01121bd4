package cli

import (
	"crypto/tls"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/worker/credential"
)

// certFlags name the files of a server's certificate and its key, without which it speaks plaintext.
type certFlags struct{ cert, key string }

func (f *certFlags) flags(flags *pflag.FlagSet, usage string) {
	flags.StringVar(&f.cert, "cert", "", usage)
	flags.StringVar(&f.key, "key", "", "`file` with its private key, in PEM")
}

func (f *certFlags) check() error {
	if (f.cert == "") != (f.key == "") {
		return errors.New("--cert and --key belong together; give both")
	}
	return nil
}

// read returns the certificate with its key, as text and parsed.
func (f *certFlags) read() (text credential.Pair, pair tls.Certificate, err error) {
	if text.CertPEM, err = credential.ReadFile(f.cert); err != nil {
		return text, pair, fmt.Errorf("--cert %s: %w", f.cert, plain.Cause(err))
	}
	if text.KeyPEM, err = credential.ReadFile(f.key); err != nil {
		return text, pair, fmt.Errorf("--key %s: %w", f.key, plain.Cause(err))
	}
	if pair, err = tls.X509KeyPair(text.CertPEM, text.KeyPEM); err != nil {
		return text, pair, fmt.Errorf("--cert %s, --key %s: %w", f.cert, f.key, err)
	}
	return text, pair, nil
}

// pageTLS returns how a server of pages speaks TLS.
func pageTLS(pair tls.Certificate) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}
}
