package cli

// killRunning kills the server that runs, and has no further one started: unlike a worker, it would not notice the end of
// rpcbench.
func (x *experiment) killRunning() {
	x.starting.Lock()
	if x.running != nil {
		x.running.Kill()
	}
}
