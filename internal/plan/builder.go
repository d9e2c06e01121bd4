package plan

import (
	"cmp"
	"slices"

	"rpcbench/internal/plan/point"
	"rpcbench/internal/plan/scenario"
	"rpcbench/internal/stack"
)

// A builder collects the points of all cases.
type builder struct {
	stacks  map[string]stack.Info
	all     []stack.Info // but the floor, in the order given
	config  Config
	demands demands
	notes   notes
	planned map[Case]bool   // cases that have a point
	took    map[string]bool // stacks that have a point, on either side
	chosen  map[Case]bool   // cases of which the user chose a point

	programs map[string]*point.Program // others' servers, by their names, which are among the stacks
	jvm      bool                      // a point runs on a JVM
}

func newBuilder(stacks []stack.Info, config Config) *builder {
	b := &builder{
		stacks: map[string]stack.Info{}, config: config, planned: map[Case]bool{}, chosen: map[Case]bool{}, took: map[string]bool{},
		programs: map[string]*point.Program{},
	}
	for _, info := range stacks {
		b.stacks[info.Name] = info
		if info.Name != FloorStack {
			b.all = append(b.all, info)
		}
	}
	return b
}

// add plans a scenario's case.
func (b *builder) add(scenarioName string, c scenario.Case) error {
	pairs, err := b.pairs(c)
	if err != nil {
		return err
	}
	if n := c.Size(TrialsMax) * max(len(pairs), 1); n > TrialsMax {
		return scenario.Errorf(c.Where("title", 0), "case %q has more than %d points", c.Title, TrialsMax)
	}
	use := Case{Scenario: scenarioName, Title: c.Title}
	for _, asked := range c.Points() {
		if err := b.expandHosts(c, &asked); err != nil {
			return err
		}
		for _, p := range pairs {
			for _, spec := range codings(asked.Spec, p.client) {
				if err := b.addPoint(c, use, p, spec, asked.Trials); err != nil {
					return err
				}
			}
		}
		if b.demands.trials > TrialsMax { // at once, because the points that follow take as long as these
			return scenario.Errorf(c.Where("title", 0), "case %q raises the plan above %d trials", c.Title, TrialsMax)
		}
	}
	return nil
}

// expandHosts replaces names that stand for several hosts by those hosts. It fails if they are too many for the case.
func (b *builder) expandHosts(c scenario.Case, asked *point.Asked) (err error) {
	if b.config.Expand == nil {
		return nil
	}
	for _, side := range []struct {
		key   string
		hosts *string
	}{{"client_hosts", &asked.ClientHosts}, {"server_hosts", &asked.ServerHosts}} {
		written := *side.hosts
		if *side.hosts, err = b.config.Expand(written); err != nil {
			return scenario.Errorf(c.Where(side.key, 0), "%s: %v", side.key, err)
		}
		if *side.hosts == written {
			continue
		}
		if err := asked.Check(); err != nil {
			return scenario.Errorf(c.Where(side.key, 0), "%v, as %s stands for %s", err, written, *side.hosts)
		}
	}
	return nil
}

// addPoint plans the repetitions of one pair at one point, and the floor's beside them.
func (b *builder) addPoint(c scenario.Case, use Case, p pair, spec Spec, trials int) error {
	spec.Stack, spec.Server, spec.Protocol = p.client.Name, p.server.Name, p.client.Protocol
	if stack.IsCodec(spec.Kind) {
		spec.Server = ""
	}
	b.suitService(c, &spec)
	b.suitPayload(c, p, &spec)
	if !c.Takes(spec) {
		return nil
	}
	b.chosen[use] = true
	spec = spec.WithSizes(b.config.Sizes)
	if l := cmp.Or(
		p.lacks(spec), b.binaryLacks(spec), b.workerLacks(p, spec), b.hostLacks(p, spec), b.suitServer(p, &spec),
	); l != (lack{}) {
		b.notes.leaveOut(p, l, use, spec)
		return nil
	}
	if err := p.checkOptions(c, spec); err != nil {
		return err
	}
	if err := checkService(c, spec); err != nil {
		return err
	}
	bare := spec
	b.suitBinary(&spec)
	b.suitRuntimes(c, &spec)
	at := b.demands.add(spec, use, trials)
	if first := at.uses[0].Case; !at.calls(c.Service()) {
		return scenario.Errorf(c.Where("title", 0), "the cases %q and %q send different requests, and results could not tell "+
			"them apart: read the requests from files of different names (data_file)", first.Title, c.Title)
	}
	client, _ := b.hostOf(spec, p.client.Name)
	b.notes.host(client.Note)
	b.planned[use] = true
	b.took[p.client.Name], b.took[p.server.Name] = true, true
	if b.config.Floor && c.Service().IsZero() && !stack.IsCodec(spec.Kind) {
		b.addFloor(use, bare, trials)
	}
	return nil
}

// addFloor plans the floor for a point of any stack. There is none for compression and for a background, which a bare
// socket hasn't got.
func (b *builder) addFloor(use Case, spec Spec, trials int) {
	if spec.Compression != stack.CompressionNone || spec.Background != nil {
		return
	}
	info, ok := b.stacks[FloorStack]
	if !ok {
		b.notes.floorMissing(lack{what: "there is no stack " + FloorStack}, spec)
		return
	}
	spec.Stack, spec.Server, spec.Protocol, spec.Options, spec.JVMOptions = info.Name, info.Name, info.Protocol, nil, ""
	spec.Binary, spec.Program, spec.Proxy, spec.LengthsOnly = "", nil, nil, false
	if l := (pair{info, info}).lacks(spec); l != (lack{}) {
		b.notes.floorMissing(l, spec)
		return
	}
	b.demands.add(spec, use, trials).floor = true
}

// check refuses a plan in which a stack that the user named has no trial, or a scenario is empty. An empty case among others is a
// note.
func (b *builder) check(scenarios []scenario.Scenario) error {
	for _, s := range scenarios {
		for _, c := range s.Cases {
			if !b.chosen[Case{s.Name, c.Title}] {
				continue
			}
			if err := b.checkNamed(c, "stack", stacksOf(c)); err != nil {
				return err
			}
			if err := b.checkNamed(c, "server", serversOf(c)); err != nil {
				return err
			}
			if err := b.checkJVMOptions(c); err != nil {
				return err
			}
		}
	}
	return b.checkEmpty(scenarios)
}

// checkEmpty refuses a scenario without a trial, and a plan without one where the user chose cases.
func (b *builder) checkEmpty(scenarios []scenario.Scenario) error {
	for _, s := range scenarios {
		planned := func(c scenario.Case) bool { return b.planned[Case{s.Name, c.Title}] }
		choice := s.Choice()
		switch {
		case slices.ContainsFunc(s.Cases, planned), len(s.Cases) == 0, !choice.IsZero() && len(b.planned) > 0:
		case !choice.IsZero() && len(b.chosen) == 0:
			return scenario.Errorf(choice.String(), "no case matches")
		default:
			return scenario.Errorf("", "scenario %q has no trial left%s", s.Name,
				b.notes.because(func(n *note) bool { return n.of(s.Name) }))
		}
	}
	return nil
}

func (b *builder) checkNamed(c scenario.Case, key string, names []string) error {
	i := slices.IndexFunc(names, func(name string) bool { return name != point.All && !b.took[name] })
	if i < 0 {
		return nil
	}
	return scenario.Errorf(c.Where(key, i), "%s: %s supports no point of the plan%s", key, names[i],
		b.notes.because(func(n *note) bool { return n.pair.client.Name == names[i] || n.pair.server.Name == names[i] }))
}
