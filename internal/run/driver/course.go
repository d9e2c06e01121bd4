package driver

import (
	"encoding/base64"
	"fmt"

	"rpcbench/internal/results/result"
	"rpcbench/internal/worker/control"
)

// maxCourseBytes limits how much of its course a trial keeps, to bound memory and the line that is written at the end. A day of
// a client's seconds takes about 300 MB; with histograms of 4 kB it would be 500.
const maxCourseBytes = 512 << 20

// intervalBytes is the size of an interval in memory without its histogram. It takes less in a results file.
const intervalBytes = 160

// A course keeps the intervals of the measured phase, and the histogram of a second once: as a window where all seconds are
// kept, and else where the seconds of several clients are to be merged. It is not for concurrent use.
type course struct {
	seconds bool // all are kept
	most    int  // bytes
	size    int  // bytes so far
	clients []result.Client
}

func (s *sides) newCourse() *course {
	return &course{seconds: s.Seconds, most: maxCourseBytes, clients: s.evidence.Clients}
}

// keep takes a client's next interval. If the course becomes too long, it is dropped for all clients: a part of it could be
// mistaken for the whole.
func (c *course) keep(client int, i *control.Interval) {
	if c.isTooLong() || i.GetEndNs() <= i.GetStartNs() { // a mere sign of life
		return
	}
	r := &c.clients[client].Record
	kept := intervalOf(i)
	if histogram := i.GetResponseHistogram(); len(histogram) > 0 {
		encoded := base64.StdEncoding.EncodeToString(histogram)
		if c.seconds {
			r.Windows = append(r.Windows, result.Window{StartNs: windowsEnd(r.Windows), EndNs: kept.EndNs, Response: encoded})
		} else {
			kept.ResponseHistogram = encoded
		}
		c.size += intervalBytes + len(encoded)
	}
	r.Intervals = append(r.Intervals, kept)
	c.size += intervalBytes
	if c.isTooLong() {
		for client := range c.clients {
			c.clients[client].Intervals, c.clients[client].Windows = nil, nil
		}
	}
}

func (c *course) isTooLong() bool { return c.size > c.most }

// tooLong returns a sentence about what was left out.
func (c *course) tooLong() string {
	return fmt.Sprintf("its intervals and the histograms of its seconds were left out: they take more than %d MiB", c.most>>20)
}

func windowsEnd(windows []result.Window) int64 {
	if len(windows) == 0 {
		return 0
	}
	return windows[len(windows)-1].EndNs
}
