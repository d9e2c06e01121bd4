package worker

import (
	"crypto/tls"
	"crypto/x509"

	"rpcbench/internal/control"
	"rpcbench/internal/stack"
)

// serverTLS makes a server's configuration; nil is plaintext.
func serverTLS(s *control.Security) (*tls.Config, error) {
	switch s.GetMode() {
	case stack.SecurityPlaintext:
		return nil, nil
	case stack.SecurityTLS, stack.SecurityMTLS:
	default:
		return nil, unknownSecurity("serve", s)
	}
	certificate, err := tls.X509KeyPair(s.GetCertPem(), s.GetKeyPem())
	if err != nil {
		return nil, control.Faultf("serve.security.cert_pem", "the certificate can't be used: %v", err)
	}
	config := &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	if s.GetMode() == stack.SecurityMTLS {
		config.ClientAuth = tls.RequireAndVerifyClientCert
		if config.ClientCAs, err = pool("serve", s); err != nil {
			return nil, err
		}
	}
	return config, nil
}

// clientTLS makes a client's configuration; nil is plaintext.
func clientTLS(s *control.Security) (*tls.Config, error) {
	switch s.GetMode() {
	case stack.SecurityPlaintext:
		return nil, nil
	case stack.SecurityTLS, stack.SecurityMTLS:
	default:
		return nil, unknownSecurity("connect", s)
	}
	roots, err := pool("connect", s)
	if err != nil {
		return nil, err
	}
	config := &tls.Config{RootCAs: roots, ServerName: s.GetServerName(), MinVersion: tls.VersionTLS12}
	if s.GetMode() == stack.SecurityMTLS {
		certificate, err := tls.X509KeyPair(s.GetCertPem(), s.GetKeyPem())
		if err != nil {
			return nil, control.Faultf("connect.security.cert_pem", "the certificate can't be used: %v", err)
		}
		config.Certificates = []tls.Certificate{certificate}
	}
	return config, nil
}

func pool(command string, s *control.Security) (*x509.CertPool, error) {
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(s.GetCaPem()) {
		return nil, control.Faultf(command+".security.ca_pem", "there is no certificate in it")
	}
	return roots, nil
}

func unknownSecurity(command string, s *control.Security) error {
	return control.Faultf(command+".security.mode", "%q is none of plaintext, tls, mtls", s.GetMode())
}
