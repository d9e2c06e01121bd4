package worker

import (
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/meter"
)

// watch begins to watch the host, or ends it and says what was seen.
func (w *worker) watch(c *control.Watch) (*control.Watched, error) {
	switch {
	case c.GetEnd() && w.watched == nil:
		return nil, control.Faultf("watch.end", "there is no watch to end")
	case c.GetEnd():
		seen := w.watched()
		w.watched = nil
		return seen, nil
	case w.watched != nil:
		return nil, control.Faultf("watch", "the host is already being watched")
	}
	if err := w.idle("watch"); err != nil {
		return nil, err
	}
	w.watched = meter.New().Begin()
	return &control.Watched{}, nil
}
