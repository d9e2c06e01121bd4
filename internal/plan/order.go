package plan

import "math/rand/v2"

// interleave makes the trials in order of execution: a block for each repetition, every block in its own random order
// drawn from the seed.
func interleave(demands []*demand, seed uint64) []Trial {
	random := rand.New(rand.NewPCG(seed, 0))
	var trials []Trial
	for repetition := 1; ; repetition++ {
		block := len(trials)
		for _, d := range demands {
			if t, ok := d.trial(repetition); ok {
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
