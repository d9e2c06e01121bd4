package schema_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"rpcbench/internal/call/schema"
)

func TestANameIsReadInEachWayItIsWritten(t *testing.T) {
	t.Parallel()
	want := schema.Name{Service: "shop.v1.Orders", Method: "Place"}
	for _, text := range []string{"shop.v1.Orders/Place", "/shop.v1.Orders/Place", "shop.v1.Orders.Place"} {
		if got, err := schema.ParseName(text); err != nil || got != want {
			t.Errorf("%s: got %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "Place", "/", "a/", "/b", "a b/c", "a/b/c", "a..b/c", "http://x/y"} {
		_, err := schema.ParseName(text)
		wantError(t, err, `"`+text+`" is not a method, such as package.Service/Method`)
	}
}

func TestAProtoIsFoundHoweverItIsNamed(t *testing.T) {
	t.Parallel()
	absolute, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		proto string
		paths []string
	}{
		{"shop/v1/shop.proto", []string{"testdata"}},
		{"testdata/shop/v1/shop.proto", []string{"testdata"}},
		{"testdata/shop/v1/shop.proto", []string{"testdata/legacy", "testdata"}},
		{filepath.Join(absolute, "shop/v1/shop.proto"), []string{"testdata"}},
		{"shop/v1/shop.proto", []string{absolute}},
	} {
		method, err := schema.Compile(t.Context(), []string{c.proto}, c.paths, place)
		if err != nil {
			t.Errorf("%v: %v", c, err)
			continue
		}
		wantPlace(t, method)
	}
}

func TestAProtoWithoutImportPathsIsFoundFromHere(t *testing.T) {
	t.Parallel()
	name := schema.Name{Service: "legacy.Archive", Method: "Store"}
	method, err := schema.Compile(t.Context(), []string{"testdata/legacy/legacy.proto"}, nil, name)
	if err != nil {
		t.Fatal(err)
	}
	if got := method.Path(); got != "/legacy.Archive/Store" {
		t.Errorf("path %s", got)
	}
}

func TestABadProtoIsOneSentenceWithItsPlace(t *testing.T) {
	t.Parallel()
	for proto, want := range map[string]string{
		"bad/syntax.proto": `bad/syntax.proto:4:3: field Broken.name: unknown type strin`,
		"bad/brace.proto":  `bad/brace.proto:2:32: syntax error: unexpected ';', expecting int literal`,
		"bad/import.proto": "bad/import.proto:3:8: the imported file \"elsewhere/lost.proto\" is not below an import path (testdata, " +
			"testdata/bad)",
		"bad/none.proto": "cannot find bad/none.proto, neither here nor below an import path (testdata)",
	} {
		root := []string{"testdata"}
		if strings.HasSuffix(proto, "import.proto") {
			proto = "testdata/" + proto
		}
		_, err := schema.Compile(t.Context(), []string{proto}, root, place)
		wantError(t, err, want)
	}
}

func TestAnUnknownNameIsAnsweredWithTheNearOnes(t *testing.T) {
	t.Parallel()
	for call, want := range map[string]string{
		"shop.v1.Orders/Plaec":  `the service shop.v1.Orders has no method "Plaec"; did you mean "Place"?`,
		"shop.v1.Orders/Cancel": `the service shop.v1.Orders has no method "Cancel"; known: Place, Watch, Upload, Chat, Tally`,
		"shop.v1.Order/Place":   `shop.v1.Order is not a service; did you mean "shop.v1.Orders"?`,
		"shop.Orders/Place":     `shop/v1/shop.proto has no service "shop.Orders"; did you mean "shop.v1.Orders"?`,
		"Stock/Count":           `shop/v1/shop.proto has no service "Stock"; did you mean "shop.v1.Stock"?`,
		"pets.Cats/Feed":        `shop/v1/shop.proto has no service "pets.Cats"; known: shop.v1.Orders, shop.v1.Stock`,
		"shop.v1.Orders": "shop.v1.Orders is a service, not a method; known: shop.v1.Orders/Place, shop.v1.Orders/Watch, " +
			"shop.v1.Orders/Upload, shop.v1.Orders/Chat, shop.v1.Orders/Tally",
		"/shop.v1.Stock": "shop.v1.Stock is a service, not a method; known: shop.v1.Stock/Count",
		"shop.v1.Order":  `shop/v1/shop.proto has no service "shop.v1"; known: shop.v1.Orders, shop.v1.Stock`,
	} {
		name, err := schema.ParseName(call)
		if err != nil {
			t.Fatal(err)
		}
		_, err = schema.Compile(t.Context(), []string{"shop/v1/shop.proto"}, []string{"testdata"}, name)
		wantError(t, err, want)
	}
}

func TestAProtosetHasWhatItWasMadeOf(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "shop.binpb")
	write(t, path, set(t, compiled(t)))
	method, err := schema.Protosets([]string{path}, place)
	if err != nil {
		t.Fatal(err)
	}
	wantPlace(t, method)
	wantAny(t, method)
}

