package program

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"rpcbench/internal/run/server"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// Names of the files that are written for a program.
const (
	configFile = "config"
	certFile   = "cert.pem"
	keyFile    = "key.pem"
	caFile     = "ca.pem"
)

// A folder holds the files that a program is given, and those that it creates. The zero folder is none.
type folder struct{ path string }

// newFolder makes one where the program needs it. Only its user can read it: it has keys.
func (s Starter) newFolder(told *control.Program) (folder, error) {
	if told.GetUpstream() == "" && told.GetConfig() == "" {
		return folder{}, nil
	}
	path, err := s.Temporary.Folder()
	if err != nil {
		return folder{}, fmt.Errorf("make a folder for the program: %w", err)
	}
	return folder{path}, nil
}

func (f folder) remove() {
	if f.path != "" {
		_ = os.RemoveAll(f.path) // one of the system's for temporary files
	}
}

// places returns the values of the words in braces, in the command and in the config, once the address is known.
func (f folder) places(told *control.Program, at server.Address) (*strings.Replacer, error) {
	name, port, _ := net.SplitHostPort(at.Text) // of a Unix socket both are empty
	words := []string{"{address}", at.Text, "{host}", name, server.PortHole, port}
	if f.path == "" {
		return strings.NewReplacer(words...), nil
	}
	binary, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	upstreamHost, upstreamPort, _ := net.SplitHostPort(told.GetUpstream())
	words = append(words,
		"{upstream}", told.GetUpstream(), "{upstream_host}", upstreamHost, "{upstream_port}", upstreamPort,
		"{rpcbench}", binary, "{folder}", f.path)
	for hole, file := range map[string]string{"{config}": configFile, "{cert}": certFile, "{key}": keyFile, "{ca}": caFile} {
		words = append(words, hole, filepath.Join(f.path, file))
	}
	return strings.NewReplacer(words...), nil
}

// write writes the program's files: its config, and with TLS its keys.
func (f folder) write(config string, security *control.Security) error {
	files := map[string][]byte{}
	if config != "" {
		files[configFile] = []byte(config)
	}
	if security.GetMode() == stack.SecurityTLS {
		files[certFile], files[keyFile], files[caFile] = security.GetCertPem(), security.GetKeyPem(), security.GetCaPem()
		// Some programs, such as HAProxy, take one file with both, and find the key beside the certificate.
		files[certFile+".key"] = security.GetKeyPem()
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(f.path, name), text, 0o600); err != nil {
			return fmt.Errorf("write a file for the program: %w", err)
		}
	}
	return nil
}
