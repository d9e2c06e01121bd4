package adb_test

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"rpcbench/internal/run/launch"
	"rpcbench/internal/run/launch/adb"
	"rpcbench/internal/test/programtest"
)

// scripted is an adb whose phone is this machine: what it is told is in its log, and it forwards to a port.
func scripted(t *testing.T, port int, start string) (l *adb.Launcher, log string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("it is a script of a shell")
	}
	folder := t.TempDir()
	log = filepath.Join(folder, "log")
	path := filepath.Join(folder, "adb")
	script := "#!/bin/sh\necho \"$@\" >>" + log + "\ncase \"$*\" in\n" +
		"*'forward --remove'*) ;;\n*forward*) echo " + strconv.Itoa(port) + " ;;\n*) " + start + " ;;\nesac\n"
	programtest.Write(t, path, script)
	return &adb.Launcher{Adb: path, Phone: &adb.Phone{Serial: "R58", Here: "192.0.2.1"}}, log
}

// app listens as the app does behind adb, and serves each connection.
func app(t *testing.T, serve func(conn net.Conn)) (port int) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go serve(conn)
		}
	}()
	return listener.Addr().(*net.TCPAddr).Port
}

func TestTheAppOnAPhoneIsAProcess(t *testing.T) {
	t.Parallel()
	var tries atomic.Int32
	port := app(t, func(conn net.Conn) {
		defer conn.Close()
		if tries.Add(1) < 3 {
			return // adb closes what comes before the app listens
		}
		_, _ = io.WriteString(conn, "hello ")
		_, _ = io.Copy(conn, conn) // until the end of the commands
	})
	launcher, log := scripted(t, port, "echo Status: ok")
	p, err := launcher.Launch(t.Context(), launch.Order{Stack: "android-codec"})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := p.Host(), (launch.Host{ID: "phone", Address: "192.0.2.1", Unwatched: true}); got != want {
		t.Errorf("it runs on %+v, want %+v", got, want)
	}
	if near := launcher.Near(p).Host(); near != (launch.Host{Address: "192.0.2.1"}) {
		t.Errorf("the phone reaches this machine at %+v", near)
	}
	if _, err := io.WriteString(p, "abc"); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if said, err := io.ReadAll(p); string(said) != "hello abc" || err != nil {
		t.Errorf("it says %q, %v", said, err)
	}
	if err := p.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
	if tries.Load() != 3 {
		t.Errorf("it was asked %d times", tries.Load())
	}
	wantTold(t, log, "-s R58 shell am start -S -W -n rpcbench.android/.WorkerActivity\n"+
		"-s R58 forward tcp:0 localabstract:rpcbench\n")
}

func wantTold(t *testing.T, log, want string) {
	t.Helper()
	told, err := os.ReadFile(log)
	if err != nil || !strings.HasPrefix(string(told), want) {
		t.Errorf("adb was told %q, %v; want %q first", told, err, want)
	}
}

func TestAnAppThatIsLostEndsItsTrial(t *testing.T) {
	t.Parallel()
	for name, kill := range map[string]bool{"lost": false, "killed": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			go1, gone := make(chan struct{}), make(chan struct{})
			port := app(t, func(conn net.Conn) {
				_, _ = io.WriteString(conn, "h")
				<-go1
				conn.Close()
				close(gone)
			})
			launcher, _ := scripted(t, port, "true")
			p, err := launcher.Launch(t.Context(), launch.Order{Stack: "android-codec"})
			if err != nil {
				t.Fatal(err)
			}
			want := "the app on the phone has ended, or adb has lost the phone"
			if kill {
				want = "the connection to the phone was cut"
				p.Kill()
			}
			close(go1)
			<-gone
			_, _ = io.ReadAll(p)
			err = p.Wait()
			if _, killed := errors.AsType[*launch.KilledError](err); err == nil || err.Error() != want || killed != kill {
				t.Errorf("it ended with %v, want %s", err, want)
			}
		})
	}
}

func TestAPhoneThatCantBeUsedIsOneSentence(t *testing.T) {
	t.Parallel()
	order := launch.Order{Stack: "android-codec"}
	for start, want := range map[string]string{
		"echo 'adb: no devices/emulators found' >&2; exit 1": "adb: no devices/emulators found",
		"echo 'Starting: x'; echo 'Error: Activity class {x} does not exist.'"://
		"does not start the app: Error: Activity class {x} does not exist.",
		"echo one >&2; echo \"error: device 'R58' not found\" >&2; exit 1": "adb: error: device 'R58' not found",
	} {
		launcher, _ := scripted(t, 1, start)
		if _, err := launcher.Launch(t.Context(), order); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", start, err, want)
		}
	}
	launcher, _ := scripted(t, 0, "true")
	_, err := launcher.Launch(t.Context(), order)
	if err == nil || !strings.Contains(err.Error(), `adb forward printed no port, but "0`) {
		t.Errorf("without a port: %v", err)
	}
	launcher.Adb = filepath.Join(t.TempDir(), "adb")
	if _, err := launcher.Launch(t.Context(), order); err == nil {
		t.Error("without adb it launches")
	}
	order.CPUs = []int{0}
	if _, err := launcher.Launch(t.Context(), order); err == nil || !strings.Contains(err.Error(), "leave client_cpus out") {
		t.Errorf("on processors: %v", err)
	}
}

func TestPhonesAreReadFromWords(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]adb.Phone{
		"adb:":                             {Here: "10.0.0.2"},
		"adb:R58M":                         {Serial: "R58M", Here: "10.0.0.2"},
		"adb:192.168.1.7:5555@192.168.1.5": {Serial: "192.168.1.7:5555", Here: "192.168.1.5"},
		"adb:@::1":                         {Here: "::1"},
	} {
		if got, err := adb.Parse(word, "10.0.0.2"); err != nil || *got != want {
			t.Errorf("%s: %+v, %v", word, got, err)
		}
	}
	for word, want := range map[string]string{
		"adb:a b": "is not adb:[SERIAL][@ADDRESS]", "adb:-e": "is not adb:[SERIAL][@ADDRESS]",
		"qps://x:1":    "is not adb:[SERIAL][@ADDRESS]",
		"adb:R58@here": `"here" is not an IP address`,
	} {
		if _, err := adb.Parse(word, "10.0.0.2"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", word, err, want)
		}
	}
	launcher, none := &adb.Launcher{}, (*adb.Launcher)(nil)
	if !launcher.Hosts("android-grpc-okhttp") || launcher.Hosts("grpc-go") || none.Hosts("android-codec") {
		t.Error("it hosts others than the app's")
	}
}
