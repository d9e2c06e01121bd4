package worker

import (
	"fmt"

	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/load"
)

// unheard says in a clause what is known of connections on which the server has said nothing, such as ones whose handshake never
// ends; "" if there is none.
func (w *wire) unheard() string {
	switch opened, silent := w.opened.Load(), w.opened.Load()-w.heard.Load(); {
	case opened == 0:
		return "no socket was connected"
	case silent <= 0:
		return ""
	case opened == 1:
		return "the server sent nothing on its connection"
	default:
		return fmt.Sprintf("the server sent nothing on %d of %d connections", silent, opened)
	}
}

// explain adds to calls that the deadline or the drain has ended, of which nothing else is known, what connections show.
func (w *wire) explain(done *control.Done) {
	unheard := w.unheard()
	if unheard == "" {
		return
	}
	if w.opened.Load() > 1 { // a report counts those of the measured phase, too
		unheard += ", those of the warm-up included"
	}
	for _, o := range done.GetOutcomes() {
		switch {
		case o.GetExample() == load.ErrDeadline.Error():
			o.Example += ": " + unheard
		case o.GetCode() == "UNFINISHED" && o.GetExample() == "":
			o.Example = unheard
		}
	}
	for _, one := range done.GetMixed() {
		w.explain(one)
	}
}
