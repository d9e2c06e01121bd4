package admission_test

import (
	"errors"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"rpcbench/internal/test/sockettest"
	"rpcbench/internal/worker/admission"
)

// accepted are the connections of a listener.
func accepted(l net.Listener) <-chan net.Conn {
	all := make(chan net.Conn, 10)
	go func() {
		defer close(all)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			all <- conn
		}
	}()
	return all
}

func dial(t *testing.T, pipes *sockettest.Pipes) net.Conn {
	t.Helper()
	conn, err := pipes.Dial(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// isClosed reports whether the server has closed a connection on which it sends nothing.
func isClosed(conn net.Conn) bool {
	_ = conn.SetReadDeadline(time.Now().Add(time.Nanosecond))
	_, err := conn.Read(make([]byte, 1))
	return errors.Is(err, io.EOF)
}

func TestAConnectionBeyondTheLimitIsClosed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		pipes := sockettest.NewPipes()
		served := accepted(admission.Listen(pipes, admission.Limits{Connections: 2}))
		clients := []net.Conn{dial(t, pipes), dial(t, pipes), dial(t, pipes)}
		synctest.Wait()
		for i, want := range []bool{false, false, true} {
			if got := isClosed(clients[i]); got != want {
				t.Errorf("connection %d is closed: %v, want %v", i, got, want)
			}
		}
		first := <-served
		first.Close()
		first.Close() // twice frees one place
		if again := []net.Conn{dial(t, pipes), dial(t, pipes)}; isClosed(again[0]) || !isClosed(again[1]) {
			t.Error("a place that is free again was not given once")
		}
		pipes.Close()
	})
}

func TestAConnectionOnWhichNothingMovesIsClosed(t *testing.T) {
	t.Parallel()
	const idle = 8 * time.Second
	synctest.Test(t, func(t *testing.T) {
		pipes := sockettest.NewPipes()
		served := accepted(admission.Listen(pipes, admission.Limits{Idle: idle}))
		client := dial(t, pipes)
		server := <-served
		go io.Copy(io.Discard, server)
		for range 5 { // a byte is enough, however slowly they come
			time.Sleep(idle - time.Second)
			if _, err := client.Write([]byte("x")); err != nil {
				t.Fatalf("the connection was closed: %v", err)
			}
		}
		for range 5 {
			time.Sleep(idle - time.Second)
			if _, err := server.Write([]byte("x")); err != nil {
				t.Fatalf("the connection was closed: %v", err)
			}
		}
		time.Sleep(idle - time.Second)
		if _, err := server.Write(nil); err != nil {
			t.Errorf("the connection was closed early: %v", err)
		}
		time.Sleep(idle/4 + time.Second)
		synctest.Wait()
		if _, err := server.Write([]byte("x")); err == nil {
			t.Error("the connection is open")
		}
		pipes.Close()
	})
}
