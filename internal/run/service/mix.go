package service

import (
	"context"
	"fmt"

	"rpcbench/internal/call/recipe"
	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// resolveMix resolves each call of a mix, as if it were alone.
func (k *known) resolveMix(ctx context.Context, mixed call, security *control.Security) error {
	services, err := mixed.Each()
	if err != nil {
		return err
	}
	k.kind = stack.KindUnary
	k.foreign.Mix = &control.Mix{Seed: mixed.config.Seed}
	var parts []plan.MixedMethod
	for i, s := range services {
		m := mixed.Mix[i]
		config := mixed.config
		config.Seed += uint64(i) << 32 // calls of one number draw other values
		part, resolved, err := resolvePart(ctx, call{s, mixed.file, config, mixed.peer, mixed.rows}, security)
		if err != nil {
			return fmt.Errorf("%s: %w", m.Title(), err)
		}
		part.Name, part.Weight = m.Title(), m.Weight
		parts = append(parts, part)
		one := &control.MixedRecipe{Recipe: control.FromRecipe(resolved), Weight: m.Weight}
		k.foreign.Mix.Recipes = append(k.foreign.Mix.Recipes, one)
		k.foreign.Token = resolved.TokenSource() // which is the same for all
	}
	k.method = point.MixOf(parts)
	return mixed.checkRows(k.method)
}

func resolvePart(ctx context.Context, one call, security *control.Security) (part plan.MixedMethod, _ recipe.Recipe, _ error) {
	resolved, err := one.resolve(ctx, security)
	if err != nil {
		return part, recipe.Recipe{}, err
	}
	if resolved.Kind != stack.KindUnary {
		return part, recipe.Recipe{}, fmt.Errorf("its kind is %s, and a mix has unary calls only: the latency of a stream is "+
			"another measure", resolved.Kind)
	}
	found, err := method(one.Service, resolved)
	if err != nil {
		return part, recipe.Recipe{}, err
	}
	part.Method = *found
	if !found.HasRows() {
		resolved.Rows.Text = nil // another call of the mix has them
	}
	return part, resolved, nil
}
