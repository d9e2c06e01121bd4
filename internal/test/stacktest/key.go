package stacktest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"net/url"
	"sync"
	"testing"
	"time"

	"rpcbench/internal/stack"
)

const serverName = "rpcbench.test"

// tlsConfigs returns the TLS configurations that a worker passes to a server and to a client, nil for plaintext.
func tlsConfigs(t testing.TB, security string) (server, client *tls.Config) {
	t.Helper()
	if security == stack.SecurityPlaintext {
		return nil, nil
	}
	k := allKeys(t)
	server = &tls.Config{Certificates: []tls.Certificate{k.server}}
	client = &tls.Config{RootCAs: k.own.roots, ServerName: serverName}
	if security == stack.SecurityMTLS {
		server.ClientAuth, server.ClientCAs = tls.RequireAndVerifyClientCert, k.own.roots
		client.Certificates = []tls.Certificate{k.client}
	}
	return server, client
}

type keys struct {
	own, strange                 authority
	server, expiredServer        tls.Certificate
	client, expiredClient        tls.Certificate
	strangeServer, strangeClient tls.Certificate
}

func allKeys(t testing.TB) keys {
	t.Helper()
	made, err := keysOnce()
	if err != nil {
		t.Fatal(err)
	}
	return made
}

var keysOnce = sync.OnceValues(makeKeys)

func makeKeys() (keys, error) {
	var k keys
	var err error
	if k.own, err = newAuthority(); err != nil {
		return k, err
	}
	if k.strange, err = newAuthority(); err != nil {
		return k, err
	}
	const server, client = x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth
	for _, c := range []struct {
		made  *tls.Certificate
		by    authority
		usage x509.ExtKeyUsage
		valid time.Duration
	}{
		{&k.server, k.own, server, time.Hour},
		{&k.client, k.own, client, time.Hour},
		{&k.expiredServer, k.own, server, -time.Minute},
		{&k.expiredClient, k.own, client, -time.Minute},
		{&k.strangeServer, k.strange, server, time.Hour},
		{&k.strangeClient, k.strange, client, time.Hour},
	} {
		if *c.made, err = c.by.issue("root:alice", c.usage, c.valid); err != nil {
			return k, err
		}
	}
	return k, nil
}

// An authority signs certificates. All authorities have one name, so that a client who looks for a certificate that its
// server would take finds a stranger's.
type authority struct {
	certificate tls.Certificate
	roots       *x509.CertPool
}

func newAuthority() (authority, error) {
	root, err := certificate(x509.Certificate{
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}, time.Hour, nil)
	if err != nil {
		return authority{}, err
	}
	pool := x509.NewCertPool()
	pool.AddCert(root.Leaf)
	return authority{root, pool}, nil
}

// issue creates a certificate for a name; "" is none.
func (a authority) issue(name string, usage x509.ExtKeyUsage, valid time.Duration) (tls.Certificate, error) {
	template := x509.Certificate{DNSNames: []string{serverName}, ExtKeyUsage: []x509.ExtKeyUsage{usage}}
	if name != "" {
		template.URIs = []*url.URL{{Scheme: "rpcbench", Opaque: name}}
	}
	return certificate(template, valid, &a.certificate)
}

// certificate makes a key and its certificate, signed by parent or by itself.
func certificate(template x509.Certificate, valid time.Duration, parent *tls.Certificate) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template.Subject = pkix.Name{CommonName: serverName}
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(valid)
	signer, by := &template, any(key)
	if parent != nil {
		signer, by = parent.Leaf, parent.PrivateKey
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, signer, &key.PublicKey, by)
	if err != nil {
		return tls.Certificate{}, err
	}
	leaf, err := x509.ParseCertificate(der)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, err
}
