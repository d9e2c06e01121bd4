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

// javaProgram returns how to run one of grpc-java's interoperability programs. Where there is no JVM, or its module can't be
// had, the test is skipped.
func javaProgram(t *testing.T) func(name string, arguments ...string) *exec.Cmd {
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
	return func(name string, arguments ...string) *exec.Cmd {
		return exec.CommandContext(t.Context(), "java", append([]string{
			"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
			"-cp", string(classpath), "io.grpc.testing.integration." + name, "--use_tls=false",
		}, arguments...)...)
	}
}

func TestGRPCJavaCallsAndIsCalled(t *testing.T) {
	t.Parallel()
	program := javaProgram(t)
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
			for one := range cases {
				t.Run(one, func(t *testing.T) {
					t.Parallel()
					run(t, program("TestServiceClient",
						"--server_host=127.0.0.1", "--server_port="+portOf(listener), "--test_case="+one))
				})
			}
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
	printed, err := java.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := java.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = java.Process.Kill(); _ = java.Wait() })
	line, err := bufio.NewReader(printed).ReadString('\n')
	if !strings.HasPrefix(line, "Server started") {
		t.Fatalf("%q instead of that it has started: %v", line, err)
	}
	return net.JoinHostPort("127.0.0.1", port)
}

func portOf(listener net.Listener) string { return strconv.Itoa(listener.Addr().(*net.TCPAddr).Port) }
