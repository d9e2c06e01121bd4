package request_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rpcbench/internal/call/request"
)

func TestMetadataIsReadFromPairsObjectsAndFiles(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	pairs, object := filepath.Join(directory, "pairs"), filepath.Join(directory, "object")
	write(t, pairs, "\ufeffD: 4: four\n\ne:\n")
	write(t, object, "\ufeff{\"f\": \"6\",\n \"g\": \"{{sequence}}\"}\n")
	got := metadata(t, `{"b": "2", "A": "1"}`, " X-C : three  spaces ", "@"+pairs, "@"+object)
	want := "a=1 b=2 x-c=three  spaces d=4: four e= f=6 g=9"
	if text := shown(t, got, 9); text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	if _, ok := got[6].Constant(); ok {
		t.Error("a function is constant")
	}
	if value, ok := got[2].Constant(); !ok || string(value) != "three  spaces" {
		t.Errorf("got %q, %v", value, ok)
	}
}

func TestMetadataAndRequestShareACallsUUID(t *testing.T) {
	t.Parallel()
	m := metadata(t, "x-id: {{.UUID}}", "x-one: {{uuid}}", "x-other: {{uuid}}")
	s := of(t, "Place", "json", `{"id": "{{.UUID}}"}`, fixed(0))
	for call := range uint64(3) {
		fields := strings.Fields(shown(t, m, call))
		if want := "x-id=" + string(appended(t, s, call, 0)[2:]); fields[0] != want {
			t.Errorf("call %d: got %s, want %s", call, fields[0], want)
		}
		if strings.TrimPrefix(fields[1], "x-one=") == strings.TrimPrefix(fields[2], "x-other=") {
			t.Errorf("call %d: two functions gave %s", call, fields[1])
		}
	}
}

// Random values but UUIDs are those of the seed in every trial.
func TestTrialsHaveUUIDsOfTheirOwn(t *testing.T) {
	t.Parallel()
	of := func(uuidSeed uint64) []string {
		options := fixed(7)
		options.UUIDSeed = uuidSeed
		s := of(t, "Place", "json", `{"id": "{{uuid}} {{.UUID}} {{newUUID}} {{random 1 1000000}}"}`, options)
		return strings.Fields(string(appended(t, s, 3, 0)[2:]))
	}
	first, again, other := of(1), of(1), of(2)
	for i, id := range first {
		if again[i] != id || (other[i] == id) != (i == 3) {
			t.Errorf("value %d of three trials, two of one seed: %s, %s, %s", i, id, again[i], other[i])
		}
	}
}

func TestBinaryMetadataIsTheBytesOfItsBase64(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"+/8B", "-_8B"} {
		m := metadata(t, "k-bin: "+value)
		raw, err := m[0].Append(nil, 0)
		if err != nil || string(raw) != "\xfb\xff\x01" {
			t.Errorf("%s: got %q, %v", value, raw, err)
		}
	}
	m := metadata(t, "k-bin: YQ==", "r-bin: {{random_bytes 5}}")
	wire, err := m[0].AppendWire([]byte("x"), 0)
	if err != nil || string(wire) != "xYQ" {
		t.Errorf("got %q, %v", wire, err)
	}
	if raw, err := m[1].Append(nil, 3); err != nil || len(raw) != 5 {
		t.Errorf("got %q, %v", raw, err)
	}
}

func TestASequenceMayStandAtTheEndsOfItsNumbers(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"{{sequence -9223372036854775808}}":    "-9223372036854775808",
		"{{sequence 9223372036853775807}}":     "9223372036853775807",
		"{{sequence -9223372036853775808 -1}}": "-9223372036853775808",
		"{{sequence 9223372036854775807 0}}":   "9223372036854775807",
	} {
		if got := shown(t, metadata(t, "n: "+value), 0); got != "n="+want {
			t.Errorf("%s: got %s", value, got)
		}
	}
}

