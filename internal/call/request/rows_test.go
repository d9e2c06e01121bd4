package request_test

import (
	"fmt"
	"strings"
	"testing"

	"rpcbench/internal/call/request"
)

func rows(t testing.TB, text string) *request.Rows {
	t.Helper()
	r, err := request.NewRows(request.Input{Name: "rows.csv", Format: request.FormatCSV, Text: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// withRows are options with rows.
func withRows(t testing.TB, text string, sample bool) request.Options {
	t.Helper()
	options := fixed(0)
	options.Rows, options.Sample = rows(t, text), sample
	return options
}

// In path, body and headers, a call has the values of one row; after the last row it is the first again.
func TestACallHasARow(t *testing.T) {
	t.Parallel()
	const table = "id,name, user ,share,ok,zip\n7,\"a b/\",u1,0.5,true,007\n-8,\"say \"\"hi\"\"\",u2,1e3,false,12345\n"
	h, err := request.NewHTTP(request.HTTPConfig{
		URL:     `http://h/{{column "name"}}?id={{column "id"}}`,
		Headers: pairs(t, `x-user: {{column "user"}}`),
		Input: data("json", `{"id": {{column "id"}}, "name": {{column "name"}}, "share": {{column "share"}}, "ok": {{column "ok"}},`+
			` "zip": {{column "zip"}}, "text": "{{column "id"}}"}`),
		Options: withRows(t, table, false),
	})
	if err != nil {
		t.Fatal(err)
	}
	for call, want := range []string{
		`/a%20b%2F?id=7 {"id": 7, "name": "a b/", "share": 0.5, "ok": true, "zip": "007", "text": "7"} x-user=u1`,
		`/say%20%22hi%22?id=-8 {"id": -8, "name": "say \"hi\"", "share": 1e3, "ok": false, "zip": "12345", "text": "-8"} x-user=u2`,
		`/a%20b%2F?id=7 {"id": 7, "name": "a b/", "share": 0.5, "ok": true, "zip": "007", "text": "7"} x-user=u1`,
	} {
		n := uint64(call)
		got := string(h.AppendPath(nil, n)) + " " + string(h.AppendBody(nil, n)) + " " + shown(t, shownHeaders(h), n)
		if got != want {
			t.Errorf("call %d\ngot  %s\nwant %s", call, got, want)
		}
	}
}

// shownHeaders are those that the test wrote.
func shownHeaders(h *request.HTTP) request.Metadata {
	return h.Headers[:1]
}

// By chance, too, a call has one row everywhere, and each row comes up.
func TestASampledCallHasOneRow(t *testing.T) {
	t.Parallel()
	text := strings.Builder{}
	text.WriteString("id,name\n")
	for i := range 10 {
		fmt.Fprintf(&text, "%d,n%d\n", i, i)
	}
	h, err := request.NewHTTP(request.HTTPConfig{
		URL: `http://h/{{column "id"}}?{{column "name"}}`, Options: withRows(t, text.String(), true),
	})
	if err != nil {
		t.Fatal(err)
	}
	seen, inTurn := map[string]int{}, true
	for call := range uint64(1000) {
		path := string(h.AppendPath(nil, call))
		id, name, _ := strings.Cut(path[1:], "?")
		if name != "n"+id {
			t.Errorf("call %d: %s is of two rows", call, path)
		}
		seen[id]++
		inTurn = inTurn && id == fmt.Sprint(call%10)
	}
	for id, n := range seen {
		if n < 50 || n > 200 {
			t.Errorf("row %s came up %d times of 1000", id, n)
		}
	}
	if len(seen) != 10 || inTurn {
		t.Errorf("%d of 10 rows came up; in turn: %v", len(seen), inTurn)
	}
}

// Requests and rows are drawn apart: each request comes with each row.
func TestASampledRowMeetsEachRequest(t *testing.T) {
	t.Parallel()
	h, err := request.NewHTTP(request.HTTPConfig{
		URL: `http://h/{{column "id"}}`, Options: withRows(t, "id\n0\n1\n2\n3\n4\n", true),
		Input: data("jsonl", "0\n1\n2\n3\n4\n"),
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for call := range uint64(5000) {
		seen[string(h.AppendPath(nil, call))+" "+string(h.AppendBody(nil, call))]++
	}
	for pair, n := range seen {
		if n < 100 || n > 400 {
			t.Errorf("%s came up %d times of 5,000", pair, n)
		}
	}
	if len(seen) != 25 {
		t.Errorf("%d of 25 pairs came up", len(seen))
	}
}

// Messages with numbers and texts of columns are filled without JSON, and can be prepared for workers elsewhere.
func TestColumnsFillMessages(t *testing.T) {
	t.Parallel()
	options := withRows(t, "item,count\nx,1\ny,2\n", false)
	s := of(t, "Place", "json", `{"id": {{column "item"}}, "count": {{column "count"}}}`, options)
	if err := s.Unprepared(); err != nil {
		t.Error(err)
	}
	prepared, err := s.Prepare()
	if err != nil {
		t.Fatal(err)
	}
	var functions []request.Function
	for _, p := range prepared[0][0] {
		for _, below := range append(p.Below, p) {
			if below.Function != nil {
				functions = append(functions, *below.Function)
			}
		}
	}
	if got := fmt.Sprintf("%v", functions); got != "[{column 1 [] [x y]} {column 3 [1 2] []}]" {
		t.Errorf("prepared as %s", got)
	}
	if !options.Rows.Used() || options.Rows.Count() != 2 {
		t.Errorf("%d rows, used: %v", options.Rows.Count(), options.Rows.Used())
	}
}

func TestBadRowsAreOneSentence(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":            "rows.csv is empty; its first line must name the columns",
		"\n":          "rows.csv is empty; its first line must name the columns",
		"a,b\n":       "rows.csv has no rows; the first line names the columns",
		"a,\n1,2\n":   "rows.csv:1:3: the column has no name",
		"a, a\n1,2\n": `rows.csv:1:3: another column is named "a", too`,
		"a,b\n1\n":    "rows.csv:2:1: number of columns: 1 in this row, 2 in the header",
		"a\n\"1\n":    "rows.csv:2:4: not CSV: extraneous or missing \" in quoted-field",
	} {
		_, err := request.NewRows(request.Input{Name: "rows.csv", Format: request.FormatCSV, Text: []byte(text)})
		if err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
	for written, want := range map[string]string{
		`{{column "nam"}}`: `column: rows.csv has no column "nam"; did you mean "name"?`,
		`{{column 1}}`:     "column: it needs a column's name in quotes",
		`{{column}}`:       `column is written {{column "NAME"}}`,
	} {
		_, err := request.NewHTTP(request.HTTPConfig{URL: "http://h/" + written, Options: withRows(t, "name\nx\n", false)})
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: got %v, want … %s", written, err, want)
		}
	}
	_, err := request.NewHTTP(request.HTTPConfig{URL: `http://h/{{column "name"}}`})
	if err == nil || !strings.HasSuffix(err.Error(), "column: it needs a file of rows: --rows-file, or rows_file in a scenario") {
		t.Errorf("without rows: %v", err)
	}
	_, err = request.NewMetadata(pairs(t, `a: {{column "a"}}`), withRows(t, "a\nx\n\"two\nlines\"\n", false))
	if err == nil || !strings.Contains(err.Error(), `the value has '\n', which is not printable ASCII`) {
		t.Errorf("a header of two lines: %v", err)
	}
}

// A column is made once, however many requests have it: a file of a million requests would else take as many copies of it.
func TestManyRequestsShareAColumn(t *testing.T) {
	t.Parallel()
	var text, bodies strings.Builder
	text.WriteString("id,name\n")
	for i := range 1000 {
		fmt.Fprintf(&text, "%d,n%d\n", i, i)
	}
	for range 100 {
		bodies.WriteString(`{"id": {{column "name"}}, "count": {{column "id"}}}` + "\n")
	}
	prepared, err := of(t, "Place", "jsonl", bodies.String(), withRows(t, text.String(), false)).Prepare()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[any]bool{}
	for _, messages := range prepared {
		for _, p := range messages[0] {
			for _, below := range append(p.Below, p) {
				switch f := below.Function; {
				case f == nil:
				case f.Texts != nil:
					seen[&f.Texts[0]] = true
				default:
					seen[&f.Numbers[0]] = true
				}
			}
		}
	}
	if len(prepared) != 100 || len(seen) != 2 {
		t.Errorf("%d requests have %d copies of 2 columns", len(prepared), len(seen))
	}
}

// The cells of a row are those that CSV has, wherever they are empty.
func TestCellsMayBeEmpty(t *testing.T) {
	t.Parallel()
	h, err := request.NewHTTP(request.HTTPConfig{
		URL:     `http://h/{{column "a"}}/{{column "b"}}/{{column "c"}}`,
		Options: withRows(t, "a,b,c\r\n,,\r\nx,,\"\"\r\n\"y\r\nz\",é,1", false),
	})
	if err != nil {
		t.Fatal(err)
	}
	for call, want := range []string{"///", "/x//", "/y%0Az/%C3%A9/1", "///"} {
		if got := string(h.AppendPath(nil, uint64(call))); got != want {
			t.Errorf("call %d: got %s, want %s", call, got, want)
		}
	}
}

// Errors of calls come into results, so they name the row and not what it has, which may be a secret.
func TestErrorsHideTheValuesOfRows(t *testing.T) {
	t.Parallel()
	const whole32 = "whole number from -2147483648 to 2147483647 (int32)"
	for written, want := range map[string]string{
		`{"weight": "{{column "last"}}"}`: "row 2: --data:1:12: field weight: the value is not a number (double)",
		`{"count": {{column "large"}}}`:   "row 2: --data:1:11: field count: the value is not a " + whole32,
		`{"count": "{{column "last"}}"}`:  "row 2: --data:1:11: field count: the value is not a " + whole32,
		`{"color": "{{column "all"}}"}`: "row 1: --data:1:11: field color: the value is not a shop.v1.Color; " +
			"known: COLOR_UNSPECIFIED, RED, BLUE",
		`{"created": "{{column "all"}}"}`:       `row 1: --data:1:13: field created: invalid google.protobuf.Timestamp value "…"`,
		`{"items": [{"{{column "all"}}": 1}]}`:  `row 1: --data:1:13: shop.v1.Item has no field "…"; known: sku, amount, part`,
		`{"shelves": {"{{column "all"}}": {}}}`: "row 1: --data:1:14: field shelves.…: the value is not a " + whole32,
		`{"labels": {"{{column "all"}}": "x", "{{column "all"}}": "y"}}`: `row 1: --data:1:38: ` +
			`field labels.…: duplicate map key "…"`,
	} {
		err := appendTwo(t, written, withRows(t, "all,last,large\nhidden,1,1\nhidden,hidden,98765432109\n", false))
		if err == nil || err.Error() != "rows.csv, "+want {
			t.Errorf("%s: got %v, want rows.csv, %s", written, err, want)
		}
	}
}

// appendTwo makes the requests of two calls.
func appendTwo(t *testing.T, data string, options request.Options) error {
	t.Helper()
	s, err := request.New(method(t, "Place"), request.Input{Name: "--data", Format: request.FormatJSON, Text: []byte(data)}, options)
	if err != nil {
		return err
	}
	for call := range uint64(2) {
		if _, err := s.Append(nil, call, 0); err != nil {
			return err
		}
	}
	return nil
}
