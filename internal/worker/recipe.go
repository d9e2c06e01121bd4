package worker

import (
	"rpcbench/internal/call/recipe"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// isForeign reports whether calls are of another service than ours.
func isForeign(call *control.Call) bool { return call.GetRecipe() != nil || call.GetMix() != nil }

// checkForeign names the first field of a Connect that calls of another service can't have, or that this stack can't do.
func checkForeign(info stack.Info, c *control.Connect) error {
	if c.GetCall().GetMix() != nil {
		if err := checkMix(info, c.GetCall()); err != nil {
			return err
		}
	}
	return checkRecipe(info, c)
}

// checkRecipe names the first field of a Connect that a call of another service can't have, or that this stack can't do.
func checkRecipe(info stack.Info, c *control.Connect) error {
	call := c.GetCall()
	if call.GetRecipe() != nil {
		if err := checkProtocol(info, call.GetKind(), call.GetRecipe()); err != nil {
			return err
		}
	}
	switch {
	case opensByCall(call.GetKind()):
		return control.Faultf("connect.call.recipe", "%s does not call a method", call.GetKind())
	case c.GetBackground() != nil:
		return control.Faultf("connect.background", "it can't be combined with a recipe")
	}
	if err := checkNoPayload(call); err != nil {
		return err
	}
	if err := checkNoCodec(call); err != nil {
		return err
	}
	return checkNumbers(c)
}

// checkProtocol names the first field that a stack's protocol can't have: a URL is HTTP's, a method gRPC's.
func checkProtocol(info stack.Info, kind string, r *control.Recipe) error {
	isHTTP := r.GetUrl() != ""
	switch {
	case !info.Methods:
		return control.Faultf("connect.call.recipe", "%s does not call other services", info.Name)
	case isHTTP && info.Protocol != stack.ProtocolHTTPJSON:
		return control.Faultf("connect.call.recipe.url", "%s speaks %s", info.Name, info.Protocol)
	case !isHTTP && info.Protocol != stack.ProtocolGRPC:
		return control.Faultf("connect.call.recipe.method", "%s speaks %s", info.Name, info.Protocol)
	case isHTTP && r.GetMethod() != "":
		return control.Faultf("connect.call.recipe.method", "there is a URL")
	case isHTTP && len(r.GetSchema()) > 0:
		return control.Faultf("connect.call.recipe.schema", "HTTP has none")
	case isHTTP && kind != stack.KindUnary:
		return control.Faultf("connect.call.kind", "HTTP has unary calls only")
	case !isHTTP:
		return checkNoURL(r)
	default:
		return nil
	}
}

// checkNoURL names the first field of a method's recipe that only a URL's has.
func checkNoURL(r *control.Recipe) error {
	for field, given := range map[string]string{"http_method": r.GetHttpMethod(), "expect_status": r.GetExpectStatus()} {
		if given != "" {
			return control.Faultf("connect.call.recipe."+field, "there is no URL")
		}
	}
	return nil
}

// checkNoPayload names the first field that a recipe replaces.
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

// setService sets what an adapter needs of a foreign service, if there is a recipe.
func setService(call *stack.Call, r *control.Recipe) error {
	if r == nil {
		return nil
	}
	if r.GetPart() > 0 && r.GetPart() >= r.GetParts() {
		return control.Faultf("connect.call.recipe.part", "there is no part %d of %d", r.GetPart(), r.GetParts())
	}
	opened, err := recipe.Open(control.ToRecipe(r))
	if err != nil {
		return control.Faultf("connect.call.recipe", "%v", err)
	}
	if opened.HTTP != nil {
		call.Resource = &stack.Resource{Verb: opened.HTTP.Method, Headers: opened.Metadata, Requests: opened.HTTP,
			Expected: opened.HTTP.Expected}
		call.Resource.Deal(r.GetPart(), r.GetParts())
	} else {
		call.Method = &stack.Method{Path: opened.Method.Path(), Metadata: opened.Metadata, Requests: opened.Requests}
		call.Method.Deal(r.GetPart(), r.GetParts())
	}
	return nil
}
