package scenario

import (
	"strconv"

	"rpcbench/internal/stack"
)

// wholeNumber matches a number as options take it in text.
const wholeNumber = "^(0|-?[1-9][0-9]*)$"

// withOptions adds to the schema of a case what the options of its client take, if it names one of the stacks. Other options may
// be its server's.
func withOptions(one schema, stacks []stack.Info) schema {
	var rules []schema
	for _, info := range stacks {
		values := schema{}
		for _, o := range info.ClientOptions() {
			values[o.Name] = optionSchema(o)
		}
		if len(values) == 0 {
			continue
		}
		rules = append(rules, schema{
			"if":   schema{"properties": schema{"stack": schema{"const": info.Name}}, "required": []string{"stack"}},
			"then": schema{"properties": schema{"options": schema{"properties": values, "items": schema{"properties": values}}}},
		})
	}
	if rules != nil {
		one["allOf"] = rules
	}
	return one
}

// optionSchema is the schema of an option's value, which YAML writes as text, a number or a boolean.
func optionSchema(o stack.Option) schema {
	help := o.Help
	if o.Default != "" {
		help += " (default: " + o.Default + ")"
	}
	if o.TakesText() {
		return schema{"description": help}
	}
	var either []schema
	if len(o.Words) > 0 {
		var words []any
		for _, word := range o.Words {
			words = append(words, word)
			if b, err := strconv.ParseBool(word); err == nil && strconv.FormatBool(b) == word {
				words = append(words, b)
			}
		}
		either = append(either, schema{"enum": words})
	}
	if o.Numbers != (stack.Range{}) {
		either = append(either, schema{"type": "integer", "minimum": o.Numbers.Min, "maximum": o.Numbers.Max},
			schema{"type": "string", "pattern": wholeNumber})
	}
	return schema{"description": help, "anyOf": either}
}
