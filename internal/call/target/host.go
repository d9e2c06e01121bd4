package target

import (
	"net/netip"
	"strings"
)

// IsLoopback reports whether a host is this machine by its spelling alone: localhost, or a loopback IP address. Other names can
// resolve to this machine now and to another one later.
func IsLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Zone() == "" && address.Unmap().IsLoopback()
}

// LeadsHere reports whether a connection to the address reaches this machine: a loopback address or an unspecified one.
func LeadsHere(address netip.Addr) bool {
	address = address.Unmap()
	return address.Zone() == "" && (address.IsLoopback() || address.IsUnspecified())
}