func TestAProtosetWithoutItsImportsSaysWhichIsMissing(t *testing.T) {
	t.Parallel()
	var all descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(set(t, compiled(t)), &all); err != nil {
		t.Fatal(err)
	}
	one := &descriptorpb.FileDescriptorSet{}
	for _, file := range all.File {
		if file.GetName() == "shop/v1/shop.proto" {
			one.File = append(one.File, file)
		}
	}
	encoded, err := proto.Marshal(one)
	if err != nil {
		t.Fatal(err)
	}
	_, err = schema.OpenSet(encoded, place)
	wantError(t, err, "the schema does not contain all of shop.v1.Order: the type of its field "+
		`shop.v1.Order.price is in none of the files, and "shop/v1/shop.proto" imports "shop/v1/money.proto", `+
		"which is missing")

	// Missing types of other methods do not matter, and Google's imports need no file.
	method, err := schema.OpenSet(encoded, schema.Name{Service: "shop.v1.Orders", Method: "Tally"})
	wantError(t, err, "the schema does not contain all of shop.v1.Receipt: the type of its field "+
		`shop.v1.Receipt.total is in none of the files, and "shop/v1/shop.proto" imports "shop/v1/money.proto", `+
		"which is missing")
	if method != nil {
		t.Error("a method beside an error")
	}
}

func TestAFileThatIsNoProtosetIsSaidToBeNone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "set")
	write(t, path, []byte("syntax = \"proto3\";"))
	_, err := schema.Protosets([]string{path}, place)
	wantError(t, err, path+" is not a protoset (a FileDescriptorSet, such as protoc --include_imports -o writes): "+
		"cannot parse invalid wire-format data")
	_, err = schema.Protosets([]string{path + "2"}, place)
	wantError(t, err, "cannot open "+path+"2: no such file or directory")
}

func TestProtosetsWithDifferentFilesOfOneNameAreRefused(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := func(space, name string) *descriptorpb.FileDescriptorProto {
		return &descriptorpb.FileDescriptorProto{Name: &name, Package: &space, MessageType: []*descriptorpb.DescriptorProto{
			{Name: new("M"), Field: []*descriptorpb.FieldDescriptorProto{{
				Name: new("id"), Number: new(int32(1)),
				Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(), Type: descriptorpb.FieldDescriptorProto_TYPE_INT32.Enum(),
			}}},
		}}
	}
	save := func(name string, files ...*descriptorpb.FileDescriptorProto) string {
		encoded, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: files})
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, name)
		write(t, path, encoded)
		return path
	}
	const name = "api/v1/service.proto"
	shop, billing := save("shop.pb", file("shop", name)), save("billing.pb", file("billing", name))
	both := save("both.pb", file("shop", name), file("billing", name))
	// What another compiler adds does not make it another file.
	detailed := file("shop", name)
	detailed.SourceCodeInfo = &descriptorpb.SourceCodeInfo{}
	detailed.Options = &descriptorpb.FileOptions{GoPackage: new("example.com/shop")}
	detailed.MessageType[0].Field[0].JsonName = new("id")
	detailed.ProtoReflect().SetUnknown(protowire.AppendString(protowire.AppendTag(nil, 8042, protowire.BytesType), "buf"))
	for _, c := range []struct {
		paths []string
		want  string
	}{
		{[]string{shop, billing}, shop + " and " + billing + " hold two different files " + `"` + name +
			`": give only the one that has the method`},
		{[]string{both}, both + ` holds two different files "` + name + `"`},
		{[]string{shop, shop}, ""},
		{[]string{shop, save("detailed.pb", detailed)}, ""},
		{[]string{
			save("old.pb", file("google.protobuf", "google/protobuf/any.proto")),
			save("new.pb", file("google.protobuf2", "google/protobuf/any.proto")),
		}, ""},
	} {
		_, err := schema.ListSets(c.paths)
		if c.want == "" && err != nil {
			t.Errorf("%v: %v", c.paths, err)
		}
		if c.want != "" {
			wantError(t, err, c.want)
		}
	}
}

