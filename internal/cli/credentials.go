package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"rpcbench/internal/worker/credential"
)

// credentialsCommand adds clients to a folder of keys.
func (e *env) credentialsCommand() *cobra.Command {
	var name string
	command := &cobra.Command{
		Use:     "credentials DIR --name NAME",
		Short:   "Add a client to a folder of keys made by serve",
		Example: "  rpcbench credentials keys --name root:alice",
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) != 1:
				return badInput(errors.New("credentials needs one DIR, a folder of keys"))
			case name == "":
				return badInput(errors.New("credentials needs --name, such as root:alice"))
			}
			path, err := credential.AddClient(args[0], name)
			if err != nil {
				return badInput(err)
			}
			_, err = fmt.Fprintf(e.out, "%s may call as %s: load --credentials %s --as %s\n", path, name, args[0], name)
			return err
		},
	}
	command.Flags().StringVar(&name, "name", "", "client `name`, such as root:alice")
	return command
}
