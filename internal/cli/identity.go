package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/credential"
	"rpcbench/internal/worker/permission"
)

// identity is how serve and load prove who they are.
type identity struct {
	security        string
	credentials     string // a folder
	as              string // of load: the client's name
	permissions     string // of serve: JSON
	permissionsFile string
	trust           trustFlags // of load
	isClient        bool
}

func (i *identity) flags(flags *pflag.FlagSet) {
	flags.StringVar(&i.security, "security", "", "plaintext, tls or mtls (what the keys given are for, else plaintext)")
}

func (i *identity) serverFlags(flags *pflag.FlagSet) {
	i.flags(flags)
	flags.StringVar(&i.credentials, "credentials", "", "the folder of keys; it is made where it is not there")
	flags.StringVar(&i.permissions, "permissions", "",
		`who may call, such as {"Read": {"In": ["root:alice"]}}; the server's own clients without it`)
	flags.StringVar(&i.permissionsFile, "permissions-file", "", "a file with the same")
}

func (i *identity) clientFlags(flags *pflag.FlagSet) {
	i.flags(flags)
	flags.StringVar(&i.credentials, "credentials", "", "the folder of keys that serve made")
	flags.StringVar(&i.as, "as", "", "the name of the client, one that rpcbench credentials has added")
	i.trust.flags(flags)
	i.isClient = true
}

// mode is --security, or what follows from the keys.
func (i *identity) mode() string {
	byKeys := i.trust.mode()
	if i.credentials != "" {
		byKeys = stack.SecurityMTLS
	}
	return cmp.Or(i.security, byKeys)
}

// check refuses what can't go together.
func (i *identity) check() error {
	switch mode := i.mode(); {
	case mode != stack.SecurityPlaintext && mode != stack.SecurityTLS && mode != stack.SecurityMTLS:
		return fmt.Errorf("--security %s: it is plaintext, tls or mtls", mode)
	case mode != stack.SecurityPlaintext && i.credentials == "" && !i.isClient:
		return fmt.Errorf("--security %s needs --credentials, a folder of keys", mode)
	case mode == stack.SecurityPlaintext && i.credentials != "":
		return errors.New("--credentials: plaintext has none")
	case i.isClient:
		return i.checkClient(mode)
	default:
		return i.checkServer(mode)
	}
}

func (i *identity) checkServer(mode string) error {
	switch {
	case i.permissions != "" && i.permissionsFile != "":
		return errors.New("--permissions and --permissions-file exclude each other")
	case mode != stack.SecurityMTLS && (i.permissions != "" || i.permissionsFile != ""):
		return errors.New("--permissions need --security mtls: only there clients have names")
	default:
		return nil
	}
}

func (i *identity) checkClient(mode string) error {
	switch {
	case mode != stack.SecurityMTLS && i.as != "":
		return errors.New("--as needs --security mtls: only there clients have names")
	case i.as != "" && i.credentials == "":
		return errors.New("--as needs --credentials, the folder with that client's keys")
	default:
		return i.trust.check(mode, i.credentials)
	}
}

// secureServer puts keys and permissions into a Serve, and says where it made keys.
func (i *identity) secureServer(command *cobra.Command, serve *control.Serve) error {
	if err := i.check(); err != nil {
		return err
	}
	serve.Security = &control.Security{Mode: i.mode()}
	if i.credentials == "" {
		return nil
	}
	list, err := i.readPermissions() // before keys are made
	if err != nil {
		return err
	}
	held, err := os.ReadDir(i.credentials)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(held) == 0 {
		if err := credential.Create(i.credentials); err != nil {
			return fmt.Errorf("--credentials: %w", err)
		}
		command.PrintErrf("made %s: the keys of an authority, a server and a client\n", i.credentials)
	}
	keys, err := credential.Open(i.credentials)
	if err != nil {
		return fmt.Errorf("--credentials: %w", err)
	}
	serve.Security.CaPem, serve.Security.CertPem, serve.Security.KeyPem = keys.CAPEM, keys.Server.CertPEM, keys.Server.KeyPEM
	return i.permit(serve, keys, list)
}

// readPermissions returns the permissions that flags say; nil without any.
func (i *identity) readPermissions() (*control.Permissions, error) {
	flag, text := "--permissions", i.permissions
	if i.permissionsFile != "" {
		data, err := os.ReadFile(i.permissionsFile)
		if err != nil {
			return nil, fmt.Errorf("--permissions-file: %w", err)
		}
		flag, text = "--permissions-file", string(data)
	}
	if text == "" {
		return nil, nil //nolint:nilnil // most servers let in all of their own clients
	}
	list, err := permission.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	return &control.Permissions{In: list.In, NotIn: list.NotIn}, nil
}

// permit sends the permissions; without any the server's own clients may call.
func (i *identity) permit(serve *control.Serve, keys credential.Set, list *control.Permissions) error {
	if i.mode() != stack.SecurityMTLS {
		return nil
	}
	name, err := keys.Server.Name()
	if err != nil {
		return fmt.Errorf("--credentials: %w", err)
	}
	if serve.Permissions = list; list == nil {
		serve.Permissions = &control.Permissions{In: []string{name}}
	}
	return nil
}

// client returns the keys of the client; nil in plaintext.
func (i *identity) client() (*credential.Set, error) {
	if err := i.check(); err != nil {
		return nil, err
	}
	if i.credentials == "" {
		return nil, nil
	}
	keys, err := credential.OpenClient(i.credentials, i.as)
	if err != nil {
		return nil, fmt.Errorf("--credentials: %w", err)
	}
	return &keys, nil
}
