//go:build unix

package scratch

import (
	"io/fs"
	"os"
	"syscall"
)

// belongs tells whether a file is this user's.
func belongs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
