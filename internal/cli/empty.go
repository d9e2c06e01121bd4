package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rpcbench/internal/cli/alias"
)

// mayBeEmpty lists flags whose empty value means the same as omitting them.
var mayBeEmpty = []string{"jvm-options", "worker-env"}

// refuseEmpty refuses flags with an empty value, which a shell makes of an unset variable. Treating --cacert "$CA" or
// --credentials "$KEYS" as omitted would measure, or serve, something else than requested.
func refuseEmpty(command *cobra.Command, _ []string) error {
	if command.Hidden { // rpcbench itself types these
		return nil
	}
	var empty error
	command.Flags().Visit(func(flag *pflag.Flag) {
		if empty == nil && isEmpty(flag.Value) && !slices.Contains(mayBeEmpty, flag.Name) {
			empty = badInput(fmt.Errorf("%s needs a value, but it is empty; is a variable of the shell not set?", alias.Typed(flag)))
		}
	})
	return empty
}

// isEmpty reports whether a value, or one in a list, is empty.
func isEmpty(value pflag.Value) bool {
	if list, ok := value.(pflag.SliceValue); ok {
		values := list.GetSlice()
		return len(values) == 0 || slices.Contains(values, "")
	}
	return value.String() == ""
}
