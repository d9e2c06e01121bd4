// Package origin lets pages of browsers call servers over HTTP: it speaks CORS for them.
package origin

import (
	"net/http"

	"github.com/rs/cors"

	"rpcbench/internal/stack"
)

// Name is the name of the server option that lets web pages call.
const Name = "allow_origin"

// Option is that option.
var Option = stack.Option{
	Name: Name, Server: true,
	Help: "Origin whose pages in browsers may call (CORS), * for any; replies are then compressed only where requests are; " +
		"default none.",
}

// preflightAge is how long a browser may cache a preflight response, in seconds: longer than a trial. Browsers cap it.
const preflightAge = 7200

// Serve lets pages of the option's origin call what serve answers; without the option it returns serve itself. A page can't
// refuse compression, because its browser accepts gzip with every request: a reply is compressed if its request is.
func Serve(options map[string]string, serve http.Handler) http.Handler {
	origin := options[Name]
	if origin == "" {
		return serve
	}
	plain := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Content-Encoding") == "" {
			r.Header.Del("Accept-Encoding")
		}
		serve.ServeHTTP(w, r)
	})
	return cors.New(cors.Options{
		AllowedOrigins: []string{origin}, AllowedMethods: []string{http.MethodGet, http.MethodPost}, AllowedHeaders: []string{"*"},
		ExposedHeaders: []string{"*"}, MaxAge: preflightAge, AllowPrivateNetwork: true,
	}).Handler(plain)
}
