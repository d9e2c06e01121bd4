//go:build unix

package scratch

import (
	"io/fs"
	"os"
	"syscall"
)

// belongs reports whether a file belongs to this user.
func belongs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
