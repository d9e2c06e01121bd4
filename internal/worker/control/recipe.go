package control

import (
	"cmp"

	"google.golang.org/protobuf/reflect/protoreflect"

	"rpcbench/internal/call/recipe"
	"rpcbench/internal/call/request"
)

// FromRecipe returns a call's recipe as it travels to a worker. Its kind travels in Call.
func FromRecipe(r recipe.Recipe) *Recipe {
	made := &Recipe{
		Method: r.Method, Schema: r.Schema, HttpMethod: r.HTTPMethod, Url: r.URL,
		Name: r.Input.Name, Format: r.Input.Format, Requests: r.Input.Text,
		Sample: r.Sample, Seed: r.Seed, Token: r.Token, Authority: r.Authority, Environment: r.Env,
		RowsName: r.Rows.Name, Rows: r.Rows.Text, ExpectStatus: r.ExpectStatus,
	}
	for _, p := range r.Metadata {
		made.Metadata = append(made.Metadata, &Metadatum{Source: p.Source, Name: p.Name, Value: p.Value})
	}
	return made
}

// Dealt returns a copy of a recipe whose calls are numbered as those of one of several clients. It shares what the recipe holds.
func Dealt(r *Recipe, part, parts int) *Recipe {
	made := shallow(r)
	made.Part, made.Parts = uint32(part), uint32(parts)
	return made
}

// Renewed returns a copy of a recipe for another trial: with the token as it is now, empty where that does not change, and a seed
// of UUIDs. It shares what the recipe holds.
func Renewed(r *Recipe, token string, uuidSeed uint64) *Recipe {
	made := shallow(r)
	made.Token, made.UuidSeed = cmp.Or(token, r.GetToken()), uuidSeed
	return made
}

func shallow(r *Recipe) *Recipe {
	made := &Recipe{}
	r.ProtoReflect().Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		made.ProtoReflect().Set(field, value)
		return true
	})
	return made
}

// ToRecipe returns a recipe that has travelled.
func ToRecipe(r *Recipe) recipe.Recipe {
	made := recipe.Recipe{
		Method: r.GetMethod(), Schema: r.GetSchema(), HTTPMethod: r.GetHttpMethod(), URL: r.GetUrl(),
		Input:  request.Input{Name: r.GetName(), Format: r.GetFormat(), Text: r.GetRequests()},
		Rows:   request.Input{Name: r.GetRowsName(), Format: request.FormatCSV, Text: r.GetRows()},
		Sample: r.GetSample(), Seed: r.GetSeed(), UUIDSeed: r.GetUuidSeed(), Token: r.GetToken(),
		Authority: r.GetAuthority(), Env: r.GetEnvironment(), ExpectStatus: r.GetExpectStatus(),
	}
	for _, m := range r.GetMetadata() {
		made.Metadata = append(made.Metadata, request.Pair{Source: m.GetSource(), Name: m.GetName(), Value: m.GetValue()})
	}
	return made
}
