package scenario

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestABadKeyOrValueIsOneSentenceWithItsPlace(t *testing.T) {
	t.Parallel()
	all := "connect, first_call, unary, stream, ping_pong, burst, upload, download, both_ways, encode, decode"
	timed := "unary, stream, ping_pong, burst, upload, download or both_ways"
	for _, test := range []struct{ keys, want string }{
		{"kind: unray", `5:9: kind: "unray" is unknown; did you mean "unary"?`},
		{"kind: zzzzz", `5:9: kind: "zzzzz" is unknown; known: ` + all},
		{"kind:", "5:9: kind: nothing is given; expected one value"},
		{"kind: []", `5:9: kind: the list is empty`},
		{"kind: [unary, [stream]]", "5:17: kind: a list is given; expected one value"},
		{"trials: 3", `4:3: kind is missing in case "a"; known: ` + all},
		{"request_bytse: 5", `5:3: unknown key "request_bytse"; did you mean "request_bytes"?`},
		{"kindd: 5", `5:3: unknown key "kindd"; did you mean "kind"?`},
		{"kind: unary\nkind: stream", `6:3: not YAML: mapping key "kind" already defined at [5:3]`},
		{"stack: " + strings.Repeat("[", 65), "5: values are nested more than 64 levels deep"},
		{"stack: ''", `5:10: stack: "" is not a name`},
		{"stack: {a: b}", "5:11: stack: a map is given; expected one value"},
		{"request_bytes: 70MB", "5:18: request_bytes: 70MB is above the limit of 67108864 bytes (64 MiB)"},
		{"request_bytes: [1, 67108865]", "5:22: request_bytes: 67108865 is above the limit of 67108864 bytes (64 MiB)"},
		{"request_bytes: 99999999999999999999MiB",
			"5:18: request_bytes: 99999999999999999999MiB is above the limit of 67108864 bytes (64 MiB)"},
		{"response_bytes: -1", "5:19: response_bytes: -1 is below the minimum of 0"},
		{"response_bytes: 1KB", `5:19: response_bytes: "1KB" is not a size, such as 1000, 1kB, 1MB, 1KiB or 1MiB`},
		{"response_bytes: 1.5kB", `5:19: response_bytes: "1.5kB" is not a size, such as 1000, 1kB, 1MB, 1KiB or 1MiB`},
		{"messages: 0", "5:13: messages: 0 is below the minimum of 1"},
		{"messages: 10000001", "5:13: messages: 10000001 is above the limit of 10000000"},
		{"messages: 0x10", `5:13: messages: "0x10" is not a whole number`},
		{"shape: 50", `5:10: shape: "50" is not a shape, such as 4x25 (connections x calls in flight on each)`},
		{"shape: [1x1, -1x5]", `5:16: shape: "-1x5" is not a shape, such as 4x25 (connections x calls in flight ` +
			"on each)"},
		{"shape: 0x5", "5:10: shape: 0x5: connections: 0 is below the minimum of 1"},
		{"shape: 10001x1", "5:10: shape: 10001x1: connections: 10001 is above the limit of 10000"},
		{"shape: 1x0", "5:10: shape: 1x0: calls in flight: 0 is below the minimum of 1"},
		{"shape: 1x1000001", "5:10: shape: 1x1000001: calls in flight: 1000001 is above the limit of 1000000"},
		{"shape: 10000x101", "5:10: shape: 10000x101: 1010000 calls in flight are above the limit of 1000000"},
		{"kind: ping_pong\nstreams: [1, 2]\nshape: [1x2, 3x1]",
			"6:16: streams: 2 is above the limit of 1, the calls in flight of shape 3x1"},
		{"kind: unary\nshape: [4x1, 2x1]\nclients: [2, 4]",
			"7:16: clients: 4 share the connections, and each needs one: shape 2x1 has 2"},
		{"streams: 0", "5:12: streams: 0 is below the minimum of 1"},
		{"load: open", `5:9: load: "open" is unknown; known: closed, constant, poisson`},
		{"kind: unary\nload: constant", `6:9: load: "constant" has no rate, such as "constant 1000/s"`},
		{"load: poisson NaN/s", `5:9: load: "poisson NaN/s" has no rate, such as "poisson 1000/s"`},
		{"load: constant 1_000/s", `5:9: load: "constant 1_000/s" has no rate, such as "constant 1000/s"`},
		{"load: constant 0x10p0/s", `5:9: load: "constant 0x10p0/s" has no rate, such as "constant 1000/s"`},
		{"load: constant 1e-300/s", "5:9: load: constant 1e-300/s is below the minimum of 0.00001/s, about a call a day"},
		{"load: constant 1e-400/s", "5:9: load: constant 1e-400/s is not above 0/s"},
		{"rate: 1_000", `5:9: rate: "1_000" is not a number of calls per second, such as 1000`},
		{"load: poisson 0/s", "5:9: load: poisson 0/s is not above 0/s"},
		{"load: constant -1/s", "5:9: load: constant -1/s is not above 0/s"},
		{"load: constant 10000001/s", "5:9: load: constant 10000001/s is above the limit of 10000000/s"},
		{"load: constant 1e999/s", "5:9: load: constant 1e999/s is above the limit of 10000000/s"},
		{"load: closed 5/s", `5:9: load: "closed 5/s": a closed loop has no rate`},
		{"security: tsl", `5:13: security: "tsl" is unknown; did you mean "tls"?`},
		{"network: udp", `5:12: network: "udp" is unknown; known: tcp, unix, ws, wsh, inproc`},
		{"compression: brotli", `5:16: compression: "brotli" is unknown; known: none, gzip`},
		{"payload: zeroes", `5:12: payload: "zeroes" is unknown; did you mean "zeros"?`},
		{"client_cpus: a", `5:16: client_cpus: "a" is not a list of processors, such as 0-1,3`},
		{"client_cpus: 3-1", "5:16: client_cpus: 3-1: the range 3-1 is descending"},
		{"server_cpus: 0,1-1024", "5:16: server_cpus: 0,1-1024: processor 1-1024 is above the limit of 1023"},
		{"options: a", "5:12: options: a value is given; expected a map of options"},
		{"options: {a: [1]}", "5:13: options: a: a list is given; expected one value"},
		{"jvm_options: -Xms2g 'x", `5:16: jvm_options: "-Xms2g 'x" can't be split into words: a quote or ` +
			"parenthesis in it is not closed, or must be quoted"},
		{"jvm_options: -Da=é;b", `5:16: jvm_options: "-Da=é;b" can't be split into words: ";" in it must be quoted`},
		{"jvm_options: Xmx2g", `5:16: jvm_options: "Xmx2g" is not a JVM option, such as -Xmx2g`},
		{"jvm_options: -Xmx2g Evil.java", `5:16: jvm_options: "Evil.java" is not a JVM option, such as -Xmx2g`},
		{"jvm_options: '-Xmx2g @file'", `5:16: jvm_options: "@file" is not a JVM option, such as -Xmx2g`},
		{`jvm_options: '-Xmx2g ""'`, `5:16: jvm_options: "" is not a JVM option, such as -Xmx2g`},
		{"jvm_options: -Xmx2g -jar", `5:16: jvm_options: "-jar" takes the next word as its value; give options ` +
			"as single words, such as --add-opens=java.base/java.nio=ALL-UNNAMED"},
		{"kind: encode\nmessage: huge", `6:12: message: "huge" is unknown; known: all, small, address-book, newsfeed, ` +
			`large, large-dense, large-sparse`},
		{"kind: encode\nsample: 999us", "6:11: sample: 999us is below the minimum of 1ms"},
		{"kind: encode\nsample: 61s", "6:11: sample: 61s is above the limit of 1m0s"},
		{"kind: encode\nsample: 10s", "6:11: sample: a call of 10s can't end before the deadline of 10s"},
		{"kind: encode\nshape: 1x2", "6:3: shape: only cases of kind connect, first_call, unary, stream, " +
			"ping_pong, burst, upload, download or both_ways support it, not encode"},
		{"kind: unary\ncodec: json", "6:3: codec: only cases of kind encode or decode support it, not unary"},
		{"deadline: 999us", "5:13: deadline: 999us is below the minimum of 1ms"},
		{"deadline: 25h", "5:13: deadline: 25h is above the limit of 24h"},
		{"duration: 99999999h", `5:13: duration: 99999999h is above the limit of 24h`},
		{"in_flight: 1e9", `5:14: in_flight: 1e9 is above the limit of 1000000`},
		{"in_flight: 1e3", `5:14: in_flight: 1e3 must be written in digits: 1000`},
		{"in_flight: 1e-3", `5:14: in_flight: "1e-3" is not a whole number`},
		{"duration: 5x", `5:13: duration: "5x" is not a duration, such as 5s or 300ms`},
		{"duration: 0s", "5:13: duration: 0s is not above 0"},
		{"duration: -1s", "5:13: duration: -1s is not above 0"},
		{"duration: [1s, 2s]", "5:13: duration: this key takes one value, not a list"},
		{"duration: 1s\ncalls: 5", "6:3: calls and duration are mutually exclusive; give only one"},
		{"calls: 0", "5:10: calls: 0 is below the minimum of 1"},
		{"calls: 10000000001", "5:10: calls: 10000000001 is above the limit of 10000000000"},
		{"kind: unary\nload: poisson 1000/s\ncalls: 100000001", "7:10: calls: 100000001 at random times are above the limit " +
			"of 100000000, because clients read all times before the first call: give a duration instead"},
		{"kind: unary\nload: [closed, poisson 5/s]\ncalls: 10000000000", "7:10: calls: 10000000000 at random times are above " +
			"the limit of 100000000, because clients read all times before the first call: give a duration instead"},
		{"warmup: -1ms", "5:11: warmup: -1ms is below the minimum of 0s"},
		{"warmup: 2s..", `5:11: warmup: "" is not a duration, such as 5s or 300ms`},
		{"warmup: ..5s", `5:11: warmup: "" is not a duration, such as 5s or 300ms`},
		{"warmup: 2s..3s..4s", `5:11: warmup: "3s..4s" is not a duration, such as 5s or 300ms`},
		{"warmup: 10s..2s", "5:11: warmup: 10s..2s: the maximum, 2s, is not above the minimum, 10s"},
		{"warmup: 3s..3s", "5:11: warmup: 3s..3s: the maximum, 3s, is not above the minimum, 3s"},
		{"warmup: 1s..2s", "5:11: warmup: 1s..2s: the steady state can only be detected after more than 2s, so " +
			"the maximum must be longer"},
		{"warmup: 2s..25h", "5:11: warmup: 25h is above the limit of 24h"},
		{"warmup: [2s..3s]", "5:11: warmup: this key takes one value, not a list"},
		{"drain: 0s", "5:10: drain: 0s is not above 0"},
		{"trials: 1001", "5:11: trials: 1001 is above the limit of 1000"},
		{"trials: -99999999999999999999", "5:11: trials: -99999999999999999999 is below the minimum of 1"},
		{"trials: {a: 1}", "5:12: trials: a map is given; expected one value"},
		{"kind: unary\nmessages: 5", "6:3: messages: only cases of kind stream, burst, upload, download or both_ways " +
			"support it, not unary"},
		{"kind: [unary, upload]\nstreams: 5", "6:3: streams: only cases of kind ping_pong or burst support it, " +
			"not unary or upload"},
		{"kind: connect\ncompression: none",
			"6:3: compression: only cases of kind first_call, " + timed + " support it, not connect"},
		{"kind: connect\nduration: 5s", "6:3: duration: only cases of kind unary, stream, ping_pong, burst, " +
			"upload, download, both_ways, encode or decode support it, not connect"},
		{"kind: first_call\nrequest_bytes: 5",
			"6:3: request_bytes: only cases of kind " + timed + " support it, not first_call"},
		{"kind: download\nrequest_bytes: 1MB",
			"6:3: request_bytes: for kind download, response_bytes determines the message size; give that too"},
		{"kind: [unary, upload]\nresponse_bytes: 1MB",
			"6:3: response_bytes: for kind upload, request_bytes determines the message size; give that too"},
		{"kind: unary\nbatch: [1, 100001]", "6:14: batch: 100001 is above the limit of 100000"},
		{"batch: 0", "5:10: batch: 0 is below the minimum of 1"},
		{"kind: stream\nbatch: 5",
			"6:3: batch: only cases of kind unary, ping_pong, burst or upload support it, not stream"},
		{"kind: unary\nbatch: [1, 100000]\nrequest_bytes: [8, 1kB]", "6:14: batch: 100000 operations of 1000 " +
			"bytes and an id of 8 make a message above the limit of 67108864 bytes (64 MiB)"},
		{"kind: burst\nmessages: [5, 70]\nrequest_bytes: 1MB", "6:17: messages: a burst of 70 messages of " +
			"1000000 bytes is above the limit of 67108864 bytes (64 MiB), which the server holds before it " +
			"answers"},
		{"kind: burst\nbatch: 100\nrequest_bytes: 10kB", "4:3: messages: a burst of 100 messages of 1000800 " +
			"bytes is above the limit of 67108864 bytes (64 MiB), which the server holds before it answers"},
		{"kind: burst\nmessages: 540001\nrequest_bytes: 0", "6:13: messages: 540001 is above the limit of 540000 " +
			"for a burst"},
		{"servers: 65", "5:12: servers: 65 is above the limit of 64"},
		{"kind: unary\nservers: [1, 4]\nshape: [8x1, 2x9]",
			"6:16: servers: 4 is more than the number of connections of shape 2x9, so some servers would have none"},
		{"link: wann", `5:9: link: "wann" is unknown; did you mean "wan"?`},
		{"link:", "5:9: link: nothing is given; expected a link's name or a map such as {rtt: 10ms, up: 20Mbit}"},
		{"link: {rtt: 10x}", `5:10: link: rtt: "10x" is not a duration, such as 5s or 300ms`},
		{"link: {rtt: 11s}", "5:10: link: rtt: 11s is above the limit of 10s"},
		{"link: {rtt: 10ms, jitter: 6ms}", "5:10: link: jitter: 6ms is above the limit of 5ms, half of rtt"},
		{"link: {rtt: 10ms, upp: 1Mbit}", `5:10: link: "upp" is unknown; did you mean "up"?`},
		{"link: {up: 20}", `5:10: link: up: "20" is not a bandwidth per second, such as 100Mbit, 1Gbit or 768kbit`},
		{"link: {down: 999bit}", `5:10: link: down: "999bit" is not a bandwidth per second, such as 100Mbit, ` +
			"1Gbit or 768kbit"},
		{"link: {down: 0.9kbit}", "5:10: link: down: 0.9kbit is below the minimum of 1kbit/s"},
		{"link: {down: 1e9Gbit}", "5:10: link: down: 1e9Gbit is above the limit of 100Gbit/s"},
		{"link: {down: NaNMbit}", `5:10: link: down: "NaNMbit" is not a bandwidth per second, such as 100Mbit, ` +
			"1Gbit or 768kbit"},
		{"link: {rtt: 0s}", "5:10: link: the map has neither delay nor bandwidth; for no link use loopback"},
		{"kind: unary\nlink: [lan, 3g]\ndeadline: 300ms",
			"6:15: link: no call over a round trip of 300ms can end before the deadline of 300ms"},
		{"kind: encode\nlink: lan", "6:3: link: only cases of kind connect, first_call, unary, stream, " +
			"ping_pong, burst, upload, download or both_ways support it, not encode"},
		{"kind: &k unary", "5:9: anchors, aliases, merge keys and tags are not supported; write the value out"},
	} {
		_, err := Parse("my.yaml", []byte(inCase(test.keys)))
		checkError(t, err, "my.yaml:"+test.want)
	}
}

