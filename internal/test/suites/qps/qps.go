// Package qps has tests with the benchmark workers of grpc-go and grpc-java. It has no code of its own.
package qps
