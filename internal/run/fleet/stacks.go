package fleet

import (
	"maps"
	"slices"

	"rpcbench/internal/run/manifest"
	"rpcbench/internal/stack"
)

// HostOf finds the other worker that hosts a stack.
func (f *Fleet) HostOf(name string) (manifest.Worker, bool) {
	i := slices.IndexFunc(f.workers, func(w manifest.Worker) bool { return slices.Contains(w.Stacks, name) })
	if i < 0 {
		return manifest.Worker{}, false
	}
	return f.workers[i], true
}

// Own are the binary's own stacks.
func (f *Fleet) Own() []stack.Info { return f.own }

// Infos are the stacks that can be planned: the binary's own, then those of the workers that were asked.
func (f *Fleet) Infos() []stack.Info {
	infos := slices.Clone(f.own)
	for _, w := range f.workers {
		for _, o := range f.heard[w.Name].offers {
			infos = append(infos, o.Info)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(f.builds)) {
		for _, info := range f.builds[path].infos {
			if !slices.ContainsFunc(infos, func(i stack.Info) bool { return i.Name == info.Name }) {
				infos = append(infos, info)
			}
		}
	}
	return infos
}

// Protocols returns the protocols of all stacks by name, "" if the stack's worker was not asked yet.
func (f *Fleet) Protocols() map[string]string {
	protocols := map[string]string{}
	for _, name := range f.Names() {
		protocols[name] = ""
	}
	for _, info := range f.Infos() {
		protocols[info.Name] = info.Protocol
	}
	return protocols
}

// Names are all stacks that can be had, asked or not, in order of the alphabet.
func (f *Fleet) Names() []string {
	var names []string
	for _, info := range f.own {
		names = append(names, info.Name)
	}
	for _, w := range f.workers {
		names = append(names, w.Stacks...)
	}
	slices.Sort(names)
	return names
}

// Servers returns the names of stacks that can serve. For other workers this is unknown until they are asked, so all are
// included.
func (f *Fleet) Servers() []string {
	return slices.DeleteFunc(f.Names(), func(name string) bool {
		return slices.ContainsFunc(f.own, func(i stack.Info) bool { return i.Name == name && !i.Serves })
	})
}
