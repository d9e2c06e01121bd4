package cli_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rpcbench/internal/run/launch/adb"
	"rpcbench/internal/stack"
	"rpcbench/internal/stack/grpcgo"
	"rpcbench/internal/test/programtest"
	"rpcbench/internal/test/sockettest"
	"rpcbench/internal/worker"
)

// phoneApp stands for the app on a phone, behind an adb that is a script in a folder.
func phoneApp(t *testing.T) (folder string) {
	t.Helper()
	address := sockettest.Serve(t, func(conn net.Conn) {
		defer conn.Close()
		_ = worker.Run(context.Background(), conn, conn, apps()) // until rpcbench has gone
	})
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	programtest.Write(t, filepath.Join(folder, "adb"), "#!/bin/sh\ncase \"$*\" in *--remove*) ;; *forward*) echo "+port+" ;; esac\n")
	return folder
}

// apps are the stacks of the app, whatever they are.
func apps() (stacks []stack.Stack) {
	for _, name := range adb.Stacks() {
		stacks = append(stacks, renamed{grpcgo.New(), name, true, false})
	}
	return stacks
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
