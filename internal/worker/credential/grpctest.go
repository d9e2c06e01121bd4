package credential

import _ "embed"

// The public test credentials of every gRPC library: the CA, and a server certificate signed by it. They are files of
// github.com/grpc/grpc (src/core/tsi/test_creds; Apache License 2.0), valid until March 2030.
var (
	//go:embed grpctest/ca.pem
	grpcTestCA []byte
	//go:embed grpctest/server1.pem
	grpcTestCert []byte
	//go:embed grpctest/server1.key
	grpcTestKey []byte
)

// grpcTestName is a name in that server's certificate, the one that gRPC's own clients expect.
const grpcTestName = "foo.test.google.fr"

// GRPCTest is the set of gRPC's own tests. It keeps nothing secret.
func GRPCTest() Set {
	return Set{CAPEM: grpcTestCA, Server: Pair{CertPEM: grpcTestCert, KeyPEM: grpcTestKey}, ServerName: grpcTestName}
}
