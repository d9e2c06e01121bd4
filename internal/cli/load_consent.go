package cli

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
)

// consentFlag lets a load go to another machine.
const consentFlag = "i-may-load-this-target"

// lookUpPatience is how long a name may take to be resolved.
const lookUpPatience = 10 * time.Second

// mayLoad refuses a target that is not on this machine, unless the user says that they may load it: by the flag, or once
// and for all by a line with its host in a file of theirs. Every verb that loads a target asks it first.
func mayLoad(ctx context.Context, at target, said bool) error {
	host := at.host()
	if host == "" { // a Unix socket
		return nil
	}
	addresses, err := lookUp(ctx, host)
	if err != nil {
		return badInput(err)
	}
	i := slices.IndexFunc(addresses, func(a netip.Addr) bool { return !a.IsLoopback() && !a.IsUnspecified() })
	if i < 0 || said {
		return nil
	}
	path := consentPath()
	switch listed, err := isListed(path, host); {
	case err != nil:
		return badInput(err)
	case listed:
		return nil
	}
	remedy := "give --" + consentFlag
	if path != "" {
		remedy += fmt.Sprintf(", or write %s into %s", host, path)
	}
	where := host
	if where != addresses[i].String() {
		where += ", " + addresses[i].String() + ","
	}
	return badInput(fmt.Errorf("%s is not this machine, and a load can do it harm: if you may load it, %s", where, remedy))
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

// consentPath is the file of hosts that the user may load; "" where there is no place for it.
func consentPath() string {
	folder, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "rpcbench", "targets")
}

// isListed tells whether the file has a line with the host.
func isListed(path, host string) (bool, error) {
	if path == "" {
		return false, nil
	}
	file, err := os.Open(path)
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
