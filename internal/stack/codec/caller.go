package codec

import (
	"bytes"
	"context"
	"time"

	"rpcbench/internal/stack"
)

// stretches is the number of parts of a call. Between them it checks whether the call was canceled.
const stretches = 64

// A caller performs the operations of one call. It keeps the last result, so that no compiler can leave one out.
type caller struct {
	operations
	decodes     bool
	calibration stack.Calibration
	encoded     []byte // what encode must write and decode reads
	wrote       []byte // by the last encode
	read        any    // by the last decode
}

// prepare checks the codec and calibrates the call.
func (c *caller) prepare(now func() time.Time, sample time.Duration) (err error) {
	if c.encoded, err = c.check(); err != nil {
		return err
	}
	found := &c.calibration
	found.EncodedBytes = len(c.encoded)
	if found.PlainBytes, err = c.plainBytes(c.encoded); err != nil {
		return err
	}
	if found.GzippedBytes, err = c.gzippedBytes(c.encoded); err != nil {
		return err
	}
	found.Repeat, err = calibrate(now, sample, c.run)
	return err
}

// Calibration implements stack.Calibrated.
func (c *caller) Calibration() stack.Calibration { return c.calibration }

// Call implements stack.Caller.
func (c *caller) Call(ctx context.Context) error {
	left := c.calibration.Repeat
	for stretch := max(1, left/stretches); left > 0; left -= stretch {
		if err := ctx.Err(); err != nil {
			return stack.Failure(ctx, stack.Canceled, err)
		}
		if err := c.run(min(stretch, left)); err != nil {
			return stack.Errorf(stack.Internal, "%w", err)
		}
	}
	return nil
}

// After implements stack.Caller: the last result must be right.
func (c *caller) After() error {
	wrote, read := c.wrote, c.read
	c.wrote, c.read = nil, nil
	if wrote != nil && !bytes.Equal(wrote, c.encoded) {
		return stack.Errorf(stack.Mismatch, "the last encoding differs from the first")
	}
	if read == nil {
		return nil
	}
	if d := difference(read, c.object); d != "" {
		return stack.Errorf(stack.Mismatch, "the last message decoded is wrong: %s", d)
	}
	return nil
}

// run performs n operations.
func (c *caller) run(n int64) (err error) {
	if c.decodes {
		for range n {
			if c.read, err = c.decode(c.encoded); err != nil {
				return err
			}
		}
		return nil
	}
	for range n {
		if c.wrote, err = c.encode(); err != nil {
			return err
		}
	}
	return nil
}
