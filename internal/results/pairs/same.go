package pairs

import (
	"slices"
	"strings"

	"rpcbench/internal/call/secret"
	"rpcbench/internal/results/result"
)

// IsSame reports whether both sides run the same program with the same arguments, whatever the program's path. Arguments that are
// hidden may differ, so commands with one are not known to be the same.
func IsSame(design result.AB) bool {
	a, b := design.A, design.B
	if len(a.Command) == 0 || len(b.Command) == 0 || !slices.Equal(a.Command[1:], b.Command[1:]) {
		return false
	}
	if slices.ContainsFunc(a.Command, func(word string) bool { return strings.Contains(word, secret.Hidden) }) {
		return false
	}
	return a.SHA256 == b.SHA256 && (a.SHA256 != "" || a.Command[0] == b.Command[0])
}