// A word may fill a file.
func TestALongWordIsCutInItsSentence(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 20_000)
	for _, test := range []struct{ keys, begin, end string }{
		{long + ": 5", `my.yaml:5:3: unknown key "éé`, "jvm_options, binary and 33 more"},
		{"kind: " + long, `my.yaml:5:9: kind: "éé`, "encode, decode"},
		{"request_bytes: " + strings.Repeat("1", 50_000), "my.yaml:5:18: request_bytes: 111",
			"1 is above the limit of 67108864 bytes (64 MiB)"},
	} {
		_, err := Parse("my.yaml", []byte("name: a\nquestion: b?\ncases:\n- title: a\n  "+test.keys))
		if err == nil {
			t.Fatal("it is accepted")
		}
		text := err.Error()
		if len(text) > 1000 || !utf8.ValidString(text) || !strings.HasPrefix(text, test.begin) || !strings.HasSuffix(text, test.end) ||
			!strings.Contains(text, "…") {
			t.Errorf("%d bytes: %s", len(text), text)
		}
	}
}

func TestABadFileIsOneSentenceWithItsPlace(t *testing.T) {
	t.Parallel()
	head := "name: x\nquestion: y\n"
	for _, test := range []struct{ text, want string }{
		{"", "my.yaml: nothing is given; expected a scenario: name, question, cases"},
		{"# only a comment\n", "my.yaml: nothing is given; expected a scenario: name, question, cases"},
		{"\xff\xfen\x00a\x00", "my.yaml: the file is not UTF-8"},
		{"n\x00a\x00m\x00e\x00", "my.yaml: the file is not UTF-8"},
		{"name: caf\xe9", "my.yaml: the file is not UTF-8"},
		{"- a", "my.yaml:1:1: a list is given; expected a scenario: name, question, cases"},
		{"name: [1", `my.yaml:1:7: not YAML: sequence end token ']' not found`},
		{"name: x\n\tb: 1", `my.yaml:2:1: not YAML: found character '\t' that cannot start any token`},
		{"name: x\n---\nname: y", "my.yaml:3:5: a second YAML document starts here; a file has one scenario"},
		{"nam: x", `my.yaml:1:1: unknown key "nam"; did you mean "name"?`},
		{"name: [x]", "my.yaml:1:7: name: a list is given; expected text"},
		{"name: ''", `my.yaml:1:7: name: the text is empty`},
		{"name: \"x\\e[31m\"", `my.yaml:1:7: name: the text has the control character '\x1b'`},
		{"name: x\nquestion: \"y\\a?\"", `my.yaml:2:11: question: the text has the control character '\a'`},
		{head + "cases: [{title: \"a\\0\"}]", `my.yaml:3:17: title: the text has the control character '\x00'`},
		{head + "cases: [{title: a, kind: unary, stack: \"a\\e\"}]", `my.yaml:3:40: stack: "a\x1b" is not a name`},
		{"question: y\ncases: [{title: a, kind: unary}]", `my.yaml: name is missing`},
		{"name: x", `my.yaml: question is missing: the sentence that the scenario answers`},
		{head, "my.yaml: cases is missing: a list of at least one case"},
		{head + "cases: []", "my.yaml: cases is missing: a list of at least one case"},
		{head + "cases: a", "my.yaml:3:8: cases: a value is given; expected a list of cases"},
		{head + "cases: [a]", "my.yaml:3:9: cases: a value is given; expected a case: a title and keys"},
		{head + "cases: [{kind: unary}]",
			`my.yaml:3:10: title is missing: the heading of the case's table, such as "1 kB echo, one caller"`},
		{head + "cases:\n- {title: a, kind: unary}\n- {title: a, kind: stream}",
			`my.yaml:5:4: title: "a" is also the title of the case at my.yaml:4:4`},
		{head + "defaults: 5", "my.yaml:3:11: defaults: a value is given; expected a map of keys"},
		{head + "defaults: {title: a}", "my.yaml:3:12: title: each case has its own; it can't be in defaults"},
		{head + "defaults: {trials: x}", `my.yaml:3:20: trials: "x" is not a whole number`},
		{head + "defaults: {messages: 5}\ncases: [{title: a, kind: unary}]",
			"my.yaml:3:12: messages: no case supports it; only cases of kind stream, burst, upload, download or both_ways support it"},
		{head + "defaults: {streams: 1, messages: 5}\ncases: [{title: a, kind: unary}]",
			"my.yaml:3:24: messages: no case supports it; only cases of kind stream, burst, upload, download or both_ways support it"},
		{head + "defaults: {duration: 5s}\ncases: [{title: a, kind: connect}]",
			"my.yaml:3:12: duration: no case supports it; only cases of kind unary, stream, ping_pong, burst, " +
				"upload, download, both_ways, encode or decode support it"},
		{head + "defaults: {request_bytes: 5}\ncases: [{title: a, kind: download}]",
			"my.yaml:3:12: request_bytes: no case supports it; cases of kind unary, stream, ping_pong, burst, upload " +
				"or both_ways support it, and those of kind download that have the key themselves"},
		{strings.Repeat("#", 64<<10+1), "my.yaml: the file is larger than 65536 bytes, the limit for a scenario"},
	} {
		_, err := Parse("my.yaml", []byte(test.text))
		checkError(t, err, test.want)
	}
}
