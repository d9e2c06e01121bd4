// Package credential creates and stores the keys and certificates of servers and clients.
//
// Those of a run are created for each run, stay in memory and are sent to the workers as PEM: nothing has to be configured,
// and nothing is left. Those that programs share on purpose are in a folder, to which clients can be added.
//
// The holder of a certificate has a name, "root:alice", in a URI among its subject alternative names: rpcbench:root:alice.
// Package permission decides what names may do.
package credential

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"time"
)

// ServerName is the host name in the server's certificate, which clients expect.
const ServerName = "server.rpcbench.test"

// Names of a set made here. The client's extends the server's, so that who lets in its own lets it in.
const (
	serverIdentity = "rpcbench"
	clientIdentity = serverIdentity + ":client"
)

// How long certificates are valid.
const (
	validForRun  = 24 * time.Hour
	validForYear = 365 * 24 * time.Hour
)

// A Pair is a certificate and its key, as PEM.
type Pair struct{ CertPEM, KeyPEM []byte }

// A Set holds everything needed for TLS: ECDSA P-256.
type Set struct {
	CAPEM  []byte // signed both others
	Server Pair
	Client Pair
	// ServerName is the host name in the server's certificate; empty is the constant.
	ServerName string
}

// New makes the set of a run, valid for a day. The server is rpcbench, the client rpcbench:client.
func New() (Set, error) {
	set, _, err := newSet(validForRun)
	return set, err
}

func newSet(valid time.Duration) (Set, *authority, error) {
	ca, err := newAuthority(valid)
	if err != nil {
		return Set{}, nil, fmt.Errorf("make the keys of the authority: %w", err)
	}
	server, err := ca.issue(serverIdentity, x509.ExtKeyUsageServerAuth, valid)
	if err != nil {
		return Set{}, nil, fmt.Errorf("make the server's keys: %w", err)
	}
	client, err := ca.issue(clientIdentity, x509.ExtKeyUsageClientAuth, valid)
	if err != nil {
		return Set{}, nil, fmt.Errorf("make the client's keys: %w", err)
	}
	return Set{CAPEM: certPEM(ca.certificate.Raw), Server: server, Client: client}, ca, nil
}

// Name returns the name in the pair's certificate.
func (p Pair) Name() (string, error) {
	certificate, err := parseCertificate(p.CertPEM)
	if err != nil {
		return "", err
	}
	name, ok := NameOf(certificate)
	if !ok {
		return "", errors.New("the certificate has no rpcbench name")
	}
	return name, nil
}

func certPEM(der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// parseCertificate reads the first certificate.
func parseCertificate(text []byte) (*x509.Certificate, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "CERTIFICATE" {
		return nil, errors.New("it has no certificate")
	}
	return x509.ParseCertificate(block.Bytes)
}
