package conformance

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

const (
	javaProgram = "ConformanceServer"
	// javaWorker is the worker whose stack sets the servers up, as make java builds it.
	javaWorker = "../../../../bin/java/grpc-java"
	// javaVariable is the port of the program that starts servers.
	javaVariable = "SUITE_JAVA"
)

func TestGRPCJavaPassesConnectsSuite(t *testing.T) {
	if _, err := exec.LookPath("javac"); err != nil {
		t.Skip("a JDK has what it needs")
	}
	if _, err := os.Stat(javaWorker); err != nil {
		t.Skip("make java builds what it needs")
	}
	run(t, "server", "grpc-java-netty", javaVariable+"="+startJava(t))
}

// startJava starts the program that starts servers, until the test ends, and returns its port. The runner waits for a server for
// 10 s, in which a JVM need not have started on a busy machine.
func startJava(t *testing.T) (port string) {
	t.Helper()
	folder := t.TempDir()
	compile := exec.CommandContext(t.Context(), "javac", "-d", folder, "-cp", javaWorker+"/lib/*", "testdata/"+javaProgram+".java")
	if said, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	java := exec.CommandContext(t.Context(), "java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
		"-cp", folder+string(os.PathListSeparator)+javaWorker+"/lib/*", javaProgram)
	java.Stderr = os.Stderr
	in, err := java.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := java.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := java.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = in.Close(), java.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("it printed %q instead of its port: %v", line, err)
	}
	return strings.TrimSpace(line)
}

// held is the connection with which this process's server ends.
var held net.Conn

// serveJava has a server of the suite's service started as grpc-java-netty sets servers up.
func serveJava(request *serverRequest) (net.Addr, error) {
	settings, err := javaSettings(request)
	if err != nil {
		return nil, err
	}
	if held, err = net.Dial("tcp", net.JoinHostPort("127.0.0.1", os.Getenv(javaVariable))); err != nil {
		return nil, err
	}
	for _, setting := range settings {
		if _, err := fmt.Fprintln(held, base64.StdEncoding.EncodeToString(setting)); err != nil {
			return nil, err
		}
	}
	line, err := bufio.NewReader(held).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("the answer was %q instead of an address: %w", line, err)
	}
	return net.ResolveTCPAddr("tcp", strings.TrimSpace(line))
}

// javaSettings are the lines that the program reads.
func javaSettings(request *serverRequest) ([][]byte, error) {
	schema, err := schema()
	if err != nil || !request.UseTLS {
		return [][]byte{schema, nil, nil, nil}, err
	}
	pair, err := tls.X509KeyPair(request.ServerCreds.Cert, request.ServerCreds.Key)
	if err != nil {
		return nil, err
	}
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey) // whatever form the suite's has
	if err != nil {
		return nil, err
	}
	key = pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})
	return [][]byte{schema, request.ServerCreds.Cert, key, request.ClientTLSCert}, nil
}

// schema is the suite's service as a FileDescriptorSet, in which each file comes after those that it imports.
func schema() ([]byte, error) {
	const name = "connectrpc/conformance/v1/service.proto"
	file, err := protoregistry.GlobalFiles.FindFileByPath(name)
	if err != nil {
		return nil, err
	}
	set, seen := &descriptorpb.FileDescriptorSet{}, map[string]bool{}
	var add func(file protoreflect.FileDescriptor)
	add = func(file protoreflect.FileDescriptor) {
		if seen[file.Path()] {
			return
		}
		seen[file.Path()] = true
		for i := range file.Imports().Len() {
			add(file.Imports().Get(i))
		}
		set.File = append(set.File, protodesc.ToFileDescriptorProto(file))
	}
	add(file)
	return proto.Marshal(set)
}
