package cli_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"rpcbench/internal/run/launch/adb"
	"rpcbench/internal/stack"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/test/programtest"
	"rpcbench/internal/worker"
)

// phoneApp stands for the app on a phone, behind an adb that is a script in a folder.
func phoneApp(t *testing.T) (folder string) {
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
			go func() {
				defer conn.Close()
				_ = worker.Run(context.Background(), conn, conn, apps()) // until rpcbench has gone
			}()
		}
	}()
	folder = t.TempDir()
	port := strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	programtest.Write(t, filepath.Join(folder, "adb"), "#!/bin/sh\ncase \"$*\" in *--remove*) ;; *forward*) echo "+port+" ;; esac\n")
	return folder
}

// apps are the stacks of the app, whatever they are.
func apps() (stacks []stack.Stack) {
	for _, name := range adb.Stacks() {
		stacks = append(stacks, ofApp{grpcgo.New(), name})
	}
	return stacks
}

type ofApp struct {
	stack.Stack

	name string
}

func (o ofApp) Info() stack.Info {
	info := o.Stack.Info()
	info.Name, info.Serves = o.name, false
	return info
}

// A search that is too short for a trial has written its header.
func TestASearchFromAPhoneHasThePhoneAmongItsHosts(t *testing.T) {
	t.Parallel()
	p := prepare(t, t.TempDir(), "capacity", "--stacks", "android-grpc-okhttp", "--worker", "adb:R58@127.0.0.1",
		"--time", "0.1", "--duration", "50ms", "--search-duration", "50ms", "--out", "r.jsonl")
	p.cmd.Env = append(p.cmd.Env, "PATH="+phoneApp(t)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	p.begin(t)
	if got := p.exit(t); got != 2 || !strings.Contains(p.err.String(), "--time: it is too short") {
		t.Fatalf("exit code %d, stderr %q", got, p.err.String())
	}
	if hosts := whole(t, filepath.Join(p.folder, "r.jsonl")).Header.Hosts; len(hosts) != 2 || hosts[1].ID != "phone" {
		t.Errorf("its hosts are %+v", hosts)
	}
}
