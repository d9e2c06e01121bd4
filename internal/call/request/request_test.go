package request_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"rpcbench/internal/call/request"
	"rpcbench/internal/call/schema"
)

func TestARequestIsEncodedOnceAndCostsNothing(t *testing.T) { // counts allocations: not beside others
	s := source(t, "Place", `{"id": "a", "price": {"units": "7"}, "items": [{"sku": "x"}], "color": "RED"}`)
	encoded, ok := s.Constant()
	if want := "\x0a\x01aX\x01j\x02\x10\x07r\x03\x0a\x01x"; !ok || string(encoded) != want {
		t.Errorf("got %q, %v, want %q", encoded, ok, want)
	}
	wantMessages(t, s, 5, `{"id":"a", "color":"RED", "price":{"units":"7"}, "items":[{"sku":"x"}]}`)
	wantAllocations(t, s, 0)
}

func TestNothingIsOneEmptyMessage(t *testing.T) {
	t.Parallel()
	if encoded, ok := source(t, "Place", "").Constant(); !ok || len(encoded) != 0 {
		t.Errorf("got %q, %v", encoded, ok)
	}
}

func TestManyRequestsAreTakenInTurn(t *testing.T) { // counts allocations: not beside others
	for text, format := range map[string]string{
		` [{"id": "a"}, {"id": "b"}, {"id": "c"}]`:              "json",
		"{\"id\": \"a\"}\n {\"id\": \"b\"}{\"id\": \"c\"}":      "json",
		"{\"id\": \"a\"}\r\n\n{\"id\": \"b\"}\n{\"id\": \"c\"}": "jsonl",
		"id\na\nb\nc\n": "csv",
	} {
		s := of(t, "Place", format, text, request.Options{})
		if s.Requests() != 3 {
			t.Errorf("%s: %d requests", format, s.Requests())
		}
		for call, want := range []string{"a", "b", "c", "a", "b"} {
			wantMessages(t, s, uint64(call), fmt.Sprintf(`{"id":%q}`, want))
		}
		wantAllocations(t, s, 0)
	}
}

func TestASampleIsTheSeeds(t *testing.T) {
	t.Parallel()
	text := "id\na\nb\nc\nd\n"
	counts := func(seed uint64) (order string, counts map[string]int) {
		s := of(t, "Place", "csv", text, request.Options{Sample: true, Seed: seed})
		counts = map[string]int{}
		for call := range uint64(4000) {
			id := string(appended(t, s, call, 0)[2:])
			order, counts[id] = order+id, counts[id]+1
		}
		return order, counts
	}
	one, seen := counts(1)
	again, _ := counts(1)
	two, _ := counts(2)
	if one != again || one == two {
		t.Errorf("seed 1 gave %.20s and %.20s, seed 2 %.20s", one, again, two)
	}
	for _, id := range []string{"a", "b", "c", "d"} {
		if seen[id] < 880 || seen[id] > 1120 { // 1000 ± 4.4 standard deviations
			t.Errorf("%s was taken %d times of 4000", id, seen[id])
		}
	}
}

func TestAnArrayIsAClientsStream(t *testing.T) {
	t.Parallel()
	for _, method := range []protoreflect.Name{"Upload", "Chat"} {
		s := source(t, method, `[{"id": "a"}, {"id": "b{{message}}"}] {"id": "c"} []`)
		for call, want := range []int{2, 1, 0, 2} {
			if got := s.Messages(uint64(call)); got != want {
				t.Errorf("%s: call %d has %d messages, want %d", method, call, got, want)
			}
		}
		wantMessages(t, s, 0, `{"id":"a"}`, `{"id":"b1"}`, `{"id":"a"}`, `{"id":"b3"}`)
		wantMessages(t, s, 1, `{"id":"c"}`)
		if _, err := s.Append(nil, 2, 0); err == nil || err.Error() != "the stream of call 2 has no message 0" {
			t.Errorf("got %v", err)
		}
	}
}

func TestAnArrayThatIsAMessageIsOne(t *testing.T) {
	t.Parallel()
	s := source(t, "Tally", `[1, "a"]`)
	if s.Requests() != 1 || s.Messages(0) != 1 {
		t.Errorf("%d requests, of %d messages", s.Requests(), s.Messages(0))
	}
}

func TestFunctionsGiveEachCallItsOwn(t *testing.T) {
	t.Parallel()
	s := of(t, "Place", "json", `{"id": "o-{{sequence}}", "number": {{sequence 100 -5}}, "count": {{random 3 3}}, "stamp": `+
		`{{timestamp_ns}}, "created": {{timestamp}}, "card": "{{choose "a\"b"}}", "labels": {"n": "{{.MethodName}}"}, `+
		`"display_name": {{env "SHOP"}}, "tags": ["{{"{{"}}", "{{.RequestNumber}}"], `+
		`"items": [{"sku": "s", "amount": {{randomInt 6 7}}}]}`,
		fixed(0))
	wantMessages(t, s, 7, `{"id":"o-7", "number":"65", "count":3, "stamp":"1700000000000000005", `+
		`"created":"2023-11-14T22:13:20.000000005Z", "card":"a\"b", `+
		`"labels":{"n":"Place"}, "display_name":"a \"shop\"", "tags":["{{", "7"], "items":[{"sku":"s", "amount":6}]}`)
}

