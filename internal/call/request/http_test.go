package request_test

import (
	"testing"

	"rpcbench/internal/call/request"
)

func TestAnHTTPRequestIsWhatItsDescriptionSays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		config request.HTTPConfig
		want   string // of call 3
	}{
		{request.HTTPConfig{URL: "http://localhost"}, "GET http localhost localhost:80 / []"},
		{request.HTTPConfig{URL: "https://[::1]:8443/a%20b?c=d"}, "GET https [::1]:8443 [::1]:8443 /a%20b?c=d []"},
		{request.HTTPConfig{URL: "HTTP://h?x"}, "GET http h h:80 /?x []"},
		{
			request.HTTPConfig{URL: `http://h/{{sequence}}?q={{choose "a b&c"}}&r={{random 5 5}}`, Method: "DELETE"},
			"DELETE http h h:80 /3?q=a%20b%26c&r=5 []",
		},
		{
			request.HTTPConfig{URL: "http://h", Headers: pairs(t, "Host: other:1", "X-A: {{sequence}}")},
			"GET http other:1 h:80 / [] x-a=3",
		},
		{
			request.HTTPConfig{URL: "http://h", Input: data("json", `{"a": {{env "SHOP"}}, "b": "{{sequence}}"}`)},
			`POST http h h:80 / [{"a": "a \"shop\"", "b": "3"}] content-type=application/json`,
		},
		{
			request.HTTPConfig{URL: "http://h", Input: data("json", `a={{env "SHOP"}}`), Method: "PUT"},
			`PUT http h h:80 / [a=a "shop"]`,
		},
		{
			request.HTTPConfig{
				URL: "http://h", Input: data("json", `{"a": {{sequence}}}`),
				Headers: pairs(t, "content-type: text/plain", "k-bin: not base64!"),
			},
			`POST http h h:80 / [{"a": 3}] content-type=text/plain k-bin=not base64!`,
		},
		{
			request.HTTPConfig{URL: "http://h", Input: data("jsonl", "{\"a\": 1}\n\n{\"a\": {{sequence}}}\n")},
			`POST http h h:80 / [{"a": 3}] content-type=application/json`,
		},
		{request.HTTPConfig{URL: "http://h", Input: data("binary", "{{\xff")}, "POST http h h:80 / [{{\xff]"},
		{request.HTTPConfig{URL: "http://h", Input: data("binary", "\ufeff{}")}, "POST http h h:80 / [\ufeff{}]"},
		{request.HTTPConfig{URL: "http://h", Input: data("json", "\ufeffa,b")}, "POST http h h:80 / [\ufeffa,b]"},
		{
			request.HTTPConfig{URL: "http://h", Input: data("json", "\ufeff{}")},
			"POST http h h:80 / [{}] content-type=application/json",
		},
		{
			request.HTTPConfig{URL: "http://h", Input: data("jsonl", "\ufeff{}\n")},
			"POST http h h:80 / [{}] content-type=application/json",
		},
		{
			request.HTTPConfig{
				URL: "http://h", Input: data("json", "{\"index\": {}}\n{\"a\": {{env \"SHOP\"}}}\n"),
				Headers: pairs(t, "content-type: application/X-NDJSON; charset=utf-8"),
			},
			"POST http h h:80 / [{\"index\": {}}\n{\"a\": \"a \\\"shop\\\"\"}\n] content-type=application/X-NDJSON; charset=utf-8",
		},
		{
			request.HTTPConfig{
				URL: "http://h", Input: data("json", `{a: "{{env "SHOP"}}"}`), Headers: pairs(t, "content-type: application/json5"),
			},
			`POST http h h:80 / [{a: "a \"shop\""}] content-type=application/json5`,
		},
		{
			request.HTTPConfig{
				URL: "http://h", Input: data("json", `{"a": {{env "SHOP"}}}`), Headers: pairs(t, "content-type: application/JSON"),
			},
			`POST http h h:80 / [{"a": "a \"shop\""}] content-type=application/JSON`,
		},
	} {
		c.config.Options = fixed(0)
		h, err := request.NewHTTP(c.config)
		if err != nil {
			t.Errorf("%+v: %v", c.config, err)
			continue
		}
		got := h.Method + " " + h.Scheme + " " + h.Authority + " " + h.Address + " " + string(h.AppendPath(nil, 3)) +
			" [" + string(h.AppendBody(nil, 3)) + "]"
		if headers := shown(t, h.Headers, 3); headers != "" {
			got += " " + headers
		}
		if got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestAConstantHTTPRequestIsToldFromOthers(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]bool{"http://h/a": true, "http://h/{{sequence}}": false} {
		h, err := request.NewHTTP(request.HTTPConfig{URL: url, Input: data("json", "{}")})
		if err != nil {
			t.Fatal(err)
		}
		path, body, ok := h.Constant()
		if ok != want || ok && (string(path) != "/a" || string(body) != "{}") {
			t.Errorf("%s: got %s, %s, %v", url, path, body, ok)
		}
	}
}

