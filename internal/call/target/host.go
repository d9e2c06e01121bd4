package target

import (
	"net/netip"
	"strings"
)

// IsLoopback tells whether a host is this machine by its spelling alone: localhost, or an IP address of the loopback interface.
// A name can lead here when it is looked up and elsewhere a moment later.
func IsLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Zone() == "" && address.Unmap().IsLoopback()
}

// LeadsHere tells whether who calls an address calls this machine: the loopback interface, or an address that stands for any.
func LeadsHere(address netip.Addr) bool {
	address = address.Unmap()
	return address.Zone() == "" && (address.IsLoopback() || address.IsUnspecified())
}