func TestRandomValuesAreTheSeedsAndInTheirBounds(t *testing.T) {
	t.Parallel()
	text := `{"count": {{random -2 2}}, "delta": {{randomInt 0 3}}, "id": "{{uuid}}", "card": "{{random_text 5}}", ` +
		`"display_name": "{{randomString 0}}", "token": "{{random_bytes 4}}", "tags": ["{{.UUID}}", "{{.UUID}}", "{{newUUID}}"]}`
	s, same := of(t, "Place", "json", text, fixed(1)), of(t, "Place", "json", text, fixed(1))
	other := of(t, "Place", "json", text, fixed(2))
	counts, deltas := map[int64]int{}, map[int64]int{}
	ids := map[string]bool{}
	for call := range uint64(2000) {
		encoded := appended(t, s, call, 0)
		if string(encoded) != string(appended(t, same, call, 0)) || string(encoded) == string(appended(t, other, call, 0)) {
			t.Fatalf("call %d does not depend on its seed alone", call)
		}
		m := decoded(t, "Place", encoded)
		field := func(name string) string {
			return m.Get(m.Descriptor().Fields().ByTextName(name)).String()
		}
		counts[m.Get(m.Descriptor().Fields().ByTextName("count")).Int()]++
		deltas[m.Get(m.Descriptor().Fields().ByTextName("delta")).Int()]++
		tags := m.Get(m.Descriptor().Fields().ByTextName("tags")).List()
		if tags.Get(0).String() != tags.Get(1).String() || tags.Get(0).String() == tags.Get(2).String() {
			t.Fatalf("call %d has the UUIDs %v, %v, %v", call, tags.Get(0), tags.Get(1), tags.Get(2))
		}
		id := field("id")
		if len(id) != 36 || id[14] != '4' || !strings.ContainsRune("89ab", rune(id[19])) || ids[id] {
			t.Fatalf("%s is no new UUID of version 4", id)
		}
		ids[id] = true
		token := m.Get(m.Descriptor().Fields().ByTextName("token")).Bytes()
		if n := len(field("display_name")); len(field("card")) != 5 || len(token) != 4 || n < 2 || n > 16 {
			t.Fatalf("call %d has texts %q, %q, %q", call, field("card"), field("token"), field("display_name"))
		}
	}
	for v := int64(-2); v <= 2; v++ {
		if counts[v] < 320 || counts[v] > 480 { // 400 ± 4.4 standard deviations
			t.Errorf("%d came %d times of 2000", v, counts[v])
		}
	}
	if len(counts) != 5 || len(deltas) != 3 || deltas[3] != 0 {
		t.Errorf("counts %v, deltas %v", counts, deltas)
	}
}

func TestFillingInAllocatesNothingWhereNoJSONIsNeeded(t *testing.T) { // counts allocations: not beside others
	wantAllocations(t, source(t, "Place", `{"id": "o-{{sequence}}-{{uuid}}", "number": {{random 1 100}}, `+
		`"stamp": "{{timestamp_ns}}", "price": {"units": {{sequence}}}, "labels": {"a": "{{random_text 9}}", "b": "c"}, `+
		`"items": [{"part": {"sku": "{{uuid}}"}}]}`), 0)
}

