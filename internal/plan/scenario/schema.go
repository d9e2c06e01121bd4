package scenario

import (
	"encoding/json"
	"maps"

	"rpcbench/internal/plan/point"
	"rpcbench/internal/stack"
)

// A schema is a part of a JSON Schema.
type schema map[string]any

// Schema returns the JSON Schema of a scenario, with which editors complete keys and mark unknown ones. It is generated from the
// declarations of keys, and of the options of stacks. It covers only the shape of values, and the client options of cases with
// one of these stacks; rpcbench plan checks the rest.
func Schema(stacks []stack.Info) ([]byte, error) {
	text := schema{"type": "string"}
	keys := schema{}
	for _, key := range point.Keys() {
		keys[key.Name] = keySchema(key)
	}
	keys["kind"] = oneOrList(point.Kinds(), "the kind of call, or a list of kinds")
	defaults, one := closed(keys), schema{"title": describedAs("heading of the table")}
	maps.Copy(one, keys)
	whole := closed(schema{
		"name": text, "note": text,
		"question": describedAs("the sentence that the scenario answers"),
		"defaults": defaults,
		"cases":    schema{"type": "array", "minItems": 1, "items": withOptions(closed(one), stacks)},
	})
	whole["$schema"], whole["title"] = "https://json-schema.org/draft/2020-12/schema", "scenario of rpcbench"
	whole["required"] = []string{"cases", "name", "question"}
	made, err := json.MarshalIndent(whole, "", "  ")
	return append(made, '\n'), err
}

// closed is a map without other keys than these.
func closed(keys schema) schema {
	return schema{"type": "object", "properties": keys, "additionalProperties": false}
}

func describedAs(text string) schema { return schema{"type": "string", "description": text} }

// oneOrList is the schema of one of a few words, or a list of them.
func oneOrList(words []string, description string) schema {
	one := schema{"enum": words}
	return schema{"description": description, "anyOf": []schema{one, {"type": "array", "items": one}}}
}

// keySchema is the shape of a key's value: a list only where the key is an axis or a list itself, and the words where it has
// but a few.
func keySchema(key *point.Key) schema {
	types := []string{"string", "number", "boolean", "object", "null"}
	if key.Axis || key.List {
		types = append(types, "array")
	}
	described := key.Values
	if key.Otherwise != "" {
		described += " (default: " + key.Otherwise + ")"
	}
	switch words := key.Choices(); {
	case words != nil && key.Axis:
		return oneOrList(words, described)
	case words != nil:
		return schema{"enum": words, "description": described}
	default:
		return schema{"type": types, "description": described}
	}
}
