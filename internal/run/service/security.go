package service

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"fmt"

	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/credential"
)

// securityOf returns the security of the connection between the client and the server.
func securityOf(c scenario.Case) (*control.Security, error) {
	s := c.Service()
	mode := s.Security
	switch {
	case mode == stack.SecurityPlaintext:
		return &control.Security{Mode: mode}, nil
	case s.Credentials != "":
		return ofCredentials(mode, s)
	default:
		return ofFiles(c, mode)
	}
}

// ofCredentials opens a folder of keys.
func ofCredentials(mode string, s point.Service) (*control.Security, error) {
	keys, err := credential.OpenClient(s.Credentials, s.As)
	if err != nil {
		return nil, fmt.Errorf("credentials: %w", err)
	}
	security := &control.Security{Mode: mode, CaPem: keys.CAPEM, ServerName: credential.ServerName}
	if mode == stack.SecurityMTLS {
		security.CertPem, security.KeyPem = keys.Client.CertPEM, keys.Client.KeyPEM
	}
	return security, nil
}

// ofFiles reads the files of a case's key tls.
func ofFiles(c scenario.Case, mode string) (*control.Security, error) {
	t, at := c.Service().TLS, c.Service().Target
	s := &control.Security{Mode: mode, ServerName: cmp.Or(t.ServerName, at.Name()), SkipVerify: t.SkipVerify}
	refuse := func(format string, args ...any) error { return scenario.Errorf(c.Where("tls", 0), format, args...) }
	var err error
	switch {
	case t.CA == point.GRPCTestCA:
		keys := credential.GRPCTest()
		s.CaPem, s.ServerName = keys.CAPEM, cmp.Or(t.ServerName, keys.ServerName)
	case t.CA != "":
		if s.CaPem, err = readAuthorities(t.CA); err != nil {
			return nil, refuse("ca: %v", err)
		}
	case !t.SkipVerify:
		s.SystemRoots = true
	}
	if t.Cert == "" {
		return s, nil
	}
	if s.CertPem, err = credential.ReadFile(t.Cert); err != nil {
		return nil, refuse("cert: %v", err)
	}
	if s.KeyPem, err = credential.ReadKey(t.Key); err != nil {
		return nil, refuse("key: %v", err)
	}
	if _, err := tls.X509KeyPair(s.GetCertPem(), s.GetKeyPem()); err != nil {
		return nil, refuse("cert %s and key %s can't be used: %v", t.Cert, t.Key, err)
	}
	return s, nil
}

func readAuthorities(path string) ([]byte, error) {
	data, err := credential.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if !x509.NewCertPool().AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("%s has no certificate in it", path)
	}
	return data, nil
}