func TestASourceServesManyAtOnce(t *testing.T) {
	t.Parallel()
	s := source(t, "Place", `[{"id": "{{sequence}}", "count": {{random 1 9}}}, {"created": {{timestamp}}, "weight": {{sequence}}}]`)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for call := range uint64(200) {
				if _, err := s.Append(nil, call, 0); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}

func TestAValueThatNoLongerFitsIsAnError(t *testing.T) {
	t.Parallel()
	s := source(t, "Place", `{"count": {{sequence 2147483646}}}`)
	wantMessages(t, s, 1, `{"count":2147483647}`)
	_, err := s.Append([]byte("x"), 2, 0)
	wantError(t, err, "--data:1:11: field count: 2147483648 is not a whole number from -2147483648 to 2147483647 (int32)")
}

func TestReadyBytesAreSentAsTheyAre(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "order.binpb")
	if err := os.WriteFile(path, []byte("\x0a\x01a"), 0o600); err != nil {
		t.Fatal(err)
	}
	input, err := request.ReadInput("@"+path, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := request.New(method(t, "Place"), input, request.Options{})
	if err != nil {
		t.Fatal(err)
	}
	wantMessages(t, s, 0, `{"id":"a"}`)
	input.Text = []byte("\x0a\x05a")
	_, err = request.New(method(t, "Place"), input, request.Options{})
	if err == nil || !strings.HasPrefix(err.Error(), path+" is not a shop.v1.Order: ") {
		t.Errorf("got %v", err)
	}
}

func TestAByteOrderMarkIsNoPartOfAMessage(t *testing.T) {
	t.Parallel()
	for format, text := range map[string]string{"json": `{"id": "a"}`, "jsonl": `{"id": "a"}` + "\n", "csv": "id\na\n"} {
		wantMessages(t, of(t, "Place", format, "\ufeff"+text, request.Options{}), 0, `{"id": "a"}`)
	}
}

func TestInputComesFromAFlagAFileOrStdin(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	for name, format := range map[string]string{
		"a.json": "json", "a.JSONL": "jsonl", "a.ndjson": "jsonl", "a.csv": "csv", "a": "json",
	} {
		path := filepath.Join(directory, name)
		if err := os.WriteFile(path, []byte("\ufeff{}"), 0o600); err != nil {
			t.Fatal(err)
		}
		input, err := request.ReadInput("@"+path, "", nil)
		if err != nil || input.Name != path || input.Format != format || string(input.Text) != "\ufeff{}" {
			t.Errorf("%s: got %+v, %v", name, input, err)
		}
	}
	input, err := request.ReadInput("@-", "csv", strings.NewReader("id\na"))
	if err != nil || input.Name != "stdin" || input.Format != "csv" || string(input.Text) != "id\na" {
		t.Errorf("stdin: got %+v, %v", input, err)
	}
	for data, want := range map[string]string{
		"@" + directory + "/none": "--data: cannot open " + directory + "/none: no such file or directory",
		"{\"a\": \n \"é\xff\"}":   "--data:2:4: not UTF-8; to send bytes as they are, use --data-format binary",
		"@-":                      "--data: stdin is not available",
	} {
		_, err := request.ReadInput(data, "", nil)
		wantError(t, err, want)
	}
	_, err = request.ReadInput("{}", "yaml", nil)
	wantError(t, err, `unknown format "yaml": formats are json, jsonl, csv, binary`)
	_, err = request.ReadInput("@-", "", endless{})
	wantError(t, err, "--data: stdin is longer than 64 MiB")
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

var shop = sync.OnceValues(func() (*schema.Method, error) {
	return schema.Compile(context.Background(), []string{"shop/v1/shop.proto"}, []string{"../schema/testdata"},
		schema.Name{Service: "shop.v1.Orders", Method: "Place"})
})

func method(t testing.TB, name protoreflect.Name) *schema.Method {
	t.Helper()
	m, err := shop()
	if err != nil {
		t.Fatal(err)
	}
	service, _ := m.Descriptor.Parent().(protoreflect.ServiceDescriptor)
	return &schema.Method{Descriptor: service.Methods().ByName(name), Types: m.Types}
}

// fixed returns options with a seed, a stopped clock and an environment of one variable.
func fixed(seed uint64) request.Options {
	return request.Options{
		Seed: seed,
		Now:  func() time.Time { return time.Unix(1700000000, 5) },
		LookUp: func(name string) (string, bool) {
			return `a "shop"`, name == "SHOP"
		},
	}
}

func of(t testing.TB, name protoreflect.Name, format, text string, options request.Options) *request.Source {
	t.Helper()
	s, err := request.New(method(t, name), request.Input{Name: "--data", Format: format, Text: []byte(text)}, options)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func source(t testing.TB, name protoreflect.Name, data string) *request.Source {
	t.Helper()
	input, err := request.ReadInput(data, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return of(t, name, input.Format, string(input.Text), fixed(0))
}

func appended(t testing.TB, s *request.Source, call uint64, number int) []byte {
	t.Helper()
	encoded, err := s.Append([]byte("before"), call, number)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(encoded), "before") {
		t.Fatalf("Append overwrote what was there: %q", encoded)
	}
	return encoded[len("before"):]
}

func decoded(t testing.TB, name protoreflect.Name, encoded []byte) *dynamicpb.Message {
	t.Helper()
	m := dynamicpb.NewMessage(method(t, name).Descriptor.Input())
	if err := proto.Unmarshal(encoded, m); err != nil {
		t.Fatal(err)
	}
	return m
}

// wantMessages compares the messages of a call with JSON; all are of type Order.
func wantMessages(t *testing.T, s *request.Source, call uint64, texts ...string) {
	t.Helper()
	for i, text := range texts {
		got := decoded(t, "Place", appended(t, s, call, i))
		want := dynamicpb.NewMessage(got.Descriptor())
		if err := (protojson.UnmarshalOptions{Resolver: method(t, "Place").Types}).Unmarshal([]byte(text), want); err != nil {
			t.Fatal(err)
		}
		if !proto.Equal(got, want) {
			t.Errorf("call %d, message %d:\ngot  %v\nwant %v", call, i, got, want)
		}
	}
}

func wantAllocations(t *testing.T, s *request.Source, want float64) {
	t.Helper()
	buffer, call := make([]byte, 0, 4096), uint64(0)
	got := testing.AllocsPerRun(1000, func() {
		call++
		if _, err := s.Append(buffer, call, 0); err != nil {
			t.Fatal(err)
		}
	})
	if got != want {
		t.Errorf("%v allocations a call, want %v", got, want)
	}
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
