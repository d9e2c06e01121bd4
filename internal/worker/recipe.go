package worker

import (
	"slices"

	"rpcbench/internal/control"
	"rpcbench/internal/recipe"
	"rpcbench/internal/request"
	"rpcbench/internal/stack"
)

// checkRecipe names the first field of a Connect that a call of another service can't have, or that this stack can't do.
func checkRecipe(info stack.Info, c *control.Connect) error {
	call := c.GetCall()
	shared := stack.SharesStreams(call.GetKind())
	switch {
	case !info.Methods:
		return control.Faultf("connect.call.recipe", "%s calls no methods of other services", info.Name)
	case opensByCall(call.GetKind()):
		return control.Faultf("connect.call.recipe", "%s calls no method", call.GetKind())
	case call.GetMessages() > 0 && !stack.HasMessages(call.GetKind()):
		return control.Faultf("connect.call.messages", "%s can't have %d", call.GetKind(), call.GetMessages())
	case shared && (c.GetStreams() == 0 || c.GetStreams() > c.GetInFlight()):
		return control.Faultf("connect.streams", "%d is not between 1 and in_flight, %d", c.GetStreams(), c.GetInFlight())
	case !shared && c.GetStreams() != 0:
		return control.Faultf("connect.streams", "%s has no streams to share", call.GetKind())
	case c.GetBackground() != nil:
		return control.Faultf("connect.background", "there is none beside a recipe")
	}
	if err := checkNoPayload(call); err != nil {
		return err
	}
	return checkNoCodec(call)
}

// checkNoPayload names the first field of what a recipe takes the place of.
func checkNoPayload(call *control.Call) error {
	switch {
	case call.GetRequestBytes() > 0:
		return control.Faultf("connect.call.request_bytes", "the recipe has the requests")
	case call.GetResponseBytes() > 0:
		return control.Faultf("connect.call.response_bytes", "the recipe's replies have any length")
	case call.GetPayload() != "":
		return control.Faultf("connect.call.payload", "the recipe has the requests")
	case call.GetSeed() != 0:
		return control.Faultf("connect.call.seed", "the recipe has its own")
	case call.GetLengthsOnly():
		return control.Faultf("connect.call.lengths_only", "the recipe's replies have any length")
	case call.GetBatch() > 0:
		return control.Faultf("connect.call.batch", "the recipe has no batches")
	default:
		return nil
	}
}

// methodOf makes what an adapter needs of a recipe; nil without one.
func methodOf(r *control.Recipe) (*stack.Method, error) {
	if r == nil {
		return nil, nil
	}
	opened, err := recipe.Open(recipeOf(r))
	if err != nil {
		return nil, control.Faultf("connect.call.recipe", "%v", err)
	}
	if err := opened.Metadata.Refresh(); err != nil {
		return nil, control.Faultf("connect.call.recipe.token_file", "%v", err)
	}
	method := &stack.Method{Path: opened.Method.Path(), Requests: opened.Requests}
	for _, entry := range opened.Metadata {
		method.Metadata = append(method.Metadata, stack.Metadatum{Name: entry.Name, Value: entry})
	}
	return method, nil
}

// recipeOf is the recipe as it travels. Its kind is the Call's.
func recipeOf(r *control.Recipe) recipe.Recipe {
	made := recipe.Recipe{
		Method: r.GetMethod(), Schema: r.GetSchema(),
		Input:  request.Input{Name: r.GetName(), Format: r.GetFormat(), Text: r.GetRequests()},
		Sample: r.GetSample(), Seed: r.GetSeed(), Token: r.GetToken(), TokenFile: r.GetTokenFile(),
		Authority: r.GetAuthority(), Env: r.GetEnvironment(),
	}
	made.Metadata = slices.Grow(made.Metadata, len(r.GetMetadata()))
	for _, m := range r.GetMetadata() {
		made.Metadata = append(made.Metadata, request.Pair{Source: m.GetSource(), Name: m.GetName(), Value: m.GetValue()})
	}
	return made
}
