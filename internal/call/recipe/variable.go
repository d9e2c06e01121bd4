package recipe

import (
	"os"
	"slices"

	"rpcbench/internal/call/request"
)

// variables resolves the environment variables that a message names.
type variables struct {
	message Message
	kept    map[string]string // their values, for processes with another environment
	named   []Variable        // by files, and not allowed yet
	granted []Variable
}

func (m Message) variables(kept map[string]string) *variables {
	return &variables{message: m, kept: kept}
}

func (v *variables) options() request.Options {
	return request.Options{LookUp: v.lookUp, Noted: v.note}
}

func (v *variables) lookUp(name string) (string, bool) {
	lookUp := v.message.LookUp
	if lookUp == nil {
		lookUp = os.LookupEnv
	}
	value, ok := lookUp(name)
	if ok {
		v.kept[name] = value
	}
	return value, ok
}

func (v *variables) note(file, name string) {
	variable := Variable{file, name}
	if !slices.Contains(v.named, variable) && !slices.Contains(v.granted, variable) {
		v.named = append(v.named, variable)
	}
}

// allowed asks whether those that files have named since it was last asked may be sent.
func (v *variables) allowed() error {
	if len(v.named) == 0 || v.message.Allow == nil {
		return nil
	}
	if err := v.message.Allow(v.named); err != nil {
		return err
	}
	v.granted, v.named = append(v.granted, v.named...), nil
	return nil
}
