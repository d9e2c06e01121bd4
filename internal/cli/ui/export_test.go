package ui

// Words waits for a run's end, and returns the lines that it printed.
func Words(r *Run) []string {
	for {
		said, done, changed := r.look()
		if done {
			return said
		}
		<-changed
	}
}
