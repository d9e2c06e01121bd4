package worker

import (
	"crypto/tls"
	"crypto/x509"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// serverTLS makes a server's configuration; nil is plaintext.
func serverTLS(s *control.Security) (*tls.Config, error) {
	switch s.GetMode() {
	case stack.SecurityPlaintext, stack.SecurityTLS, stack.SecurityMTLS:
	default:
		return nil, unknownSecurity("serve", s)
	}
	if field := trustField(s); field != "" {
		return nil, control.Faultf("serve.security."+field, "only clients use it")
	}
	if s.GetMode() == stack.SecurityPlaintext {
		return nil, nil
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

// ClientTLS makes a client's configuration; nil is plaintext. An error is a *control.FaultError.
func ClientTLS(s *control.Security) (*tls.Config, error) {
	switch s.GetMode() {
	case stack.SecurityPlaintext, stack.SecurityTLS, stack.SecurityMTLS:
	default:
		return nil, unknownSecurity("connect", s)
	}
	field := trustField(s)
	if field != "" && (s.GetMode() == stack.SecurityPlaintext || len(s.GetCaPem()) > 0 || s.GetSystemRoots() && s.GetSkipVerify()) {
		return nil, control.Faultf("connect.security."+field, "it needs tls or mtls, and excludes ca_pem")
	}
	if s.GetMode() == stack.SecurityPlaintext {
		return nil, nil
	}
	config := &tls.Config{ServerName: s.GetServerName(), MinVersion: tls.VersionTLS12}
	var err error
	switch {
	case s.GetSkipVerify():
		config.InsecureSkipVerify = true // it was asked for, and stands in the results
	case !s.GetSystemRoots():
		if config.RootCAs, err = pool("connect", s); err != nil {
			return nil, err
		}
	}
	if s.GetMode() == stack.SecurityMTLS {
		certificate, err := tls.X509KeyPair(s.GetCertPem(), s.GetKeyPem())
		if err != nil {
			return nil, control.Faultf("connect.security.cert_pem", "the certificate can't be used: %v", err)
		}
		config.Certificates = []tls.Certificate{certificate}
	}
	return config, nil
}

// trustField names what the client trusts in place of authorities of its own; "" is nothing.
func trustField(s *control.Security) string {
	switch {
	case s.GetSkipVerify():
		return "skip_verify"
	case s.GetSystemRoots():
		return "system_roots"
	default:
		return ""
	}
}

func pool(command string, s *control.Security) (*x509.CertPool, error) {
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(s.GetCaPem()) {
		return nil, control.Faultf(command+".security.ca_pem", "it contains no certificate")
	}
	return roots, nil
}

func unknownSecurity(command string, s *control.Security) error {
	return control.Faultf(command+".security.mode", "%q is not plaintext, tls or mtls", s.GetMode())
}
