package request_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"flag"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/reflect/protoreflect"

	"rpcbench/internal/call/request"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The inputs that are refused, each with the sentence of the golden file.
var refused = []struct {
	method protoreflect.Name
	format string
	text   string
}{
	{"Place", "json", `{"nmber": 1}`},
	{"Place", "json", "{\n  \"id\": \"é\", \"price\": {\"unit\": 1}}"},
	{"Place", "json", `{"items": [{"sku": "a"}, {"part": {"amount": "many"}}]}`},
	{"Place", "json", `{"shelves": {"3": {"skuu": ""}}}`},
	{"Place", "json", `{"shelves": {"a": {}}}`},
	{"Place", "json", `{"count": 3000000000}`},
	{"Place", "json", `{"count": "` + strings.Repeat("9", 100) + `"}`},
	{"Place", "json", `{"number": "9223372036854775808"}`},
	{"Place", "json", `{"stamp": -1}`},
	{"Place", "json", `{"color": "GREEN"}`},
	{"Place", "json", `{"gift": "yes"}`},
	{"Place", "json", `{"created": "yesterday"}`},
	{"Place", "json", `{"id": "a", "id": "b"}`},
	{"Place", "json", `{"card": "a", "voucher": 1}`},
	{"Place", "json", `{"extra": {"@type": "x/none.Such"}}`},
	{"Place", "json", `{"extra": {"@type": "x/shop.v1.Query", "txt": ""}}`},
	{"Place", "json", `{"id": "a",}`},
	{"Place", "json", `{"id": "a"`},
	{"Place", "json", `{"id": 'a'}`},
	{"Place", "json", ` `},
	{"Place", "json", `[]`},
	{"Place", "json", `7`},
	{"Place", "json", `[{"id": "a"}, 7]`},
	{"Place", "json", "[{\"id\": \"a\"},\n {\"di\": \"b\"}]"},
	{"Place", "json", `{"id": {{uuid}}, "nmber": {{sequence}}}`},
	{"Place", "json", `{"id": "{{uuid}}-{{uuid}}", "count": {{random 1 5000000000}}}`},
	{"Place", "json", `{"count": "{{uuid}}"}`},
	{"Place", "json", `{"id": {{sequence}}}`},
	{"Place", "json", `{{uuid}}`},
	{"Place", "json", `{"id": "a"} {{sequence}}`},
	{"Place", "json", `[{"id": "a"}, {{uuid}}]`},
	{"Place", "json", `{"id": "a\ud800"}`},
	{"Place", "json", `{"id": "\\ud800\ud83d\ude00\udc00abcdef"}`},
	{"Place", "json", `{"id": "{{uuid}}\ud800\ud800"}`},
	{"Place", "json", `{"id": "{{sequnce}}"}`},
	{"Place", "json", `{"id": "{{.WorkerID}}"}`},
	{"Place", "json", `{"id": "{{.MethodNam}}"}`},
	{"Place", "json", `{"id": "{{quux_of_all}}"}`},
	{"Place", "json", `{"id": "{{random 1}}"}`},
	{"Place", "json", `{"id": "{{random 5 1}}"}`},
	{"Place", "json", `{"id": "{{randomInt 1 1}}"}`},
	{"Place", "json", `{"id": "{{random one 2}}"}`},
	{"Place", "json", `{"id": "{{random_text -1}}"}`},
	{"Place", "json", `{"id": "{{choose}}"}`},
	{"Place", "json", `{"id": "{{choose "a""b"}}"}`},
	{"Place", "json", `{"id": "{{env "NONE"}}"}`},
	{"Place", "json", `{"id": "{{env 7}}"}`},
	{"Place", "json", `{"count": {{env "SHOP"}}}`},
	{"Place", "json", `{"count": "1{{env "SHOP"}}"}`},
	{"Place", "json", `{"{{env "SHOP"}}": 1}`},
	{"Place", "json", `{"shelves": {"{{env "SHOP"}}": {}}}`},
	{"Place", "json", `{"id": "{{sequence "a"}}"}`},
	{"Place", "json", `{"id": "{{range $i := .List}}"}`},
	{"Place", "json", `{"id": "{{}}"}`},
	{"Place", "json", `{"id": "{{uuid}"}`},
	{"Place", "json", `{"id": "{{choose "a}}"}`},
	{"Place", "json", `{"id": "{{choose "\q"}}"}`},
	{"Place", "jsonl", "{\"id\": \"a\"}\n\n {\"id\": 7}\n"},
	{"Place", "jsonl", "{\"id\": \"a\"}\n{\"id\": \"b\"} {}\n"},
	{"Place", "jsonl", "{\"id\": \"a\"}\n [{\"id\": \"b\"}]\n"},
	{"Place", "jsonl", "{\"id\":\n \"a\"}\n"},
	{"Place", "jsonl", "\n"},
	{"Upload", "jsonl", "[{\"id\": \"a\"}]\n[{}, {\"id\": \"b\", \"no\": 1}]\n"},
	{"Upload", "json", `[{"id": "a"}, {"price": 1}]`},
	{"Place", "csv", ""},
	{"Place", "csv", "id\n"},
	{"Place", "csv", "id,nmber\na,1\n"},
	{"Place", "csv", "id,price.unitz\na,1\n"},
	{"Place", "csv", "items.0.sku\na\n"},
	{"Place", "csv", "id.x\na\n"},
	{"Place", "csv", "created.seconds\n1\n"},
	{"Place", "csv", "labels.a.b\n1\n"},
	{"Place", "csv", "id,id\na,b\n"},
	{"Place", "csv", "price.units,price\n1,{}\n"},
	{"Place", "csv", "price,price.units\n{},1\n"},
	{"Place", "csv", "id,\na,1\n"},
	{"Place", "csv", "id,count\na\n"},
	{"Place", "csv", "id,count\n\"a\n"},
	{"Place", "csv", "id,count,gift\na,1,true\nb,\"many\",true\n"},
	{"Place", "csv", "id,price.units\na,1\nb,x\n"},
	{"Place", "csv", "id,gift\na,TRUE\n"},
	{"Place", "csv", "id,sizes\na,\"1,2\"\n"},
	{"Place", "csv", "id,sizes\na,\"[1, \"\"b\"\"]\"\n"},
	{"Place", "csv", "id,price\na,7\n"},
	{"Place", "csv", "id,price\na,[\n"},
	{"Place", "csv", "id,labels\na,b\n"},
	{"Place", "csv", "id,created\na,yesterday\n"},
	{"Place", "csv", "id,color\na,-\n"},
	{"Place", "csv", "id,color\na,01\n"},
	{"Place", "csv", "id,count\na,{{sequence}}\nb,{{sequnce}}\n"},
	{"Place", "csv", "id,count\na,{{uuid\n"},
	{"Place", "yaml", "id: a"},
}

func TestARequestThatDoesNotFitIsOneSentenceWithItsPlace(t *testing.T) {
	t.Parallel()
	var got strings.Builder
	for _, r := range refused {
		input := request.Input{Name: "in." + r.format, Format: r.format, Text: []byte(r.text)}
		_, err := request.New(method(t, r.method), input, fixed(0))
		if err == nil {
			t.Errorf("%s %q is taken", r.format, r.text)
			continue
		}
		fmt.Fprintf(&got, "%.90q\n    %v\n", r.text, err)
	}
	golden := filepath.Join("testdata", "refused.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Error(d)
	}
}
