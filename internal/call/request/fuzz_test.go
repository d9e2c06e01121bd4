package request_test

import (
	"strings"
	"testing"

	"rpcbench/internal/call/request"
	"rpcbench/internal/test/allocated"
)

// FuzzInput reads hostile inputs of each format. An input that is accepted gives the same result for the same call, and the error
// of one that is refused is a single line that names the input.
func FuzzInput(f *testing.F) {
	formats := []string{request.FormatJSON, request.FormatLines, request.FormatCSV, request.FormatBinary}
	for _, r := range refused {
		for i, format := range formats {
			if r.format == format {
				f.Add(uint8(i), r.text)
			}
		}
	}
	f.Add(uint8(2), "id,price.units\n\"{{choose \"\"a\"\" \"\"b\"\"}}\",{{random 1 9}}\n")
	f.Fuzz(func(t *testing.T, format uint8, text string) {
		input := request.Input{Name: "in", Format: formats[int(format)%len(formats)], Text: []byte(text)}
		if len(text) > 4000 || strings.Contains(text, "0000") { // not megabytes of random text
			return
		}
		place := method(t, "Place")
		var s *request.Source
		var err error
		allocated.AtMost(t, 8<<20+5000*uint64(len(text)), func() { s, err = request.New(place, input, fixed(1)) })
		if err != nil {
			if !strings.HasPrefix(err.Error(), "in") && !strings.Contains(err.Error(), " in ") {
				t.Errorf("%q: %v names no place", text, err)
			}
			return
		}
		for call := range uint64(3) {
			one, err := s.Append(nil, call, 0)
			two, again := s.Append(nil, call, 0)
			if string(one) != string(two) || (err == nil) != (again == nil) {
				t.Errorf("call %d is %q and %q", call, one, two)
			}
		}
	})
}

// FuzzMetadata checks that accepted metadata can be sent.
func FuzzMetadata(f *testing.F) {
	for _, seed := range []string{
		"a: b", "a-bin: YQ", `{"a": "{{uuid}}"}`, "a: {{choose 1 \"b\"}}", "a:", "{", "a: {{env \"SHOP\"}}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, entry string) {
		if strings.HasPrefix(entry, "@") || strings.Contains(entry, "0000") {
			return
		}
		m, err := parseMetadata(fixed(1), entry)
		if err != nil {
			return
		}
		for _, e := range m {
			value, err := e.AppendWire(nil, 1)
			if err == nil && strings.ContainsFunc(string(value), func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Errorf("%q would send %q", entry, value)
			}
		}
	})
}
