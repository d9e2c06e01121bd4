package serve

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/credential"
	"rpcbench/internal/worker/permission"
)

// Keys say how the server proves its identity, and who may call it. The zero Keys provide no security.
type Keys struct {
	mode        string
	set         credential.Set
	permissions *control.Permissions // nil lets in the server's own clients
}

// OpenKeys opens a folder of keys for a mode of security, and makes it where it is not there. permissions are JSON; flag
// names them.
func OpenKeys(mode, folder, permissions, flag string) (keys Keys, made bool, err error) {
	keys.mode = mode
	if folder == "" {
		return keys, false, nil
	}
	if permissions != "" { // read before keys are made
		list, err := permission.Parse(permissions)
		if err != nil {
			return keys, false, fmt.Errorf("%s: %w", flag, err)
		}
		keys.permissions = &control.Permissions{In: list.In, NotIn: list.NotIn}
	}
	held, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(held) == 0 {
		if err := credential.Create(folder); err != nil {
			return keys, false, fmt.Errorf("--credentials: %w", err)
		}
		made = true
	}
	if keys.set, err = credential.Open(folder); err != nil {
		err = fmt.Errorf("--credentials: %w", err)
	}
	return keys, made, err
}

// TestKeys returns the keys of gRPC's own tests, for TLS.
func TestKeys() Keys { return Keys{mode: stack.SecurityTLS, set: credential.GRPCTest()} }

// secure puts keys and permissions into a Serve.
func (k Keys) secure(serve *control.Serve) error {
	serve.Security = &control.Security{Mode: k.mode}
	if k.mode == stack.SecurityPlaintext {
		return nil
	}
	own := k.set.Server
	serve.Security.CaPem, serve.Security.CertPem, serve.Security.KeyPem = k.set.CAPEM, own.CertPEM, own.KeyPEM
	if k.mode != stack.SecurityMTLS {
		return nil
	}
	name, err := own.Name()
	if err != nil {
		return fmt.Errorf("--credentials: %w", err)
	}
	if serve.Permissions = k.permissions; serve.Permissions == nil {
		serve.Permissions = &control.Permissions{In: []string{name}}
	}
	return nil
}
