//go:build unix

package credential

import (
	"io/fs"
	"os"
	"syscall"
)

// isMine tells whether a file belongs to the user of this process. What belongs to another is that user's to protect: the
// keys that a cluster mounts, for example.
func isMine(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
