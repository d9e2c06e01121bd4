package prometheus_test

import (
	"net"
	"testing"

	"rpcbench/internal/run/prometheus"
)

func TestMetricsWithoutAHostAreForThisMachine(t *testing.T) {
	t.Parallel()
	for _, address := range []string{":0", "127.0.0.1:0", "localhost:0"} {
		m, err := prometheus.Listen(address)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		host, _, err := net.SplitHostPort(m.Address)
		if ip := net.ParseIP(host); err != nil || !ip.IsLoopback() {
			t.Errorf("%s listens on %s, %v", address, m.Address, err)
		}
	}
}
