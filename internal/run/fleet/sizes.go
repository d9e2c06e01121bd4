package fleet

import (
	"fmt"

	"rpcbench/internal/call/infile"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
)

// readSizes reads the files of lengths that scenarios name.
func readSizes(scenarios []scenario.Scenario) (map[string][]stack.SizeBin, error) {
	read := map[string][]stack.SizeBin{}
	for _, s := range scenarios {
		for _, c := range s.Cases {
			for _, key := range point.SizesFileKeys {
				for i, p := range c.Each(key) {
					for _, path := range p.SizesFiles() {
						bins, err := sizesIn(path)
						if err != nil {
							return nil, scenario.Errorf(c.Where(key, i), "%s: %v", key, err)
						}
						read[path] = bins
					}
				}
			}
		}
	}
	return read, nil
}

func sizesIn(path string) ([]stack.SizeBin, error) {
	file, err := infile.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	bins, err := point.ReadSizes(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return bins, nil
}
