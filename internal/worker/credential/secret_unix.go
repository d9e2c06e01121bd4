//go:build unix

package credential

import (
	"io/fs"
	"os"
	"syscall"
)

// isMine reports whether a file belongs to the user of this process. Files of other users are theirs to protect, such as keys
// mounted by a cluster.
func isMine(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
