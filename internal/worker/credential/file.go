package credential

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// fileOf returns the beginning of the file names of an added client. File systems treat colons differently, so a colon is written
// as a plus, and everything except letters, digits, "-", "_", "." and "~" is percent-encoded: root:alice becomes
// root+alice.client. Two names never share a file. The ending is .pem or -key.pem, so no name yields a file of the other kind.
func fileOf(name string) string {
	return strings.ReplaceAll(url.QueryEscape(name), "%3A", "+") + ".client" // a name has no blank, which is + otherwise
}

func certPath(dir, file string) string { return filepath.Join(dir, file+".pem") }
func keyPath(dir, file string) string  { return filepath.Join(dir, file+"-key.pem") }

// writePair writes both files of a pair, and adds those that it made to made.
func writePair(dir, file string, pair Pair, made *[]string) error {
	if err := writeNew(keyPath(dir, file), pair.KeyPEM, 0o600, made); err != nil {
		return err
	}
	return writeNew(certPath(dir, file), pair.CertPEM, 0o644, made)
}

// writeNew writes a file that must not be there yet.
func writeNew(path string, text []byte, mode fs.FileMode, made *[]string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s already exists", path)
	}
	if err != nil {
		return err
	}
	*made = append(*made, path)
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}

// readAuthority reads the authority's certificate into set.
func readAuthority(dir string, set *Set) (*x509.Certificate, error) {
	path := certPath(dir, authorityFile)
	var err error
	if set.CAPEM, err = readFile(path); err != nil {
		return nil, err
	}
	ca, err := parseCertificate(set.CAPEM)
	if err != nil {
		return nil, fmt.Errorf("cannot use %s: %w", path, err)
	}
	return ca, checkTime(path, ca)
}

// openAuthority reads the authority with its key, to sign with.
func openAuthority(dir string) (*authority, error) {
	set := Set{}
	ca, err := readAuthority(dir, &set)
	if err != nil {
		return nil, err
	}
	_, secret, err := readKey(dir, authorityFile, set.CAPEM)
	if err != nil {
		return nil, err
	}
	key, ok := secret.(*ecdsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("%s is not an ECDSA key", keyPath(dir, authorityFile))
	}
	return &authority{ca, key}, nil
}

// readPair reads a certificate, which ca must have signed for this usage, and its key.
func readPair(dir, file string, ca *x509.Certificate, usage x509.ExtKeyUsage) (Pair, error) {
	path := certPath(dir, file)
	text, err := readFile(path)
	if err != nil {
		return Pair{}, err
	}
	certificate, err := parseCertificate(text)
	if err != nil {
		return Pair{}, fmt.Errorf("cannot use %s: %w", path, err)
	}
	if err := checkTime(path, certificate); err != nil {
		return Pair{}, err
	}
	roots := x509.NewCertPool()
	roots.AddCert(ca)
	options := x509.VerifyOptions{Roots: roots, KeyUsages: []x509.ExtKeyUsage{usage}}
	if _, err := certificate.Verify(options); err != nil {
		return Pair{}, fmt.Errorf("%s does not match %s: %w", path, certPath(dir, authorityFile), err)
	}
	key, _, err := readKey(dir, file, text)
	return Pair{CertPEM: text, KeyPEM: key}, err
}

// readKey reads the key of a certificate, as text and parsed.
func readKey(dir, file string, certificate []byte) ([]byte, crypto.PrivateKey, error) {
	path := keyPath(dir, file)
	text, err := readKeyFile(path)
	if err != nil {
		return nil, nil, err
	}
	pair, err := tls.X509KeyPair(certificate, text)
	if err != nil {
		return nil, nil, fmt.Errorf("%s is not the key of %s: %w", path, certPath(dir, file), err)
	}
	return text, pair.PrivateKey, nil
}

func readFile(path string) ([]byte, error) {
	text, err := ReadFile(path)
	return ofFolder(path, text, err)
}

// ofFolder names the folder in the error of reading one of its files.
func ofFolder(path string, text []byte, err error) ([]byte, error) {
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the credentials lack %s", path)
	}
	if err != nil {
		return nil, fmt.Errorf("read the credentials: %w", err)
	}
	return text, nil
}

func checkTime(path string, certificate *x509.Certificate) error {
	switch now := time.Now(); {
	case now.After(certificate.NotAfter):
		return fmt.Errorf("%s expired on %s", path, certificate.NotAfter.Format(time.DateOnly))
	case now.Before(certificate.NotBefore):
		return fmt.Errorf("%s is not valid before %s", path, certificate.NotBefore.Format(time.DateTime))
	}
	return nil
}
