package child

import "errors"

// NoSignals says why a Child can't be interrupted, paused and resumed.
const NoSignals = "stopping or interrupting another process is not supported on Windows"

var errNoSignals = errors.New(NoSignals)

// Interrupt is not possible here.
func (c *Child) Interrupt() error { return errNoSignals }

// Pause is not possible here.
func (c *Child) Pause() error { return errNoSignals }

// Resume is not possible here.
func (c *Child) Resume() error { return errNoSignals }

// Paused is not possible here.
func (c *Child) Paused() (bool, error) { return false, errNoSignals }
