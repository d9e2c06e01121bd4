package serve

import (
	"fmt"
	"net"

	"rpcbench/internal/call/target"
	"rpcbench/internal/stack"
)

// Exposure warns if other machines can reach a server's address; otherwise it returns "".
func (k Keys) Exposure(at target.Target) string {
	host, _, err := net.SplitHostPort(at.Address)
	if at.Network == stack.NetworkUnix || err != nil {
		return ""
	}
	if net.ParseIP(host) == nil || target.IsLoopback(host) {
		return ""
	}
	reached := fmt.Sprintf("%s can be reached from other machines", at)
	switch k.mode {
	case stack.SecurityMTLS:
		return reached + "; only clients with a certificate of this server's CA may call"
	case stack.SecurityTLS:
		return reached + ", and anyone may call; --security mtls restricts it to known clients"
	default:
		return reached + ", anyone may call, and nothing is encrypted; --credentials DIR encrypts and restricts it to known clients"
	}
}
