package plan

import "math/rand/v2"

// interleave makes the trials in order of execution: a block for each repetition, every block in its own random order
// drawn from the seed. Only the first repetition needs processes of its own, where others may reuse them.
func interleave(demands []*demand, config Config) []Trial {
	random := rand.New(rand.NewPCG(config.Seed, 0))
	var trials []Trial
	for repetition := 1; ; repetition++ {
		block := len(trials)
		for _, d := range demands {
			if t, ok := d.trial(repetition); ok {
				t.Reuse = config.Reuse && repetition > 1
				trials = append(trials, t)
			}
		}
		if len(trials) == block {
			return trials
		}
		random.Shuffle(len(trials)-block, func(i, j int) {
			trials[block+i], trials[block+j] = trials[block+j], trials[block+i]
		})
	}
}
