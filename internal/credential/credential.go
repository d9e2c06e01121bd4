// Package credential makes the keys and certificates of a run. They are fresh for each, live in memory and travel to the
// workers as PEM: nothing has to be configured, and nothing is left behind.
package credential

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"time"
)

// ServerName is the name in the server's certificate, which clients expect.
const ServerName = "server.rpcbench.test"

// A Pair is a certificate and its key, as PEM.
type Pair struct{ CertPEM, KeyPEM []byte }

// A Set is what a run over TLS needs: ECDSA P-256, valid for a day.
type Set struct {
	CAPEM  []byte // signed both others
	Server Pair
	Client Pair
}

// New makes a set.
func New() (Set, error) {
	ca, err := newAuthority()
	if err != nil {
		return Set{}, fmt.Errorf("make the keys: %w", err)
	}
	server, err := ca.issue("server", x509.ExtKeyUsageServerAuth)
	if err != nil {
		return Set{}, fmt.Errorf("make the server's keys: %w", err)
	}
	client, err := ca.issue("client", x509.ExtKeyUsageClientAuth)
	if err != nil {
		return Set{}, fmt.Errorf("make the client's keys: %w", err)
	}
	return Set{CAPEM: certPEM(ca.certificate.Raw), Server: server, Client: client}, nil
}

// An authority signs certificates.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newAuthority() (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := template("authority")
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage = x509.KeyUsageCertSign
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	return &authority{certificate, key}, nil
}

func (a *authority) issue(name string, usage x509.ExtKeyUsage) (Pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return Pair{}, err
	}
	template := template(name)
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{usage}
	template.DNSNames = []string{ServerName}
	template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, &key.PublicKey, a.key)
	if err != nil {
		return Pair{}, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return Pair{}, err
	}
	return Pair{CertPEM: certPEM(der), KeyPEM: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})}, nil
}

func template(name string) *x509.Certificate {
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()),
		Subject:      pkix.Name{CommonName: "rpcbench " + name},
		NotBefore:    now.Add(-time.Hour), // clocks differ
		NotAfter:     now.Add(24 * time.Hour),
	}
}

func certPEM(der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}
