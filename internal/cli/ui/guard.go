package ui

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"rpcbench/internal/call/plain"
	"rpcbench/internal/report/page"
)

// A Token lets its bearer in. Only its hash is kept.
type Token struct {
	Name string // of the bearer; "" is nobody in particular
	sum  [sha256.Size]byte
}

// minToken is the minimum length of a token, so it can't be guessed.
const minToken = 16

// Tokens reads a list of tokens, one on each line, each after the name of its bearer if it has one.
func Tokens(text string) ([]Token, error) {
	var tokens []Token
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		var name, value string
		switch {
		case len(words) == 0 || strings.HasPrefix(words[0], "#"):
			continue
		case len(words) == 1:
			value = words[0]
		case len(words) == 2:
			name, value = words[0], words[1]
		default:
			return nil, errors.New("a line of the tokens has more than a name and a token")
		}
		if len(value) < minToken {
			return nil, fmt.Errorf("a token has fewer than %d characters: make one, such as by openssl rand -hex 32", minToken)
		}
		tokens = append(tokens, Token{Name: plain.Line(name), sum: sha256.Sum256([]byte(value))})
	}
	if len(tokens) == 0 {
		return nil, errors.New("no token is set")
	}
	return tokens, nil
}

// A guard admits requests with a token, from this site or from no site.
type guard struct {
	tokens []Token
	isHost func(host string) bool // of the header Host, without a port
	secure bool                   // over TLS
	next   func(Token) http.Handler
}

// tokenField is the URL parameter that admits a browser.
const tokenField = "token"

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", page.Policy(true)+"; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin") // without one, forms would come from an origin "null"
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	switch given := r.URL.Query().Get(tokenField); {
	case !g.isHost(strings.Trim(host, "[]")): // a name that somebody has pointed here: DNS rebinding
		refuse(w, http.StatusMisdirectedRequest, "The Host header does not name this server.")
	case !g.isOurs(r):
		refuse(w, http.StatusForbidden, "Requests from other sites are refused.")
	case given != "" && r.Method == http.MethodGet:
		g.letIn(w, r, given)
	default:
		token, ok := g.find(bearer(r))
		if !ok {
			h.Set("WWW-Authenticate", "Bearer")
			refuse(w, http.StatusUnauthorized, "The token is missing or wrong. In a browser, open the address that "+
				"rpcbench printed; a command takes it with --token-file or --token-env.")
			return
		}
		g.next(token).ServeHTTP(w, r)
	}
}

// isOurs reports whether a request comes from this site or from no site, as the browser reports. A link from elsewhere may only
// open the first page with its token.
func (g *guard) isOurs(r *http.Request) bool {
	if origin := r.Header.Get("Origin"); origin != "" && origin != g.scheme()+"://"+r.Host {
		return false
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return true
	default:
		return r.Method == http.MethodGet && r.URL.Path == "/" && r.Header.Get("Sec-Fetch-Mode") == "navigate"
	}
}

func (g *guard) scheme() string {
	if g.secure {
		return "https"
	}
	return "http"
}

// letIn keeps the token as a cookie, and takes it out of the address. After a link of another site, a strict cookie would not
// come back with the redirect; isOurs refuses what other sites may not request.
func (g *guard) letIn(w http.ResponseWriter, r *http.Request, given string) {
	if _, ok := g.find(given); !ok {
		refuse(w, http.StatusUnauthorized, "The token is wrong.")
		return
	}
	//nolint:gosec // plaintext is of loopback only, where a secure cookie would not come back
	http.SetCookie(w, &http.Cookie{Name: cookieName(r), Value: given, Path: "/", HttpOnly: true, Secure: g.secure,
		SameSite: http.SameSiteLaxMode})
	values := r.URL.Query()
	values.Del(tokenField)
	w.Header().Set("Location", beside(r.URL.EscapedPath(), values))
	w.WriteHeader(http.StatusSeeOther)
}

// beside is the address of a path for who is there already. It is relative, so that a proxy may have put the site below another
// path, and names no host, whatever the path is.
func beside(path string, values url.Values) string {
	to := "./" + path[strings.LastIndexByte(path, '/')+1:]
	if len(values) > 0 {
		to += "?" + values.Encode()
	}
	return to
}

// find returns the token of a text. All are compared, each in constant time.
func (g *guard) find(text string) (found Token, ok bool) {
	sum := sha256.Sum256([]byte(text))
	for _, token := range g.tokens {
		if subtle.ConstantTimeCompare(sum[:], token.sum[:]) == 1 {
			found, ok = token, true
		}
	}
	return found, ok
}

// bearer is the token of a program's header or a browser's cookie.
func bearer(r *http.Request) string {
	if text, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return text
	}
	if cookie, err := r.Cookie(cookieName(r)); err == nil {
		return cookie.Value
	}
	return ""
}

// cookieName includes the port, because cookies belong to a host, whatever its ports.
func cookieName(r *http.Request) string {
	_, port, _ := net.SplitHostPort(r.Host)
	return "rpcbench-" + port
}

// refuse says why in a sentence.
func refuse(w http.ResponseWriter, code int, sentence string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	fmt.Fprintln(w, plain.Line(sentence)) //nolint:gosec // as plain text, which nosniff keeps it
}
