package alias

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// chunkCount makes a stream of a unary call, by its number of messages; 0 is a unary call.
func chunkCount(w *Words, a Alias, value string) error {
	if value == "0" {
		return nil
	}
	if !w.flags.Changed("kind") {
		if err := w.flags.Set("kind", "stream"); err != nil {
			return err
		}
	}
	return w.flags.Set(a.flag, value)
}

// payloadUsual is the default length of payloads.
const payloadUsual = "1000"

// randomSizes has payloads have any length up to that of --payload-size.
func randomSizes(w *Words, a Alias, value string) error {
	if value != "true" {
		return nil
	}
	most := payloadUsual
	if given, ok := w.given("payload-size"); ok {
		most = given
	}
	return w.flags.Set(a.flag, "uniform 0.."+most)
}

// mux makes a background of two words: a stream beside the calls; 0 is none.
func mux(w *Words, a Alias, _ string) error {
	chunks, size := muxWords(w)
	if chunks == "" || size == "" {
		return nil
	}
	return w.flags.Set(a.flag, fmt.Sprintf("{kind: stream, messages: %s, request_bytes: %s}", chunks, size))
}

func muxWords(w *Words) (chunks, size string) {
	chunks, _ = w.given("mux-chunk-count")
	size, _ = w.given("mux-payload-size")
	return strings.TrimPrefix(chunks, "0"), strings.TrimPrefix(size, "0")
}

// checkTogether refuses words that say nothing alone, or two things.
func checkTogether(w *Words) error {
	if w.flags.Lookup("mux-chunk-count") == nil {
		return nil
	}
	if chunks, size := muxWords(w); (chunks == "") != (size == "") {
		return errors.New("--mux-chunk-count and --mux-payload-size must be given together")
	}
	count, _ := w.given("chunk-count")
	if kind, _ := w.given("kind"); count == "0" && kind != "unary" {
		return fmt.Errorf("--chunk-count 0 is a unary call, and --kind is %s", kind)
	}
	return nil
}

// protocol has the server listen for what carries its bytes. The address was rewritten before.
func protocol(w *Words, _ Alias, value string) error {
	address, _ := w.given("listen")
	_, _, other := strings.Cut(address, "://")
	switch {
	case value == "tcp":
		return nil
	case value != "ws" && value != "wsh":
		return errors.New("the protocol is tcp, ws or wsh, or a Unix socket by --listen unix:PATH")
	case other || strings.HasPrefix(address, "unix:"):
		return fmt.Errorf("a websocket needs a host and a port, and the address is %s", address)
	}
	return w.flags.Set("listen", value+"://"+address)
}

// everyone are the permissions of a server that everybody may call.
const everyone = "..."

// permissions sets who may call. A server without credentials allows everyone, as in Vanadium.
func permissions(w *Words, a Alias, value string) error {
	var lists map[string]struct {
		In    []string `json:"In"`    //nolint:tagliatelle // as Vanadium writes it
		NotIn []string `json:"NotIn"` //nolint:tagliatelle // as above
	}
	all := json.Unmarshal([]byte(value), &lists) == nil && len(lists["Read"].NotIn) == 0 &&
		slices.Contains(lists["Read"].In, everyone)
	if _, keys := w.given("credentials"); all && !keys && !w.flags.Changed("v23.credentials") && !w.flags.Changed("security") {
		return nil
	}
	return w.flags.Set(a.flag, value)
}

// permissionsFile is a file under the name that the server's own permissions have there.
func permissionsFile(w *Words, a Alias, value string) error {
	name, path, named := strings.Cut(value, ":")
	if !named || name != "runtime" {
		return errors.New("it is runtime:FILE, as the server's own permissions have the name runtime")
	}
	return w.flags.Set(a.flag, path)
}
