package credential

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"

	"rpcbench/internal/worker/permission"
)

// A folder of credentials holds an authority, a server and a client; of each a certificate, KIND.pem, and its key,
// KIND-key.pem. Clients added later are NAME.client.pem and NAME.client-key.pem: see fileOf.
const (
	authorityFile = "ca"
	serverFile    = "server"
	clientFile    = "client"
)

// Create makes a folder of credentials that are valid for a year: server rpcbench, client rpcbench:client. Only its
// owner may look inside. A folder that is there already must be empty. Either all is made or nothing is left of it.
func Create(dir string) error {
	madeDir, err := makeEmpty(dir)
	if err != nil {
		return err
	}
	set, ca, err := newSet(validForYear)
	if err != nil {
		return err
	}
	secret, err := keyPEM(ca.key)
	if err != nil {
		return fmt.Errorf("make the keys of the authority: %w", err)
	}
	var made []string
	for kind, pair := range map[string]Pair{
		authorityFile: {CertPEM: set.CAPEM, KeyPEM: secret}, serverFile: set.Server, clientFile: set.Client,
	} {
		err = errors.Join(err, writePair(dir, kind, pair, &made))
	}
	if err == nil {
		return nil
	}
	if madeDir {
		made = append(made, dir)
	}
	for _, path := range made {
		err = errors.Join(err, os.Remove(path))
	}
	return fmt.Errorf("make the credentials: %w", err)
}

// makeEmpty makes the folder, or makes sure that it is empty, and closes it to others.
func makeEmpty(dir string) (made bool, err error) {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
			return false, fmt.Errorf("make the credentials directory: %w", err)
		}
		if err := os.Mkdir(dir, 0o700); err != nil {
			return false, fmt.Errorf("make the credentials directory: %w", err)
		}
		return true, nil
	case err != nil:
		return false, fmt.Errorf("make credentials in %s: %w", dir, err)
	case len(entries) > 0:
		return false, fmt.Errorf("%s is not empty: credentials need a new directory", dir)
	}
	return false, os.Chmod(dir, 0o700)
}

// Open reads a folder of credentials. Its error names what is missing, unreadable, expired or inconsistent.
func Open(dir string) (Set, error) {
	set := Set{}
	ca, err := readAuthority(dir, &set)
	if err != nil {
		return Set{}, err
	}
	if set.Server, err = readPair(dir, serverFile, ca, x509.ExtKeyUsageServerAuth); err != nil {
		return Set{}, err
	}
	set.Client, err = readPair(dir, clientFile, ca, x509.ExtKeyUsageClientAuth)
	return set, err
}

// OpenAt reads a folder of credentials, and makes it where there is none. The set's server is a fresh one at this address, valid
// for a day, and has no file.
func OpenAt(dir string, address net.IP) (Set, error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := Create(dir); err != nil {
			return Set{}, err
		}
	}
	set, err := Open(dir)
	if err != nil {
		return Set{}, err
	}
	ca, err := openAuthority(dir)
	if err != nil {
		return Set{}, err
	}
	set.Server, err = ca.issue(serverIdentity, x509.ExtKeyUsageServerAuth, validForRun, address)
	return set, err
}

// OpenClient reads the credentials of a client with the given name, or "" for the folder's own client; the Set has no server. The
// folder may be a copy on another machine with no other files.
func OpenClient(dir, name string) (Set, error) {
	file := clientFile
	if name != "" {
		if err := permission.CheckName(name); err != nil {
			return Set{}, err
		}
		file = fileOf(name)
	}
	set := Set{}
	ca, err := readAuthority(dir, &set)
	if err != nil {
		return Set{}, err
	}
	if set.Client, err = readPair(dir, file, ca, x509.ExtKeyUsageClientAuth); err != nil {
		return Set{}, err
	}
	held, err := set.Client.Name()
	if err != nil || name != "" && held != name {
		return Set{}, fmt.Errorf("%s is not the certificate of %q", certPath(dir, file), name)
	}
	return set, nil
}

// AddClient adds a client's certificate and key, valid for a year or until the folder's authority expires, and returns
// the path of the certificate. Its key lies beside it. A client that is there already is not touched.
func AddClient(dir, name string) (path string, err error) {
	if err := permission.CheckName(name); err != nil {
		return "", err
	}
	ca, err := openAuthority(dir)
	if err != nil {
		return "", err
	}
	pair, err := ca.issue(name, x509.ExtKeyUsageClientAuth, validForYear)
	if err != nil {
		return "", fmt.Errorf("make the keys of %s: %w", name, err)
	}
	var made []string
	if err := writePair(dir, fileOf(name), pair, &made); err != nil {
		for _, path := range made {
			err = errors.Join(err, os.Remove(path))
		}
		return "", fmt.Errorf("add %s: %w", name, err)
	}
	return certPath(dir, fileOf(name)), nil
}
