package control

import (
	"rpcbench/internal/call/recipe"
	"rpcbench/internal/call/request"
)

// PrepareFor returns a recipe as a worker's stack reads it.
func PrepareFor(hello *Hello, stack string, recipe *Recipe) (*Recipe, error) {
	for _, info := range hello.GetStacks() {
		if info.GetName() == stack && info.GetPreparedMethods() {
			return Prepare(recipe)
		}
	}
	return recipe, nil
}

// Prepare returns a recipe of a method for stacks with StackInfo.prepared_methods. Its error says what such a stack can't send.
func Prepare(r *Recipe) (*Recipe, error) {
	opened, err := recipe.Open(ToRecipe(r))
	if err != nil {
		return nil, err
	}
	requests, err := opened.Requests.Prepare()
	if err != nil {
		return nil, err
	}
	prepared := &Prepared{}
	for _, messages := range requests {
		made := &PreparedRequest{}
		for _, parts := range messages {
			made.Messages = append(made.Messages, &PreparedMessage{Parts: fromParts(parts)})
		}
		prepared.Requests = append(prepared.Requests, made)
	}
	for _, entry := range opened.Metadata.Prepare() {
		prepared.Metadata = append(prepared.Metadata, &PreparedMetadatum{Name: entry.Name, Parts: fromParts(entry.Parts)})
	}
	return &Recipe{
		Method: r.GetMethod(), Sample: r.GetSample(), Seed: r.GetSeed(), Token: r.GetToken(),
		Authority: r.GetAuthority(), Prepared: prepared,
	}, nil
}

func fromParts(parts []request.Part) []*Part {
	list := make([]*Part, len(parts))
	for i, p := range parts {
		list[i] = &Part{
			Ready: p.Ready, Encoding: Encoding(p.Encoding), Least: p.Least, Most: p.Most, Below: fromParts(p.Below),
		}
		if f := p.Function; f != nil {
			list[i].Function = &Function{Name: f.Name, Place: uint32(f.Place), Numbers: f.Numbers, Texts: f.Texts}
		}
	}
	return list
}