func TestExtensionsAreFound(t *testing.T) {
	t.Parallel()
	method, err := schema.Compile(t.Context(), []string{"legacy/legacy.proto"}, []string{"testdata"},
		schema.Name{Service: "legacy.Archive", Method: "Store"})
	if err != nil {
		t.Fatal(err)
	}
	record := dynamicpb.NewMessage(method.Descriptor.Input())
	options := protojson.UnmarshalOptions{Resolver: method.Types}
	if err := options.Unmarshal([]byte(`{"name": "a", "[legacy.shelf]": 7}`), record); err != nil {
		t.Fatal(err)
	}
	encoded, err := proto.MarshalOptions{Deterministic: true}.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(encoded), "\xa0\x06\x07\x0a\x01a"; got != want {
		t.Errorf("encoded %q, want %q", got, want)
	}
}

var place = schema.Name{Service: "shop.v1.Orders", Method: "Place"}

func compiled(t testing.TB) *schema.Method {
	t.Helper()
	method, err := schema.Compile(context.Background(), []string{"shop/v1/shop.proto"}, []string{"testdata"}, place)
	if err != nil {
		t.Fatal(err)
	}
	return method
}

func set(t testing.TB, method *schema.Method) []byte {
	t.Helper()
	encoded, err := method.Set()
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

func write(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func wantPlace(t *testing.T, method *schema.Method) {
	t.Helper()
	if got := method.Path(); got != "/shop.v1.Orders/Place" {
		t.Errorf("path %s", got)
	}
	price := method.Descriptor.Input().Fields().ByName("price").Message()
	if got := price.Fields().ByName("units").Kind(); got != protoreflect.Int64Kind {
		t.Errorf("price.units is %v", got)
	}
}

// wantAny checks that a message of the schema is found inside an Any.
func wantAny(t *testing.T, method *schema.Method) {
	t.Helper()
	order := dynamicpb.NewMessage(method.Descriptor.Input())
	options := protojson.UnmarshalOptions{Resolver: method.Types}
	for _, extra := range []string{
		`"@type": "type.googleapis.com/shop.v1.Query", "text": "x"`,
		`"@type": "type.googleapis.com/google.protobuf.Duration", "value": "1.5s"`,
		// None of the files imports these.
		`"@type": "type.googleapis.com/google.protobuf.FieldMask", "value": "a,bC"`,
		`"@type": "type.googleapis.com/google.protobuf.Api", "sourceContext": {"fileName": "a"}`,
	} {
		if err := options.Unmarshal([]byte(`{"extra": {`+extra+`}}`), order); err != nil {
			t.Errorf("%s: %v", extra, err)
		}
	}
	unknown := `{"extra": {"@type": "type.googleapis.com/google.protobuf.Duratio", "value": "1.5s"}}`
	if err := options.Unmarshal([]byte(unknown), order); err == nil {
		t.Error("google.protobuf.Duratio was found")
	}
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
