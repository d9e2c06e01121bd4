package permission

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// The keys of permissions. All of a benchmark server's methods need read.
const (
	read  = "Read"
	in    = "In"
	notIn = "NotIn"
)

// Parse parses permissions such as {"Read": {"In": ["root:alice"], "NotIn": ["root:alice:guest"]}}. Keys must be spelled exactly
// so and occur once, because access must not depend on which of two is read.
func Parse(text string) (List, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	var list List
	err := object(decoder, func(tag string) error {
		if tag != read {
			return &misspelledError{fmt.Sprintf("the tag %q is not supported: all methods need %s", tag, read)}
		}
		return object(decoder, func(key string) error {
			switch key {
			case in:
				return decoder.Decode(&list.In)
			case notIn:
				return decoder.Decode(&list.NotIn)
			default:
				return &misspelledError{fmt.Sprintf("the key %q is neither %s nor %s", key, in, notIn)}
			}
		})
	})
	if misspelled, ok := errors.AsType[*misspelledError](err); ok {
		return List{}, misspelled
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return List{}, fmt.Errorf(`%q is not a permission such as {"Read": {"In": ["..."]}}: %w`, text, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return List{}, fmt.Errorf("%q has data after the end of the object", text)
	}
	if err := list.Check(); err != nil {
		return List{}, err
	}
	return list, nil
}

// A misspelledError is about JSON whose keys are wrong.
type misspelledError struct{ text string }

func (e *misspelledError) Error() string { return e.text }

// object reads a JSON object: value reads that of each key.
func object(decoder *json.Decoder, value func(key string) error) error {
	begin, err := decoder.Token()
	if err != nil {
		return err
	}
	if begin != json.Delim('{') {
		return fmt.Errorf("%v is given; expected an object", begin)
	}
	seen := map[string]bool{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return err
		}
		key, _ := token.(string) // the decoder takes nothing else here
		if seen[key] {
			return &misspelledError{fmt.Sprintf("the key %q is given twice", key)}
		}
		seen[key] = true
		if err := value(key); err != nil {
			return err
		}
	}
	_, err = decoder.Token()
	return err
}