func TestABadHTTPRequestIsOneSentence(t *testing.T) {
	t.Parallel()
	for want, config := range map[string]request.HTTPConfig{
		"localhost:80 is not a URL, such as http://localhost:8080/path":    {URL: "localhost:80"},
		"ftp://h is not a URL, such as http://localhost:8080/path":         {URL: "ftp://h"},
		"http:///a is not a URL, such as http://localhost:8080/path":       {URL: "http:///a"},
		`http://h:x is not a URL: invalid port ":x" after host`:            {URL: "http://h:x"},
		`http://h:99999/: "99999" is not a port, a number from 1 to 65535`: {URL: "http://h:99999/"},
		`http://h:0: "0" is not a port, a number from 1 to 65535`:          {URL: "http://h:0"},
		"the URL contains a user name; use --basic-auth USER:PASSWORD":     {URL: "http://a:b@h"},
		"http://{{uuid}}/: functions are not supported in the host":        {URL: "http://{{uuid}}/"},
		"http://h/#a: the fragment after # is never sent; remove it":       {URL: "http://h/#a"},
		"http://h/a b: spaces and non-ASCII characters must be escaped, such as %20": {
			URL: "http://h/a b",
		},
		`http://h/{{uid}}: unknown function "uid"; did you mean "uuid"?`: {URL: "http://h/{{uid}}"},
		`"GE T" is not an HTTP method, such as GET`:                      {URL: "http://h", Method: "GE T"},
		`metadata "a(: b": "a(" is not a header name`:                    {URL: "http://h", Headers: pairs(t, "a(: b")},
		"functions are not supported in the host header":                 {URL: "http://h", Headers: pairs(t, "host: {{uuid}}")},
		"the host header is empty; give a name, such as shop.example": {
			URL: "http://h", Headers: pairs(t, "host:"),
		},
		"CONNECT is not supported: it opens a tunnel": {URL: "http://h", Method: "CONNECT"},
		`metadata "Content-Length: 1": content-length is set by the protocol`: {
			URL: "http://h", Headers: pairs(t, "Content-Length: 1"),
		},
		"--data:1:7: not JSON: invalid character '}' looking for beginning of value": {
			URL: "http://h", Headers: pairs(t, "content-type: application/json"), Input: data("json", `{"a": }`),
		},
		"--data:3:2: not JSON: invalid character ',' looking for beginning of object key string": {
			URL: "http://h", Headers: pairs(t, "content-type: application/jsonl"), Input: data("json", "{}\n\n{,}"),
		},
		"--data:2:1: not JSON: invalid character 'b' looking for beginning of value": {
			URL: "http://h", Input: data("jsonl", "{}\nb"),
		},
		`--data: CSV needs a schema, and HTTP has none; use JSON lines, or --rows-file and {{column "NAME"}}`: {
			URL: "http://h", Input: data("csv", "a"),
		},
	} {
		_, err := request.NewHTTP(config)
		wantError(t, err, want)
	}
}

func data(format, text string) request.Input {
	return request.Input{Name: "--data", Format: format, Text: []byte(text)}
}

func pairs(t *testing.T, entries ...string) []request.Pair {
	t.Helper()
	list, err := request.ReadPairs(entries, nil)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestAPathIsShownWithoutTheValuesOfItsQuery(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"http://h":                   "/",
		"http://h/a/b":               "/a/b",
		"http://h/a?q=secret&page=2": "/a?q=…&page=…",
		"http://h/a?secret":          "/a?…",
		"http://h/bot1:ABC-DEF1234ghIkl-zyx57W2v1u/send": "/bot1:…/send",
		"http://h?a=b=c":                                         "/?a=…",
		`http://h/{{sequence}}?q={{uuid}}`:                       "/{{sequence}}?q=…",
		`http://h/{{choose "a?b" "c"}}?d={{choose "e&f=g" "h"}}`: `/{{choose "a?b" "c"}}?d=…`,
		`http://h/?{{choose "secret" "other"}}=x`:                "/?…",
	} {
		h, err := request.NewHTTP(request.HTTPConfig{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		if got := h.Shown(); got != want {
			t.Errorf("%s: got %s, want %s", url, got, want)
		}
	}
}
