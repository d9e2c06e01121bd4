package httpjson

import (
	"encoding/json"
	"testing"

	"rpcbench/internal/stack"
)

// FuzzBatch: a batch in JSON is never decoded into more operations than were counted.
func FuzzBatch(f *testing.F) {
	for _, text := range []string{
		`{"operations":[{"id":"7","payload":"AAAA"},{}],"responseBytes":8}`, `{"operations":[1,1,1,1]}`, `{"operations":[null,null]}`,
		`{"operations":[[],[]]}`, `{"operations":[],"operations":[{},{}]}`, "[", "",
	} {
		f.Add([]byte(text), 1)
	}
	f.Fuzz(func(t *testing.T, text []byte, most int) {
		most = max(0, most%1000)
		const spare = 32 // twice what JSONBatchExceeds leaves for what is around
		var decoded batch
		_ = json.Unmarshal(text, &decoded) // what is wrong may be decoded in part
		if !stack.JSONBatchExceeds(text, most) && len(decoded.Operations) > 2*most+spare {
			t.Errorf("%s has %d operations, and is said to have about %d at most", text, len(decoded.Operations), most)
		}
	})
}
