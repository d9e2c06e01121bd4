package driver

import (
	"errors"
	"testing"

	"rpcbench/internal/plan"
	"rpcbench/internal/worker/control"
)

// Workers may be on other hosts, where the token's file is not.
func TestEveryConnectHasTheTokenAsItIsNowAndUUIDsOfItsOwn(t *testing.T) {
	t.Parallel()
	recipe, tokens := &control.Recipe{Method: "shop.v1.Orders/Place", Token: "first"}, []string{"second", "third"}
	s := &sides{driver: &driver{}, sideProcesses: sideProcesses{clients: make([]namedProcess, 2)}}
	s.spec = plan.Spec{Stack: "grpc-go"}
	s.foreign = Foreign{Recipe: recipe, Token: func() (string, error) {
		if len(tokens) == 0 {
			return "", errors.New("the file is gone")
		}
		token := tokens[0]
		tokens = tokens[1:]
		return token, nil
	}}
	seeds := map[uint64]bool{}
	for client, token := range []string{"second", "third"} {
		var call control.Call
		if err := s.addRecipes(&call, nil, client); err != nil {
			t.Fatal(err)
		}
		if got := call.GetRecipe(); got.GetToken() != token || got.GetPart() != uint32(client) || got.GetParts() != 2 ||
			got.GetMethod() != recipe.GetMethod() {
			t.Errorf("client %d got %v", client, got)
		}
		seeds[call.GetRecipe().GetUuidSeed()] = true
	}
	if len(seeds) != 2 || recipe.GetToken() != "first" || recipe.GetUuidSeed() != 0 {
		t.Errorf("the seeds are %v; the recipe has become %v", seeds, recipe)
	}
	if err := s.addRecipes(&control.Call{}, nil, 0); err == nil || err.Error() != "the file is gone" {
		t.Errorf("a token that can't be read: %v", err)
	}
	s.foreign = Foreign{Mix: &control.Mix{Recipes: []*control.MixedRecipe{{Recipe: recipe, Weight: 3}}}}
	var call control.Call
	if err := s.addRecipes(&call, nil, 0); err != nil || call.GetMix().GetRecipes()[0].GetRecipe().GetToken() != "first" {
		t.Errorf("of a mix: %v, %v", call.GetMix(), err)
	}
}
