package qps

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/process"
	"rpcbench/internal/run/launch/qps"
	"rpcbench/internal/run/qpsworker"
	"rpcbench/internal/run/server"
	"rpcbench/internal/stack"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/test/suites/tool"
	"rpcbench/internal/worker"
)

// TestMain lets this test binary be our worker.
func TestMain(m *testing.M) {
	if len(os.Args) != 2 || os.Args[1] != "worker" {
		os.Exit(m.Run())
	}
	out, err := worker.TakeStdout()
	if err == nil {
		err = worker.Run(context.Background(), os.Stdin, out, []stack.Stack{grpcgo.New()})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// ours is a worker of ours, as our driver has them.
func ours(t *testing.T) launch.Launcher {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return process.Command([]string{self, "worker"})
}

// at drives the benchmark worker at an address.
func at(address string) launch.Launcher {
	return qps.New([]qps.Worker{{Stack: "qps", Address: address}})
}

// oursDriven is a benchmark worker of ours.
func oursDriven(t *testing.T) launch.Launcher {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	grpcServer := grpc.NewServer(grpc.WaitForHandlers(true))
	qpsworker.Register(grpcServer, qpsworker.Config{
		Stack: "grpc-go", Launcher: ours(t), Listen: "127.0.0.1", Note: func(string) {},
	})
	go func() { _ = grpcServer.Serve(listener) }()
	t.Cleanup(grpcServer.Stop)
	return at(listener.Addr().String())
}

func grpcGos(t *testing.T) launch.Launcher {
	t.Helper()
	port := freePort(t)
	return listening(t, port, exec.Command(tool.Path(t, "worker"), "--driver_port", port))
}

// javaClasspath is where grpc-java's worker is; not known where there is no JVM, or its module can't be had.
var javaClasspath = sync.OnceValues(func() (string, error) {
	if _, err := exec.LookPath("java"); err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "classpath")
	said, err := exec.Command("mvn", "-q", "-B", "-ntp", "-f", "testdata/pom.xml", "dependency:build-classpath",
		"-Dmdep.outputFile="+file).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %.500s", err, said)
	}
	classpath, err := os.ReadFile(file)
	return string(classpath), err
})

func grpcJavas(t *testing.T) launch.Launcher {
	t.Helper()
	classpath, err := javaClasspath()
	if err != nil {
		t.Skipf("a JDK and Maven have what it needs: %v", err)
	}
	port := freePort(t)
	return listening(t, port, exec.Command("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classpath,
		"io.grpc.benchmarks.driver.LoadWorker", "--driver_port="+port))
}

// listening starts a benchmark worker, and waits until it listens. It outlives the sessions, which end in Cleanups.
func listening(t *testing.T, port string, command *exec.Cmd) launch.Launcher {
	t.Helper()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	t.Cleanup(func() { _ = command.Process.Kill(); <-ended })
	for {
		select {
		case err := <-ended:
			ended <- err
			t.Fatal(err)
		default:
		}
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			conn.Close()
			return at("127.0.0.1:" + port)
		}
		time.Sleep(10 * time.Millisecond) // it says nothing once it listens; a JVM needs the processor
	}
}

// freePort is one that a worker takes: it can't be told to pick one.
func freePort(t *testing.T) string {
	t.Helper()
	port, err := server.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	return strconv.Itoa(port)
}
