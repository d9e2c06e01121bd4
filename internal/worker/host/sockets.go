package host

import (
	"bytes"
	"slices"
	"strconv"
)

// An endpoint is a line of /proc/net/tcp or tcp6.
type endpoint struct {
	port      string // the local one, in hexadecimal
	listening bool
	connected bool
	inode     uint64
}

// The fields of such a line, and states of a socket; see proc_pid_net(5).
const (
	fieldLocal, fieldState, fieldInode = 1, 3, 9
	stateConnected, stateListening     = "01", "0A"
)

// endpoints reads the lines of /proc/net/tcp.
func endpoints(table []byte) (all []endpoint) {
	for line := range bytes.Lines(table) {
		fields := bytes.Fields(line)
		if len(fields) <= fieldInode {
			continue
		}
		inode, err := strconv.ParseUint(string(fields[fieldInode]), 10, 64)
		_, port, found := bytes.Cut(fields[fieldLocal], []byte(":"))
		if err != nil || !found {
			continue // the header
		}
		state := string(fields[fieldState])
		all = append(all, endpoint{string(port), state == stateListening, state == stateConnected, inode})
	}
	return all
}

// accepted returns the inodes of the connections that processes with these sockets have accepted, on the ports on which they
// listen.
func accepted(all []endpoint, own map[uint64]bool) (inodes []uint64) {
	listens := map[string]bool{}
	for _, e := range all {
		if e.listening && own[e.inode] {
			listens[e.port] = true
		}
	}
	for _, e := range all {
		if e.connected && own[e.inode] && listens[e.port] {
			inodes = append(inodes, e.inode)
		}
	}
	return inodes
}

// listensTCP reports whether one of these sockets listens on a port.
func listensTCP(all []endpoint, own map[uint64]bool, port int) bool {
	return slices.ContainsFunc(all, func(e endpoint) bool {
		number, err := strconv.ParseUint(e.port, 16, 16)
		return err == nil && e.listening && own[e.inode] && int(number) == port
	})
}

// The fields of a line of /proc/net/unix, and the flag of a socket that listens (SO_ACCEPTCON); see proc_pid_net(5).
const (
	fieldUnixFlags, fieldUnixInode = 3, 6
	unixListening                  = 0x10000
)

// listensUnix reports whether one of these sockets listens, by the lines of /proc/net/unix.
func listensUnix(table []byte, own map[uint64]bool) bool {
	for line := range bytes.Lines(table) {
		fields := bytes.Fields(line)
		if len(fields) <= fieldUnixInode {
			continue
		}
		flags, err := strconv.ParseUint(string(fields[fieldUnixFlags]), 16, 64)
		inode, notNumber := strconv.ParseUint(string(fields[fieldUnixInode]), 10, 64)
		if err == nil && notNumber == nil && flags&unixListening != 0 && own[inode] {
			return true
		}
	}
	return false
}
