package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rpcbench/internal/cli/alias"
)

// mayBeEmpty are flags of which an empty value means what leaving them out means, also to the user.
var mayBeEmpty = []string{"jvm-options", "worker-env"}

// refuseEmpty refuses flags with an empty value, which is what a shell makes of a variable that is not set. Taken as left out,
// --cacert "$CA" or --credentials "$KEYS" would measure, or serve, something else than was asked for.
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
