package control

import (
	"fmt"
)

// A FaultError is a worker's Fault.
type FaultError struct {
	Field   string // of the Command; empty when no field is to blame
	Message string
}

func (e *FaultError) Error() string {
	if e.Field == "" {
		return e.Message
	}
	return fmt.Sprintf("%s: %s", e.Field, e.Message)
}

// Faultf makes the Fault that blames field.
func Faultf(field, format string, args ...any) *FaultError {
	return &FaultError{Field: field, Message: fmt.Sprintf(format, args...)}
}
