package origin_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"rpcbench/internal/stack/origin"
)

// What is served answers with the encodings that it was asked for.
func asked(w http.ResponseWriter, r *http.Request) {
	_, _ = io.WriteString(w, r.Header.Get("Accept-Encoding"))
}

func served(t *testing.T, options map[string]string, r *http.Request) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	origin.Serve(options, http.HandlerFunc(asked)).ServeHTTP(w, r)
	return w
}

func TestAPageOfTheOriginMayCall(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ option, page, want string }{
		{"*", "http://192.0.2.1:8080", "*"},
		{"http://192.0.2.1:8080", "http://192.0.2.1:8080", "http://192.0.2.1:8080"},
		{"http://192.0.2.1:8080", "http://192.0.2.2", ""},
		{"", "http://192.0.2.1:8080", ""},
	} {
		options := map[string]string{}
		if test.option != "" {
			options[origin.Name] = test.option
		}
		preflight := httptest.NewRequest(http.MethodOptions, "/service/Method", nil)
		preflight.Header.Set("Origin", test.page)
		preflight.Header.Set("Access-Control-Request-Method", http.MethodPost)
		preflight.Header.Set("Access-Control-Request-Headers", "connect-protocol-version,content-type,rpcbench-messages")
		call := httptest.NewRequest(http.MethodPost, "/service/Method", nil)
		call.Header.Set("Origin", test.page)
		for _, r := range []*http.Request{preflight, call} {
			answer := served(t, options, r)
			if got := answer.Header().Get("Access-Control-Allow-Origin"); got != test.want {
				t.Errorf("%s of %s with the option %q: %q, want %q", r.Method, test.page, test.option, got, test.want)
			}
		}
	}
}

func TestReplyToAPageIsCompressedOnlyWhereItsRequestIs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ option, encoding, want string }{
		{"*", "", ""}, {"*", "gzip", "gzip, br"}, {"", "", "gzip, br"},
	} {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.Header.Set("Accept-Encoding", "gzip, br")
		if test.encoding != "" {
			r.Header.Set("Content-Encoding", test.encoding)
		}
		if text := served(t, map[string]string{origin.Name: test.option}, r).Body.String(); text != test.want {
			t.Errorf("option %q, request in %q: asked for %q, want %q", test.option, test.encoding, text, test.want)
		}
	}
}
