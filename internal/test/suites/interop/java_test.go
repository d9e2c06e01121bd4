package interop

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"rpcbench/internal/stack"
)

// javaClasspath returns where grpc-java's interoperability programs are. Where there is no JVM, or their module can't be had,
// the test is skipped.
func javaClasspath(t *testing.T) string {
	t.Helper()
	for _, needed := range []string{"java", "mvn"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skip("a JDK and Maven have what it needs")
		}
	}
	file := filepath.Join(t.TempDir(), "classpath")
	maven := exec.CommandContext(t.Context(), "mvn", "-q", "-B", "-ntp", "-f", "testdata/pom.xml",
		"dependency:build-classpath", "-Dmdep.outputFile="+file)
	if said, err := maven.CombinedOutput(); err != nil {
		t.Skipf("grpc-java's interoperability programs could not be downloaded: %v: %.500s", err, said)
	}
	classpath, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(classpath)
}

// java runs a JVM with a class path.
func java(t *testing.T, classpath string, arguments ...string) *exec.Cmd {
	return exec.CommandContext(t.Context(), "java", append([]string{
		"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classpath,
	}, arguments...)...)
}

// javaProgram returns how to run one of grpc-java's interoperability programs.
func javaProgram(t *testing.T, classpath string) func(name string, arguments ...string) *exec.Cmd {
	return func(name string, arguments ...string) *exec.Cmd {
		return java(t, classpath, append([]string{"io.grpc.testing.integration." + name, "--use_tls=false"}, arguments...)...)
	}
}

// javaWorker is the worker whose stack sets servers up, as make java builds it.
const javaWorker = "../../../../bin/java/grpc-java"

// Clients call grpc-java's service on a server of grpc-java-netty: ours, grpc-go's and grpc-java's.
func TestEveryClientCallsOurJavaServer(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(javaWorker); err != nil {
		t.Skip("make java builds what it needs")
	}
	classpath := javaClasspath(t)
	server := java(t, javaWorker+"/lib/*"+string(os.PathListSeparator)+classpath, "testdata/InteropServer.java")
	server.Stderr = os.Stderr
	in, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	address := printedLine(t, server)
	t.Cleanup(func() { _, _ = in.Close(), server.Wait() })
	for client := range clients {
		runAll(t, client, address, "")
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	callAll(t, javaProgram(t, classpath), port)
}

// callAll runs all cases with grpc-java's client.
func callAll(t *testing.T, program func(string, ...string) *exec.Cmd, port string) {
	t.Helper()
	for one := range cases {
		t.Run("grpc-java/"+one, func(t *testing.T) {
			t.Parallel()
			run(t, program("TestServiceClient", "--server_host=127.0.0.1", "--server_port="+port, "--test_case="+one))
		})
	}
}

// printedLine starts a program and returns the first line that it prints.
func printedLine(t *testing.T, program *exec.Cmd) string {
	t.Helper()
	printed, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(printed).ReadString('\n')
	if err != nil {
		t.Fatalf("it printed %q: %v", line, err)
	}
	return strings.TrimSpace(line)
}

func TestGRPCJavaCallsAndIsCalled(t *testing.T) {
	t.Parallel()
	program := javaProgram(t, javaClasspath(t))
	t.Run("grpc-wire calls its server", func(t *testing.T) {
		t.Parallel()
		address := serveJava(t, program)
		for _, client := range []string{"grpc-wire", "grpc-wire by gzip"} {
			runAll(t, client, address, "")
		}
	})
	for name, serve := range servers {
		t.Run("its client calls "+name, func(t *testing.T) {
			t.Parallel()
			listener := listen(t)
			s, err := serve(stack.ServeConfig{Listener: listener})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Stop(t.Context()) })
			callAll(t, program, portOf(listener))
		})
	}
}

// serveJava starts grpc-java's own server until the test ends.
func serveJava(t *testing.T, program func(string, ...string) *exec.Cmd) (address string) {
	t.Helper()
	place := listen(t) // the program takes no port 0
	port := portOf(place)
	place.Close()
	java := program("TestServiceServer", "--port="+port)
	line := printedLine(t, java)
	t.Cleanup(func() { _ = java.Process.Kill(); _ = java.Wait() })
	if !strings.HasPrefix(line, "Server started") {
		t.Fatalf("%q instead of that it has started", line)
	}
	return net.JoinHostPort("127.0.0.1", port)
}

func portOf(listener net.Listener) string { return strconv.Itoa(listener.Addr().(*net.TCPAddr).Port) }
