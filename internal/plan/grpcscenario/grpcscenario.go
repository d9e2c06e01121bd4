// Package grpcscenario converts the scenarios of gRPC's benchmarks: Scenarios in JSON, which gRPC's driver reads, and the
// names that its scenario_config defines.
//
// Each field is mapped to one of our keys, named in the scenario's note if it is about gRPC's libraries, or refused by name.
// The package is pure.
package grpcscenario

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	testpb "google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/protobuf/encoding/protojson"

	"rpcbench/internal/call/jsonbound"
	"rpcbench/internal/call/plain"
	"rpcbench/internal/plan/scenario"
)

// BytesMax bounds a file: a scenario takes about 1.5 kB of it.
const BytesMax = 256 << 10

// maxScenarios limits the scenarios in one file.
const maxScenarios = 150

var limits = jsonbound.Limits{Depth: 20, Members: 10_000, Values: 100_000}

// Workers are the stacks of gRPC's own workers that run already; none has our stacks do the work.
type Workers struct {
	Server, Client string
	Clients        int // that there are for a scenario which takes all
}

// Parse reads Scenarios in JSON. The file name is for error messages. Every error is a *scenario.Error.
func Parse(filename string, data []byte, w Workers) (scenario.Scenario, error) {
	theirs, err := read(data)
	if err != nil {
		return scenario.Scenario{}, scenario.Errorf(filename, "%v", err)
	}
	return made(filename, theirs, w)
}

// read decodes, within bounds.
func read(data []byte) ([]*testpb.Scenario, error) {
	if len(data) > BytesMax {
		return nil, fmt.Errorf("the file is larger than %d bytes, the limit for Scenarios in JSON", BytesMax)
	}
	if err := limits.Check(data); err != nil {
		return nil, err
	}
	whole := &testpb.Scenarios{}
	if err := protojson.Unmarshal(listed(data), whole); err != nil {
		return nil, errors.New("it is not Scenarios of gRPC's benchmarks in JSON: " + syntax(err))
	}
	switch n := len(whole.GetScenarios()); {
	case n == 0:
		return nil, errors.New("scenarios is missing or empty")
	case n > maxScenarios:
		return nil, fmt.Errorf("there are %d scenarios; a file may have %d", n, maxScenarios)
	}
	return whole.GetScenarios(), nil
}

// listed wraps a single scenario in a list, because gRPC's generator writes it alone and its driver reads it.
func listed(data []byte) []byte {
	var top map[string]json.RawMessage
	if json.Unmarshal(data, &top) != nil || len(top) != 1 || !strings.HasPrefix(strings.TrimSpace(string(top["scenarios"])), "{") {
		return data
	}
	return fmt.Appendf(nil, `{"scenarios":[%s]}`, top["scenarios"])
}

// place is how protojson says where something is.
var place = regexp.MustCompile(`^proto:\s*(?:syntax error )?\(line (\d+):(\d+)\): `)

// syntax returns protojson's message, without its spaces that change from build to build.
func syntax(err error) string {
	text := strings.ReplaceAll(err.Error(), "\u00a0", " ")
	if at := place.FindStringSubmatch(text); at != nil {
		text = fmt.Sprintf("line %s, column %s: %s", at[1], at[2], strings.TrimPrefix(text, at[0]))
	}
	return plain.Short(strings.TrimPrefix(text, "proto: "), 200)
}
