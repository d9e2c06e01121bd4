package schema_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"rpcbench/internal/call/schema"
)

// field is a field of an encoded message that holds bytes.
func field(number protowire.Number, value []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), value)
}

// setOf is a FileDescriptorSet with one file, of these messages.
func setOf(messages []byte) []byte {
	return field(1, append(field(1, []byte("a.proto")), messages...))
}

// nested is a message in a message in a message.
func nested(name string, depth int) []byte {
	message := field(1, []byte(name))
	for range depth {
		message = append(field(1, []byte(name)), field(3, message)...)
	}
	return field(4, message)
}

// Each of these takes gigabytes once it is decoded and linked.
func TestDescriptorsAreWeighedBeforeTheyAreDecoded(t *testing.T) {
	for name, attack := range map[string]struct {
		set  []byte
		want string
	}{
		"nested":          {setOf(nested("a", 5000)), "nests declarations more than 64 levels deep"},
		"empty messages":  {setOf(bytes.Repeat([]byte{0x22, 0}, 1<<20)), "more than 1000000 declarations"},
		"options":         {setOf(field(8, bytes.Repeat([]byte{0xba, 0x3e, 0}, 1<<20))), "more than 1000000 declarations"},
		"long full names": {setOf(nested(strings.Repeat("a", 1<<20), 20)), "full names of more than 64 MiB"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := schema.OpenSet(attack.set, place)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), attack.want) {
			t.Errorf("%s: %v, want an error with %q", name, err, attack.want)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 8<<20 {
			t.Errorf("%s: refusing %d bytes took %d", name, len(attack.set), took)
		}
	}
}

func TestASetOfManyFilesIsRefused(t *testing.T) {
	t.Parallel()
	var set []byte
	for i := range schema.FilesMax + 1 {
		set = append(set, field(1, field(1, []byte(strconv.Itoa(i))))...)
	}
	_, err := schema.OpenSet(set, place)
	if err == nil || !strings.Contains(err.Error(), "the schema has more than 10000 files") {
		t.Errorf("%v, want the limit", err)
	}
}

func TestAProtoThatNestsWithoutEndIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.proto")
	if err := os.WriteFile(path, []byte(strings.Repeat("message a{", 20_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := schema.Compile(t.Context(), []string{path}, nil, place)
	if err == nil || !strings.Contains(err.Error(), "a.proto nests braces more than 64 levels deep") {
		t.Errorf("%v, want what is wrong with it", err)
	}
}

func TestProtosOfManyBytesAreRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.proto")
	if err := os.WriteFile(path, bytes.Repeat([]byte("//\n"), schema.SourceBytesMax/3+1), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := schema.Compile(t.Context(), []string{path}, nil, place)
	if err == nil || !strings.Contains(err.Error(), "the .proto files are longer than 8 MiB") {
		t.Errorf("%v, want the limit", err)
	}
}
