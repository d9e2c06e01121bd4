package credential

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"net"
	"net/url"
	"time"
)

// skew is how far a certificate's validity begins in the past, for machines whose clocks are behind ours.
const skew = time.Hour

// An authority signs certificates.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newAuthority(valid time.Duration) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := template("rpcbench authority", time.Now().Add(valid))
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

// issue makes a pair for who has the name, valid no longer than the authority itself. A server's is for loopback addresses and
// further ones.
func (a *authority) issue(name string, usage x509.ExtKeyUsage, valid time.Duration, further ...net.IP) (Pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return Pair{}, err
	}
	until := time.Now().Add(valid)
	if until.After(a.certificate.NotAfter) {
		until = a.certificate.NotAfter
	}
	identity := uriOf(name)
	template := template(identity.String(), until)
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{usage}
	template.URIs = []*url.URL{identity}
	if usage == x509.ExtKeyUsageServerAuth {
		template.DNSNames = []string{ServerName}
		template.IPAddresses = append([]net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}, further...)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, &key.PublicKey, a.key)
	if err != nil {
		return Pair{}, err
	}
	secret, err := keyPEM(key)
	return Pair{CertPEM: certPEM(der), KeyPEM: secret}, err
}

// template has a serial number of the library's making.
func template(subject string, until time.Time) *x509.Certificate {
	return &x509.Certificate{
		Subject:   pkix.Name{CommonName: subject},
		NotBefore: time.Now().Add(-skew),
		NotAfter:  until,
	}
}

func keyPEM(key *ecdsa.PrivateKey) ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), nil
}
