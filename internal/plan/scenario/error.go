package scenario

import "rpcbench/internal/plan/point"

// An Error is bad input: the user wrote something that can't be meant. Package plan reports its refusals as the same
// type, so that a caller knows bad input by it.
type Error = point.Error

// Errorf makes an Error.
func Errorf(where, format string, args ...any) *Error { return point.Errorf(where, format, args...) }
