// Package qps has tests with the benchmark workers that others have written: grpc-go's own. It has no code of its own.
package qps
