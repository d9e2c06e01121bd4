// Package consent knows which servers the user may load: those on this machine, and those that the user says.
package consent

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rpcbench/internal/call/infile"
	"rpcbench/internal/call/target"
)

// Flag lets a load go to another machine.
const Flag = "i-may-load-this-target"

// lookUpPatience limits the time to resolve a name.
const lookUpPatience = 10 * time.Second

// ToLoad returns an error if a host is not this machine, unless the user says that they may load it: by the flag, or once
// and for all by a line with the host in a file of theirs. No host is a Unix socket. Every verb that loads a target that
// the user typed asks it first.
func ToLoad(ctx context.Context, host string, said bool) error {
	if host == "" {
		return nil
	}
	addresses, err := lookUp(ctx, host)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(addresses, func(a netip.Addr) bool { return !target.LeadsHere(a) })
	if i < 0 || said {
		return nil
	}
	if listed, err := Listed(host); err != nil || listed {
		return err
	}
	path := filePath()
	remedy := "give --" + Flag
	if path != "" {
		remedy += fmt.Sprintf(", or write %s into %s", host, path)
	}
	where := host
	if where != addresses[i].String() {
		where += ", " + addresses[i].String() + ","
	}
	return fmt.Errorf("%s is not this machine, and a load can do it harm: if you may load it, %s", where, remedy)
}

// lookUp returns all addresses of a host, at least one.
func lookUp(ctx context.Context, host string) ([]netip.Addr, error) {
	ctx, cancel := context.WithTimeout(ctx, lookUpPatience)
	defer cancel()
	addresses, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	for i, a := range addresses {
		addresses[i] = a.Unmap()
	}
	var unknown *net.DNSError
	switch {
	case err == nil && len(addresses) > 0:
		return addresses, nil
	case errors.As(err, &unknown) && unknown.IsNotFound:
		return nil, fmt.Errorf("the host %s is not known", host)
	case err == nil:
		return nil, fmt.Errorf("the host %s has no address", host)
	default:
		return nil, fmt.Errorf("the host %s can't be resolved: %w", host, err)
	}
}

// filePath is the file of hosts that the user may load; "" where there is no place for it.
func filePath() string {
	folder, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "rpcbench", "targets")
}

// Listed returns whether the user's file has a line with the host.
func Listed(host string) (bool, error) {
	path := filePath()
	if path == "" {
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
		line, _, _ := strings.Cut(lines.Text(), "#")
		if strings.EqualFold(strings.TrimSpace(line), host) {
			return true, nil
		}
	}
	return false, lines.Err()
}
