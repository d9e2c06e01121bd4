package request_test

import (
	"testing"

	"rpcbench/internal/call/request"
)

func TestARowOfCSVIsAMessage(t *testing.T) {
	t.Parallel()
	text := `id,number,weight,gift,color,price.units,labels.env,created,level,items,sizes,displayName,price.currency,` +
		"token,extra,patience\n" +
		`"a ""1""",7,1.5,true,RED,9,prod,2023-11-14T22:13:20Z,3,"[{""sku"": ""x""}]","[1, 2]",,EUR,` +
		`YQ==,"{""@type"": ""a/shop.v1.Query"", ""text"": ""q""}",1.5s` + "\n" +
		`,-7,NaN,false,2,,,,,,,"two` + "\n" + `lines",,,,` + "\n" +
		`"{{choose ""a"" }}{{sequence}}",{{sequence 10}},{{sequence}},,,{{random 1 1}},"\{{choose ""\""""}}",,,` +
		`"[{""sku"": ""{{sequence}}""}]",,,,,,` + "\n"
	s := of(t, "Place", "csv", text, request.Options{})
	wantMessages(t, s, 0, `{"id":"a \"1\"", "number":"7", "weight":1.5, "gift":true, "color":"RED",
		"price":{"currency":"EUR","units":"9"},
		"labels":{"env":"prod"}, "created":"2023-11-14T22:13:20Z", "level":3, "items":[{"sku":"x"}], "sizes":[1,2], "token":"YQ==",
		"extra":{"@type":"a/shop.v1.Query","text":"q"}, "patience":"1.5s"}`)
	wantMessages(t, s, 1, `{"number":"-7", "weight":"NaN", "color":"BLUE", "displayName":"two\nlines"}`)
	wantMessages(t, s, 2, `{"id":"a2", "number":"12", "weight":2, "price":{"units":"1"}, "labels":{"env":"\\\""},
		"items":[{"sku":"2"}]}`)
}

func TestARowOfCSVIsAStreamOfOne(t *testing.T) {
	t.Parallel()
	s := of(t, "Upload", "csv", "id\na\nb\n", request.Options{})
	if s.Requests() != 2 || s.Messages(0) != 1 {
		t.Errorf("%d requests, of %d messages", s.Requests(), s.Messages(0))
	}
}

// Of one column, an empty cell is written with quotes, because a blank line is no row.
func TestAnEmptyCellOfTheOnlyColumnIsQuoted(t *testing.T) {
	t.Parallel()
	text := "id\n\na\n\n\"\"\nb\n"
	s := of(t, "Place", "csv", text, request.Options{})
	if s.Requests() != 3 {
		t.Fatalf("%d requests", s.Requests())
	}
	for i, want := range []string{`{"id":"a"}`, `{}`, `{"id":"b"}`} {
		wantMessages(t, s, uint64(i), want)
	}
	if got := rows(t, text).Count(); got != 3 {
		t.Errorf("%d rows", got)
	}
}