func TestBadMetadataIsOneSentence(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	file := filepath.Join(directory, "metadata")
	write(t, file, "a: 1\nb\n")
	blank := filepath.Join(directory, "blank")
	write(t, blank, "\n \n")
	for entry, want := range map[string]string{
		"a":             `metadata "a": the format is "name: value"`,
		": a":           `metadata ": a": the name is missing`,
		":authority: a": `metadata ":authority: a": use the flag --authority for the authority`,
		"a b: c": `metadata "a b: c": the name "a b" has characters other than letters, digits, '-', ` +
			"'_' and '.'",
		"Content-Type: a": `metadata "Content-Type: a": content-type is set by the protocol`,
		"a: {{sequence 9223372036854775807 1}}": `metadata "a: {{sequence 9223372036854775807 1}}": sequence: ` +
			"the value for call 1 does not fit into 64 bits",
		"a: {{sequence -8 -9223372036854775800}}": `metadata "a: {{sequence -8 -9223372036854775800}}": ` +
			"sequence: the value for call 2 does not fit into 64 bits",
		"user-agent: {{uuid}}": `metadata "user-agent: {{uuid}}": a gRPC client has one user-agent, so it can't ` +
			"differ between calls",
		"grpc-timeout: 1S":        `metadata "grpc-timeout: 1S": grpc-timeout is set by the protocol`,
		"a: ü":                    `metadata "a: ü": the value has 'ü', which is not printable ASCII`,
		"a: {{choose 1 \"\\n\"}}": `metadata "a: {{choose 1 \"\\n\"}}": the value has '\n', which is not printable ASCII`,
		"a-bin: b":                `metadata "a-bin: b": the value is not base64, which a-bin needs`,
		"a: {{uid}}":              `metadata "a: {{uid}}": unknown function "uid"; did you mean "uuid"?`,
		`{"a": 1}`:                "metadata \"{\\\"a\\\": 1}\": not a JSON object of strings, such as {\"name\": \"value\"}",
		"@" + file:                "metadata in " + file + `, line 2: the format is "name: value"`,
		"@" + blank:               "metadata in " + blank + ": it is empty; a pipe can be read only once",
		"@" + file + "no":         "metadata: cannot open " + file + "no: no such file or directory",
	} {
		_, err := parseMetadata(fixed(0), entry)
		wantError(t, err, want)
	}
}

func TestATokenIsReadFromAFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "token")
	write(t, path, "\ufeffone\n")
	token, err := request.ReadToken(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := shown(t, append(metadata(t, "a: b"), token.Metadatum()), 0); got != "a=b authorization=Bearer one" {
		t.Errorf("got %s", got)
	}
	write(t, path, " ")
	_, err = request.ReadToken(path)
	wantError(t, err, path+": the token is empty")
}

func TestABadTokenIsOneSentence(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		" \n":                          "the token is empty",
		"a b":                          "the token has a space or a character that is not printable ASCII",
		strings.Repeat("a", 65<<10):    "the token is longer than 64 KiB",
		"-----BEGIN\nPRIVATE KEY-----": "the token has a space or a character that is not printable ASCII",
	} {
		_, err := request.ParseToken(text)
		wantError(t, err, want)
	}
	_, err := request.EnvToken("TOKEN", fixed(0).LookUp)
	wantError(t, err, "the environment has no variable TOKEN for the token")
	_, err = request.EnvToken("SHOP", fixed(0).LookUp)
	wantError(t, err, "the variable SHOP: the token has a space or a character that is not printable ASCII")
}

func parseMetadata(options request.Options, entries ...string) (request.Metadata, error) {
	pairs, err := request.ReadPairs(entries, nil)
	if err != nil {
		return nil, err
	}
	return request.NewMetadata(pairs, options)
}

func metadata(t *testing.T, entries ...string) request.Metadata {
	t.Helper()
	m, err := parseMetadata(fixed(0), entries...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// shown writes a call's metadata in one line.
func shown(t *testing.T, m request.Metadata, call uint64) string {
	t.Helper()
	var list []string
	for _, e := range m {
		value, err := e.Append(nil, call)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("%s=%s", e.Name, value))
	}
	return strings.Join(list, " ")
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
