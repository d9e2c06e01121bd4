package grpcwire

import (
	"strconv"
	"time"

	"rpcbench/internal/stack/wire"
)

// timeoutMax is the largest number that the field grpc-timeout may have.
const timeoutMax = 99_999_999

// timeoutUnits are gRPC's, the finest first.
var timeoutUnits = []struct {
	name string
	long time.Duration
}{
	{"n", time.Nanosecond}, {"u", time.Microsecond}, {"m", time.Millisecond}, {"S", time.Second}, {"M", time.Minute},
	{"H", time.Hour},
}

// timeout returns the field with a call's deadline, in the finest unit that fits its digits, rounded up as in gRPC's libraries;
// none for 0. It is the same for all calls, so a server's header table keeps it.
func timeout(d time.Duration) []wire.Field {
	if d <= 0 {
		return nil
	}
	for _, unit := range timeoutUnits {
		if n := (d-1)/unit.long + 1; n <= timeoutMax {
			return []wire.Field{{Name: "grpc-timeout", Value: strconv.FormatInt(int64(n), 10) + unit.name}}
		}
	}
	return nil // no Duration is so long
}
