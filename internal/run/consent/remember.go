package consent

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rpcbench/internal/call/infile"
)

// A Key identifies files in their present state together with what they ask for. Any change of either gives another Key.
type Key string

// KeyOf reads the files. wishes lists what they ask for, in any unambiguous form.
func KeyOf(files, wishes []string) (Key, error) {
	sum := sha256.New()
	for _, path := range slices.Compact(slices.Sorted(slices.Values(files))) {
		file, err := infile.Open(path)
		if err != nil {
			return "", err
		}
		content := sha256.New()
		_, err = io.Copy(content, file)
		file.Close()
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "file %x\n", content.Sum(nil))
	}
	for _, wish := range slices.Sorted(slices.Values(wishes)) {
		fmt.Fprintf(sum, "wish %x\n", sha256.Sum256([]byte(wish)))
	}
	return Key(hex.EncodeToString(sum.Sum(nil))), nil
}

// rememberedPath is the file of Keys that the user allowed for good; "" where there is no place for it.
func rememberedPath() string {
	folder, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "rpcbench", "trusted")
}

// Remembered returns whether the user allowed the Key for good.
func Remembered(key Key) (bool, error) {
	path := rememberedPath()
	if path == "" || key == "" {
		return false, nil
	}
	file, err := infile.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if line, _, _ := strings.Cut(lines.Text(), " "); line == string(key) {
			return true, nil
		}
	}
	return false, lines.Err()
}

// Remember stores permission for a Key permanently. The note tells readers of the user's file what it is about.
func Remember(key Key, note string) error {
	path := rememberedPath()
	if path == "" || key == "" {
		return errors.New("there is no file, or no place to keep that")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(file, "%s # %q\n", key, note)
	return errors.Join(err, file.Close())
}
