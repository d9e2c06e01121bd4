package main

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"sync/atomic"
	"time"
)

// relayHeader is the size of a header: the number of bytes that follow, and of those to send back; 8 bytes each.
const relayHeader = 16

// serveRelayed answers on every connection, as headers ask, until the listener is closed.
func serveRelayed(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return // closed
		}
		go func() {
			defer conn.Close()
			_ = answerRelayed(conn) // the client misses what does not come
		}()
	}
}

// answerRelayed writes when there is nothing more to read, as RPC servers do.
func answerRelayed(conn net.Conn) error {
	in, out := bufio.NewReaderSize(conn, 64<<10), bufio.NewWriterSize(conn, 64<<10)
	var header [relayHeader]byte
	for {
		if in.Buffered() < relayHeader {
			if err := out.Flush(); err != nil {
				return err
			}
		}
		if _, err := io.ReadFull(in, header[:]); err != nil {
			return err
		}
		if _, err := io.CopyN(io.Discard, in, int64(binary.BigEndian.Uint64(header[:]))); err != nil {
			return err
		}
		if _, err := io.CopyN(out, zeros{}, int64(binary.BigEndian.Uint64(header[8:]))); err != nil {
			return err
		}
	}
}

// zeros never ends.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// relayMessage returns a header and the bytes that follow it.
func relayMessage(up, down int) []byte {
	message := make([]byte, relayHeader+up)
	binary.BigEndian.PutUint64(message, uint64(up))
	binary.BigEndian.PutUint64(message[8:], uint64(down))
	return message
}

// exchange sends bytes up and waits for those that come down.
func exchange(conn net.Conn, up, down int) (took time.Duration, err error) {
	message := relayMessage(up, down)
	begun := time.Now()
	if _, err := conn.Write(message); err != nil {
		return 0, err
	}
	_, err = io.CopyN(io.Discard, conn, int64(down))
	return time.Since(begun), err
}

// exchanges keeps a window of small messages in flight, each written separately, until the time is over, and counts the answers.
func exchanges(conn net.Conn, bytes, window int, length time.Duration, answers *atomic.Int64) error {
	message := relayMessage(bytes-relayHeader, bytes)
	free := make(chan struct{}, window)
	sent := make(chan error, 1)
	over := time.Now().Add(length)
	go func() {
		for time.Now().Before(over) {
			free <- struct{}{}
			if _, err := conn.Write(message); err != nil {
				sent <- err
				break
			}
		}
		close(free) // what is in it is still to be answered
	}()
	in, reply := bufio.NewReaderSize(conn, 64<<10), make([]byte, bytes)
	for range free {
		if _, err := io.ReadFull(in, reply); err != nil {
			_ = conn.Close() // so that nobody goes on writing
			for range free {
			}
			return err
		}
		answers.Add(1)
	}
	select {
	case err := <-sent:
		return err
	default:
		return nil
	}
}
