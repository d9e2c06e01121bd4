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
		if !stack.JSONBatchExceeds(text, most) && len(decoded.Operations) > 4*most+spare {
			t.Errorf("%s has %d operations, and is said to have about %d at most", text, len(decoded.Operations), most)
		}
	})
}

func TestABatchOfAccessesIsCountedAsItsOperations(t *testing.T) {
	t.Parallel()
	for operations, want := range map[int]bool{50: false, 80: true} {
		call := stack.Call{Kind: stack.KindUnary, Batch: operations, Request: make([]byte, 20), ResponseBytes: 20}
		call.Accesses = stack.NewAccesses(1, stack.Mix{Records: 10}, 20) // writes, which have all fields
		replies := stack.NewReplies(call, 1)
		replies.Begin()
		asked := newBatch(call)
		asked.prepare(replies.Message(0))
		text, err := json.Marshal(asked)
		if err != nil || stack.JSONBatchExceeds(text, 50) != want {
			t.Errorf("%d operations, %v: exceeds 50 is %v", operations, err, !want)
		}
	}
}
