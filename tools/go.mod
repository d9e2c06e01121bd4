module rpcbench/tools

go 1.26.0

require (
	aead.dev/minisign v0.3.0
	github.com/bufbuild/protocompile v0.14.1
	golang.org/x/tools v0.52.0
	google.golang.org/protobuf v1.36.12
)

require (
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	google.golang.org/grpc/cmd/protoc-gen-go-grpc v1.6.2 // indirect
)

tool google.golang.org/grpc/cmd/protoc-gen-go-grpc
