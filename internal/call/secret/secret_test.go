package secret

import (
	"slices"
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"password", "--password", "-Djavax.net.ssl.trustStorePassword", "DB_PASSWORD", "MYSQL_PWD", "api-key", "API_KEY", "apiKey",
		"apikey", "X-Api-Key", "token", "ACCESS_TOKEN", "accessToken", "client_secret", "AWS_SECRET_ACCESS_KEY", "auth",
		"authorization", "Proxy-Authorization", "Cookie", "MYSQLPASSWORD", "storepass", "PGPASSWORD", "privateKey", "JWT",
		"SENTRY_DSN", "DB_PASSWORD2", "sessionToken",
	} {
		if !Named(name) {
			t.Errorf("%s is shown", name)
		}
	}
	for _, name := range []string{
		"", "-", "Xmx2g", "key", "--listen", "tokenizer", "author", "authority", "--token-file", "TOKEN_ENV", "password-length",
		"compass", "keyboard", "monkey", "passive", "secretary", "GOGC", "JAVA_HOME", "trustStore", "credentials-dir", "max-tokens",
	} {
		if Named(name) {
			t.Errorf("%s is hidden", name)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"./server|--listen|:8080":                        "./server|--listen|:8080",
		"./server|--password|hunter2|--port|1":           "./server|--password|…|--port|1",
		"./server|--password=hunter 2":                   "./server|--password=…",
		"./server|--auth|--port|1":                       "./server|--auth|--port|1",
		"env|DB_PASSWORD=hunter2|GOGC=50|./server":       "env|DB_PASSWORD=…|GOGC=50|./server",
		"curl|-H|Authorization: Bearer abc":              "curl|-H|Authorization: …",
		"curl|-H|Accept: text/html":                      "curl|-H|Accept: text/html",
		"s|--db|postgres://me:hunter2@db:5432/x":         "s|--db|postgres://me:…@db:5432/x",
		"s|--db|postgres://db:5432/x?password=h&ssl=on":  "s|--db|postgres://db:5432/x?password=…&ssl=on",
		"sh|-c|./server --token 'x y' -v; API_KEY=abc x": "sh|-c|./server --token … -v; API_KEY=… x",
		"sh|-c|API_KEY=abc ./server":                     "sh|-c|API_KEY=…",
		"s|ghp_0123456789abcdefghijABCDEFGHIJ012345":     "s|…",
		"s|--id|AKIAIOSFODNN7EXAMPLE":                    "s|--id|…",
		"s|eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbg":  "s|…",
		"s|--token-file|/run/secrets/token":              "s|--token-file|/run/secrets/token",
		"s|wJalrXUtnFEMI7K7MDENGbPxRfiCYEXAMPLEKEY":      "s|…",
		"/tmp/TestAServerThatDiesFailsItsTrials28/001/s": "/tmp/TestAServerThatDiesFailsItsTrials28/001/s",
		"java|-Xmx2g|-Dx.password=abc|-jar|a-1.2.3.jar":  "java|-Xmx2g|-Dx.password=…|-jar|a-1.2.3.jar",
		"grpc-server-linux-amd64-v1.26.8|--threads|12":   "grpc-server-linux-amd64-v1.26.8|--threads|12",
	} {
		got := Words(strings.Split(command, "|"))
		if text := strings.Join(got, "|"); text != want {
			t.Errorf("got %s, want %s", text, want)
		}
		if again := Words(got); !slices.Equal(again, got) {
			t.Errorf("hiding twice makes %q of %q", again, got)
		}
	}
}

func TestPaths(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/":                            "/",
		"/api/v2/orders/17":            "/api/v2/orders/17",
		"/shop.v1.ShopService/GetItem": "/shop.v1.ShopService/GetItem",
		"/o/550e8400-e29b-41d4-a716-446655440000":         "/o/550e8400-e29b-41d4-a716-446655440000",
		"/bot123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11/m": "/bot123456:…/m",
		"/services/T0/B0/XkQ9f2LmPq7RsT1uVwXyZ3aB":        "/services/T0/B0/…",
		"/x/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b":     "/x/…",
		"/a;token=abc/b": "/a;token=…",
		"/a-very-long-name-of-a-page-that-has-2-digits": "/a-very-long-name-of-a-page-that-has-2-digits",
	} {
		if got := Path(path); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Picked up JAVA_TOOL_OPTIONS: -Xmx1g -Dx.password=abc": "Picked up JAVA_TOOL_OPTIONS: -Xmx1g -Dx.password=…",
		"unexpected token: ;":            "unexpected token: ;",
		"401: Bearer abcdef.ghi refused": "401: Bearer … refused",
		"-----BEGIN EC PRIVATE KEY-----\nMHc\n-----END EC PRIVATE KEY-----\nbye": "…\nbye",
		"-----BEGIN PRIVATE KEY-----\nMHc":                                       "…",
		"dial tcp 127.0.0.1:1: refused":                                          "dial tcp 127.0.0.1:1: refused",
	} {
		if got := Text(text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
