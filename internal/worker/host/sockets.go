package host

import (
	"bytes"
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
