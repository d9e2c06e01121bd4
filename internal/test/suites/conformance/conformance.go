// Package conformance is what Connect's conformance suite runs: a client made of package wire, and servers as our stacks
// set them up, with the suite's service. The suite's own runner starts them and judges what they say; see its
// documentation, docs/testing_clients.md and docs/testing_servers.md of connectrpc.com/conformance.
package conformance

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/anypb"
)

const (
	module      = "connectrpc.com/conformance"
	packageName = "connectrpc.conformance.v1."
)

// protoFolder is where the suite's .proto files are.
func protoFolder(ctx context.Context) (string, error) {
	folder, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	return filepath.Join(strings.TrimSpace(string(folder)), "proto"), err
}

// register makes the suite's messages and service known by the .proto files in its module, as their generated code is
// internal to that. Messages are read and written by way of their JSON, which structs of this package mirror as far as they
// are used.
func register(ctx context.Context, folder string) error {
	compiler := protocompile.Compiler{
		Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: []string{folder}}),
	}
	for _, name := range []string{"config", "service", "client_compat", "server_compat"} {
		compiled, err := compiler.Compile(ctx, "connectrpc/conformance/v1/"+name+".proto")
		if err != nil {
			return err
		}
		if err := protoregistry.GlobalFiles.RegisterFile(compiled[0]); err != nil {
			return err
		}
		if err := registerTypes(compiled[0].Messages()); err != nil {
			return err
		}
	}
	return nil
}

func registerTypes(messages protoreflect.MessageDescriptors) error {
	for i := range messages.Len() {
		one := messages.Get(i)
		if err := protoregistry.GlobalTypes.RegisterMessage(dynamicpb.NewMessageType(one)); err != nil {
			return err
		}
		if err := registerTypes(one.Messages()); err != nil {
			return err
		}
	}
	return nil
}

// newMessage makes an empty message of the suite's package.
func newMessage(name string) proto.Message {
	found, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(packageName + name))
	if err != nil {
		panic(err) // register was called
	}
	return found.New().Interface()
}

// toGo reads a message into a struct.
func toGo(message proto.Message, to any) error {
	text, err := toJSON(message)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}

// fromGo reads a struct into a message.
func fromGo(from any, message proto.Message) error {
	text, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return fromJSON(text, message)
}

func toJSON(message proto.Message) (json.RawMessage, error) {
	return protojson.MarshalOptions{UseProtoNames: true, UseEnumNumbers: true}.Marshal(message)
}

func fromJSON(text json.RawMessage, message proto.Message) error {
	return protojson.Unmarshal(text, message)
}

// read reads a message with its length before it, from the runner. Its error is io.EOF at the end of input.
func readMessage(from io.Reader, name string, to any) error {
	var length [4]byte
	if _, err := io.ReadFull(from, length[:]); err != nil {
		return err
	}
	encoded := make([]byte, binary.BigEndian.Uint32(length[:]))
	if _, err := io.ReadFull(from, encoded); err != nil {
		return err
	}
	message := newMessage(name)
	if err := proto.Unmarshal(encoded, message); err != nil {
		return err
	}
	return toGo(message, to)
}

// write writes a message with its length before it, to the runner.
func writeMessage(to io.Writer, name string, from any) error {
	message := newMessage(name)
	if err := fromGo(from, message); err != nil {
		return err
	}
	encoded, err := proto.Marshal(message)
	if err != nil {
		return err
	}
	_, err = to.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(encoded))), encoded...))
	return err
}

// pack returns a message as the JSON of an Any.
func pack(message proto.Message) (json.RawMessage, error) {
	packed, err := anypb.New(message)
	if err != nil {
		return nil, err
	}
	return toJSON(packed)
}

// unpack returns the message in the JSON of an Any.
func unpack(text json.RawMessage) (proto.Message, error) {
	packed := &anypb.Any{}
	if err := fromJSON(text, packed); err != nil {
		return nil, err
	}
	return packed.UnmarshalNew()
}
