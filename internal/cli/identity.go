package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rpcbench/internal/plan/point"
	"rpcbench/internal/run/serve"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/credential"
)

// serverIdentity is how serve proves who it is, and who may call it.
type serverIdentity struct {
	security        string
	credentials     string // a folder
	permissions     string // JSON
	permissionsFile string
}

func (i *serverIdentity) flags(flags *pflag.FlagSet) {
	flags.StringVar(&i.security, "security", "",
		"transport `security`: plaintext, tls or mtls (default: what the keys given are for, else plaintext)")
	flags.StringVar(&i.credentials, "credentials", "",
		"`folder` of keys, created if it does not exist, or "+point.GRPCTestCA+" for the public keys of gRPC's tests")
	flags.StringVar(&i.permissions, "permissions", "",
		"who may call: `JSON` such as {\"Read\": {\"In\": [\"root:alice\"]}} (default: the clients of --credentials)")
	flags.StringVar(&i.permissionsFile, "permissions-file", "", "`file` with the permissions")
}

// mode returns --security, or its default for the given keys.
func (i *serverIdentity) mode() string {
	switch {
	case i.security != "":
		return i.security
	case i.credentials == point.GRPCTestCA:
		return stack.SecurityTLS
	case i.credentials != "":
		return stack.SecurityMTLS
	default:
		return stack.SecurityPlaintext
	}
}

// check refuses conflicting flags.
func (i *serverIdentity) check() error {
	switch mode := i.mode(); {
	case mode != stack.SecurityPlaintext && mode != stack.SecurityTLS && mode != stack.SecurityMTLS:
		return fmt.Errorf("--security %s: must be plaintext, tls or mtls", mode)
	case mode != stack.SecurityPlaintext && i.credentials == "":
		return fmt.Errorf("--security %s needs --credentials, a folder of keys", mode)
	case mode == stack.SecurityPlaintext && i.credentials != "":
		return errors.New("--credentials: plaintext has none")
	case i.permissions != "" && i.permissionsFile != "":
		return errors.New("--permissions and --permissions-file are mutually exclusive; give only one")
	case mode != stack.SecurityMTLS && (i.permissions != "" || i.permissionsFile != ""):
		return errors.New("--permissions and --permissions-file need --security mtls: clients have names only then")
	default:
		return nil
	}
}

// keys opens the server's keys, and says where it made some.
func (i *serverIdentity) keys(command *cobra.Command) (serve.Keys, error) {
	if err := i.check(); err != nil {
		return serve.Keys{}, err
	}
	if i.credentials == point.GRPCTestCA {
		if i.mode() == stack.SecurityMTLS {
			return serve.Keys{}, fmt.Errorf("--credentials %s has no keys of clients: use --security tls", i.credentials)
		}
		command.PrintErrln("note: the keys of gRPC's tests are public: they prove no identity and keep nothing secret")
		return serve.TestKeys(), nil
	}
	flag, permissions := "--permissions", i.permissions
	if i.permissionsFile != "" {
		data, err := credential.ReadFile(i.permissionsFile)
		if err != nil {
			return serve.Keys{}, fmt.Errorf("--permissions-file: %w", err)
		}
		flag, permissions = "--permissions-file", string(data)
	}
	keys, made, err := serve.OpenKeys(i.mode(), i.credentials, permissions, flag)
	if made {
		command.PrintErrf("made %s: the keys of a CA, a server and a client\n", i.credentials)
	}
	return keys, err
}
