package driver

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"rpcbench/internal/plan"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
	"rpcbench/internal/worker/credential"
)

// clientSeed returns the seed for random choices in which clients must differ. The first client's is the run's own.
func clientSeed(seed uint64, client int) uint64 { return seed + uint64(client)<<32 }

// dealAddresses returns where the connections of one of several clients go, so that all clients together deal theirs to the
// addresses as one would.
func dealAddresses(addresses []string, client, clients, connections int) []string {
	if clients == 1 {
		return addresses
	}
	dealt := make([]string, connections)
	for i := range dealt {
		dealt[i] = addresses[(client+i*clients)%len(addresses)]
	}
	return dealt
}

// connect makes a client's Connect. Coding has nothing but a message and a codec.
func (s *sides) connect(client int, addresses []string) (*control.Connect, error) {
	hello := s.clients[client].Hello
	connections := s.spec.OfClient(client).Connections
	if codes(s.spec) {
		return &control.Connect{
			Stack: s.spec.Stack, Connections: uint32(connections), InFlight: uint32(s.spec.InFlight),
			Options: known(s.spec.Options, hello, s.spec.Stack, (*control.OptionInfo).GetClient),
			Call: &control.Call{
				Kind: s.spec.Kind, Message: s.spec.Message, Codec: s.spec.Codec, SampleNs: s.spec.SampleNs, Seed: s.Seed,
				DeadlineNs: s.spec.DeadlineNs,
			},
		}, nil
	}
	connect := &control.Connect{
		Stack: s.spec.Stack, Network: s.spec.Network, Security: s.clientSecurity(),
		Addresses:   dealAddresses(addresses, client, len(s.clients), connections),
		Options:     known(s.spec.Options, hello, s.spec.Stack, (*control.OptionInfo).GetClient),
		Connections: uint32(connections), InFlight: uint32(s.spec.InFlight), Streams: uint32(s.spec.Streams),
		Call: &control.Call{
			Kind: s.spec.Kind, RequestBytes: uint32(s.spec.RequestBytes), ResponseBytes: uint32(s.spec.ResponseBytes),
			Messages: uint32(s.spec.Messages), Compression: s.spec.Compression, Payload: s.spec.Payload, Seed: s.Seed,
			DeadlineNs: s.spec.DeadlineNs, LengthsOnly: s.spec.LengthsOnly, Batch: uint32(s.spec.Batch),
			MessagesPerStream: uint32(s.spec.MessagesPerStream),
		},
	}
	if here := s.clientsOn(s.clients[client].Host().ID); here > 1 {
		connect.ClientsHere = uint32(here)
	}
	if s.spec.Method != nil {
		if err := s.addRecipes(connect.Call, hello, client); err != nil {
			return nil, err
		}
	}
	addDrawn(connect.Call, s.spec, clientSeed(s.Seed, client))
	connect.IdleStreams = uint32(s.spec.IdleStreams)
	if b := s.spec.Background; b != nil {
		connect.Background = &control.Background{
			Kind: b.Kind, RequestBytes: uint32(b.RequestBytes), ResponseBytes: uint32(b.ResponseBytes), Messages: uint32(b.Messages),
		}
	}
	return connect, nil
}

// addRecipes adds what a foreign service is called by. All clients have the same seeds, as each draws for calls of its own
// numbers. UUIDs alone are other ones at every Connect: a server may refuse, or answer faster, what it has seen in another trial.
func (s *sides) addRecipes(call *control.Call, hello *control.Hello, client int) (err error) {
	token := ""
	if s.foreign.Token != nil {
		if token, err = s.foreign.Token(); err != nil {
			return err
		}
	}
	prepared := func(r *control.Recipe) (*control.Recipe, error) {
		recipe, err := control.PrepareFor(hello, s.spec.Stack, r)
		if err != nil {
			return nil, err
		}
		if len(s.clients) > 1 {
			recipe = control.Dealt(recipe, client, len(s.clients))
		}
		return control.Renewed(recipe, token, rand.Uint64()), nil
	}
	call.Seed, call.MessageRatePerSec = 0, s.spec.MessageRatePerSec
	if s.foreign.Mix == nil {
		call.Recipe, err = prepared(s.foreign.Recipe)
		return err
	}
	call.Mix = &control.Mix{Seed: s.foreign.Mix.GetSeed()}
	for _, r := range s.foreign.Mix.GetRecipes() {
		one := &control.MixedRecipe{Weight: r.GetWeight()}
		if one.Recipe, err = prepared(r.GetRecipe()); err != nil {
			return err
		}
		call.Mix.Recipes = append(call.Mix.Recipes, one)
	}
	return nil
}

// addDrawn adds the randomly drawn parts of a call.
func addDrawn(call *control.Call, spec plan.Spec, seed uint64) {
	if spec.RequestSizes != nil || spec.ResponseSizes != nil {
		call.Sizes = &control.Sizes{Seed: seed, Requests: binsOf(spec.RequestSizes), Replies: binsOf(spec.ResponseSizes)}
	}
	if spec.Records > 0 {
		mix := spec.Mix()
		call.Accesses = &control.Accesses{
			Seed: seed, Records: mix.Records, ReadsPerMillion: uint32(mix.ReadsPerMillion), ZipfTheta: mix.Theta, ZipfZeta: mix.Zeta,
		}
		call.ResponseBytes = call.GetRequestBytes() // of upload too, whose last message is answered
	}
}

func binsOf(sizes *plan.Sizes) []*control.SizeBin {
	var bins []*control.SizeBin
	for _, b := range sizes.Drawn() {
		bins = append(bins, &control.SizeBin{Least: uint32(b.Least), Most: uint32(b.Most), Weight: b.Weight})
	}
	return bins
}

// clientsOn returns how many clients run on a host.
func (s *sides) clientsOn(host string) (n int) {
	for _, client := range s.clients {
		if client.Host().ID == host {
			n++
		}
	}
	return n
}

func (s *sides) clientSecurity() *control.Security {
	if s.spec.Target != "" && s.foreign.Security != nil {
		return s.foreign.Security
	}
	return s.security(s.keys().Client)
}

// keys returns the keys of the run, or gRPC's test keys if a process has no others.
func (s *sides) keys() credential.Set {
	if slices.ContainsFunc(s.both(), func(p namedProcess) bool { return p.Hello.GetTestKeys() }) {
		return credential.GRPCTest()
	}
	return *s.Keys
}

func (s *sides) security(own credential.Pair) *control.Security {
	security := &control.Security{Mode: s.spec.Security}
	if s.spec.Security != stack.SecurityPlaintext {
		keys := s.keys()
		security.CaPem, security.CertPem, security.KeyPem = keys.CAPEM, own.CertPEM, own.KeyPEM
		security.ServerName = cmp.Or(keys.ServerName, credential.ServerName)
	}
	return security
}

// known picks the options that are for one side. The plan has made sure that each is for one at least.
func known(
	options map[string]string, hello *control.Hello, stack string, forSide func(*control.OptionInfo) bool,
) map[string]string {
	picked := map[string]string{}
	for _, info := range hello.GetStacks() {
		if info.GetName() != stack {
			continue
		}
		for _, option := range info.GetOptions() {
			if value, given := options[option.GetName()]; given && forSide(option) {
				picked[option.GetName()] = value
			}
		}
	}
	return picked
}
