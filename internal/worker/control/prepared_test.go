package control_test

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"rpcbench/internal/call/recipe"
	"rpcbench/internal/call/request"
	"rpcbench/internal/call/schema"
	"rpcbench/internal/worker/control"
)

var update = flag.Bool("update", false, "write testdata")

// Workers in other languages make the same of a prepared recipe as ours makes of its source. Java's PreparedTest reads this file
// too. Its columns are the kind, the seed, the call, the number of the message in its stream or of the entry in the metadata, the
// prepared message or entry, what is sent, and the seed of UUIDs; of a sample, the number of requests and of the chosen one.
func TestAPreparedRecipeSendsWhatItsSourceDoes(t *testing.T) {
	t.Parallel()
	const path = "testdata/prepared.csv"
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	for _, c := range []string{
		`{"id": "fixed", "number": 7}`,
		`{"id": "{{uuid}}", "card": "a{{sequence 5 -3}}b{{random -9 9}}"}`,
		`{"id": "{{.UUID}}{{.UUID}}"}`,
		`{"id": "of a trial: {{uuid}} {{.UUID}}{{random 1 9}}{{.UUID}}", "card": "{{uuid}}"}`,
		`{"id": "{{random_text 200}}", "displayName": "{{random_text 0}}"}`,
		`{"id": "{{choose "ä" "\"" "" 7}}{{choose "one"}}"}`,
		`{"token": "{{random_bytes 7}}", "id": "{{random_bytes 4}}", "card": "{{random_bytes 0}}"}`,
		`{"number": {{sequence -5}}, "count": {{sequence -5}}, "stamp": {{sequence}}, "delta": {{sequence -5}}, ` +
			`"check": {{sequence}}, "offset": {{sequence -5}}, "level": 3}`,
		`{"number": {{random -9223372036854775808 9223372036854775807}}, "stamp": {{random 0 9223372036854775807}}}`,
		`{"id": "a{{column "sku"}}", "number": {{column "count"}}, "card": "{{column "count"}}{{uuid}}", ` +
			`"labels": {"x": {{column "sku"}}}}`,
		`{"id": "sampled {{column "sku"}}{{random 1 9}}", "delta": {{column "count"}}, "card": {{column "sku"}}}`,
		`{"number": {{message}}, "items": [{"sku": "a"}, {"sku": "{{uuid}}", "part": {"part": {"amount": {{random 1 9}}}}}, {}]}`,
		`{"price": {"units": {{sequence}}, "currency": "` + strings.Repeat("x", 300) + `"}, "labels": {"a": "{{uuid}}"}}`,
	} {
		r := orders(t, c)
		r.Rows = request.Input{Name: "rows.csv", Format: request.FormatCSV, Text: []byte("sku,count\n\"ä\",-7\n,8\ncc,9\n")}
		r.Sample = strings.Contains(c, "sampled")
		if strings.Contains(c, "trial") {
			r.UUIDSeed = 1<<62 + 5
		}
		source, prepared := bothOf(t, r)
		for _, call := range []uint64{0, 1, 41, 1_000_003} {
			for number := range 3 {
				want, err := source.Requests.Append(nil, call, number)
				if err != nil {
					t.Fatalf("%s: %v", c, err)
				}
				write(t, w, "message", r, call, number, prepared.GetRequests()[0].GetMessages()[0], want)
			}
			for i, m := range source.Metadata[:len(prepared.GetMetadata())] { // the token is behind
				want, err := m.Append(nil, call)
				if err != nil {
					t.Fatal(err)
				}
				write(t, w, "metadata", r, call, i, prepared.GetMetadata()[i], want)
			}
		}
	}
	picks(t, w)
	w.Flush()
	if *update {
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	known, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(known, out.Bytes()) {
		t.Errorf("%s is not what is sent now (%v); -update writes it", path, err)
	}
}

// picks writes which of seven requests each of some calls sends.
func picks(t *testing.T, w *csv.Writer) {
	t.Helper()
	r := orders(t, strings.Repeat(`{"id": "x"} `, 7))
	for i := range 7 {
		r.Input.Text = bytes.Replace(r.Input.Text, []byte("x"), []byte{byte('0' + i)}, 1)
	}
	r.Sample = true
	source, prepared := bothOf(t, r)
	for call := range uint64(20) {
		sent, err := source.Requests.Append(nil, call, 0)
		if err != nil || len(prepared.GetRequests()) != 7 {
			t.Fatal(err)
		}
		line := []string{
			"sample", strconv.FormatUint(r.Seed, 10), strconv.FormatUint(call, 10), "7", "", string(sent[len(sent)-1:]), "0",
		}
		if err := w.Write(line); err != nil {
			t.Fatal(err)
		}
	}
}

func write(t *testing.T, w *csv.Writer, what string, r recipe.Recipe, call uint64, number int, made proto.Message, want []byte) {
	t.Helper()
	travelling, err := proto.MarshalOptions{Deterministic: true}.Marshal(made)
	if err == nil {
		err = w.Write([]string{
			what, strconv.FormatUint(r.Seed, 10), strconv.FormatUint(call, 10), strconv.Itoa(number),
			base64.StdEncoding.EncodeToString(travelling), base64.StdEncoding.EncodeToString(want),
			strconv.FormatUint(r.UUIDSeed, 10),
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func bothOf(t *testing.T, r recipe.Recipe) (*recipe.Call, *control.Prepared) {
	t.Helper()
	source, err := recipe.Open(r)
	if err != nil {
		t.Fatal(err)
	}
	made, err := control.Prepare(control.FromRecipe(r))
	if err != nil {
		t.Fatal(err)
	}
	if len(made.GetSchema())+len(made.GetRequests())+len(made.GetMetadata())+len(made.GetEnvironment()) > 0 {
		t.Errorf("a prepared recipe has its source: %v", made)
	}
	return source, made.GetPrepared()
}

// orders is a recipe with metadata.
func orders(t *testing.T, text string) recipe.Recipe {
	t.Helper()
	method, err := schema.Compile(t.Context(), []string{"shop/v1/shop.proto"}, []string{"../../call/schema/testdata"},
		schema.Name{Service: "shop.v1.Orders", Method: "Chat"})
	if err != nil {
		t.Fatal(err)
	}
	set, err := method.Set()
	if err != nil {
		t.Fatal(err)
	}
	return recipe.Recipe{
		Method: "shop.v1.Orders/Chat", Schema: set, Seed: 1<<63 + 77, Token: "secret",
		Input: request.Input{Name: "--data", Format: "json", Text: []byte(text)},
		Metadata: []request.Pair{
			{Source: "metadata", Name: "x-id", Value: "a {{uuid}} {{sequence}}"},
			{Source: "metadata", Name: "x-raw-bin", Value: "{{random_bytes 5}}"},
		},
	}
}

func TestWhatCannotBePreparedIsSaid(t *testing.T) {
	t.Parallel()
	r := orders(t, `{"id": "a"} {"weight": {{sequence}}}`)
	_, err := control.Prepare(control.FromRecipe(r))
	if want := "--data:1:13: there is a function in the request in place of"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s…", err, want)
	}
}
