package stacktest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"sync"
	"testing"
	"time"

	"rpcbench/internal/stack"
)

const serverName = "rpcbench.test"

// tlsConfigs returns what a worker hands to a server and to a client: nil for plaintext.
func tlsConfigs(t *testing.T, security string) (server, client *tls.Config) {
	t.Helper()
	if security == stack.SecurityPlaintext {
		return nil, nil
	}
	k, err := keysOnce()
	if err != nil {
		t.Fatal(err)
	}
	server = &tls.Config{Certificates: []tls.Certificate{k.server}}
	client = &tls.Config{RootCAs: k.roots, ServerName: serverName}
	if security == stack.SecurityMTLS {
		server.ClientAuth, server.ClientCAs = tls.RequireAndVerifyClientCert, k.roots
		client.Certificates = []tls.Certificate{k.client}
	}
	return server, client
}

type keys struct {
	roots          *x509.CertPool
	server, client tls.Certificate
}

var keysOnce = sync.OnceValues(makeKeys)

func makeKeys() (keys, error) {
	root, err := certificate(1, x509.Certificate{
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}, nil)
	if err != nil {
		return keys{}, err
	}
	server, err := certificate(2, x509.Certificate{
		DNSNames: []string{serverName}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, &root)
	if err != nil {
		return keys{}, err
	}
	client, err := certificate(3, x509.Certificate{
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}, &root)
	pool := x509.NewCertPool()
	pool.AddCert(root.Leaf)
	return keys{pool, server, client}, err
}

// certificate makes a key and its certificate, signed by parent or by itself.
func certificate(serial int64, template x509.Certificate, parent *tls.Certificate) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template.SerialNumber = big.NewInt(serial)
	template.Subject = pkix.Name{CommonName: serverName}
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
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
