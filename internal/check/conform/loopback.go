package conform

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"runtime"
)

// quietPort returns a port that the system chooses, on a loopback host that nothing else uses. Cases run in parallel: if one of
// them ends its server, or calls a port without a listener, the system may give that port to another case's server, which would
// answer the calls. Only Linux has such hosts without configuration.
func quietPort() string {
	if runtime.GOOS != "linux" {
		return "127.0.0.1:0"
	}
	return fmt.Sprintf("127.%d.%d.%d:0", 1+rand.IntN(254), rand.IntN(256), 1+rand.IntN(254))
}

// deadAddress returns where nothing listens.
func deadAddress() (string, error) {
	listener, err := net.Listen("tcp", quietPort())
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), errors.Join(listener.Close())
}
