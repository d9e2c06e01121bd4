package service

import (
	"context"
	"math/rand/v2"
	"time"

	"rpcbench/internal/call/once"
	"rpcbench/internal/plan"
	"rpcbench/internal/plan/point"
	"rpcbench/internal/worker"
	"rpcbench/internal/worker/control"
)

// Once makes one call of a trial of the service at, or one of each call of a mix.
func (s *Services) Once(ctx context.Context, at point.Service, trial plan.Trial) ([]*once.Exchange, error) {
	foreign := s.Of(trial)
	config, err := worker.ClientTLS(foreign.Security)
	if err != nil {
		return nil, err
	}
	recipes := []*control.Recipe{foreign.Recipe}
	if foreign.Mix != nil {
		recipes = nil
		for _, r := range foreign.Mix.GetRecipes() {
			recipes = append(recipes, r.GetRecipe())
		}
	}
	var made []*once.Exchange
	for _, r := range recipes {
		one, err := once.Call(ctx, once.Config{
			Network: at.Target.Network, Address: at.Target.Address, TLS: config, HTTP2: at.HTTP2,
			Compression: trial.Spec.Compression, Deadline: time.Duration(trial.Spec.DeadlineNs),
			Recipe: control.ToRecipe(control.Renewed(r, "", rand.Uint64())),
		})
		if err != nil {
			return made, err
		}
		made = append(made, one)
	}
	return made, nil
}
