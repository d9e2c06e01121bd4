package worker

import (
	"fmt"
	"io"
	"time"

	"rpcbench/internal/worker/patience"
)

// TetherLength is how long a worker on another machine waits for a sign of life.
const TetherLength = time.Minute

// Tether is an input that ends with an error when nothing has come for so long: nobody is told when the machine at the
// other end of a connection is gone. Only time in which this process runs counts.
func Tether(in io.Reader, within time.Duration) io.Reader {
	passed, pass := io.Pipe()
	over := func() { pass.CloseWithError(fmt.Errorf("the driver has sent nothing for %v", within)) }
	timer := patience.AfterFunc(time.Now, within, over)
	go func() {
		defer timer.Stop()
		part := make([]byte, 1<<16)
		for {
			n, err := in.Read(part)
			timer.Reset(within)
			if n > 0 {
				_, _ = pass.Write(part[:n]) // what is closed is over
			}
			if err != nil {
				pass.CloseWithError(err)
				return
			}
		}
	}()
	return passed
}
