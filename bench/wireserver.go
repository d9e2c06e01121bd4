package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"

	"rpcbench/internal/run/child"
)

// onWireServer measures against a server that answers every request with ready-made frames: faster than any client asks.
func (r *rig) onWireServer(ctx context.Context, measure func(address string) error) error {
	server, err := child.StartPiped(exec.Command(r.self, "child-wire"), peersServerCPUs)
	if err != nil {
		return fmt.Errorf("start the wire server: %w", err)
	}
	stop := context.AfterFunc(ctx, server.Kill)
	defer stop()
	address, err := bufio.NewReader(server.Out).ReadString('\n')
	if err == nil {
		err = measure(strings.TrimSpace(address))
	}
	_ = server.In.Close() // which ends it
	return errors.Join(err, server.Wait())
}

// childWire is the wire server: it prints its address and serves until its input ends.
func childWire([]string) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stdout, listener.Addr())
	go func() {
		for {
			socket, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer socket.Close()
				_ = (&wireServer{socket: socket}).serve() // a client that leaves has what it wants
			}()
		}
	}()
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// A wireServer answers on one connection. It reads no header: each request is taken for the one that it knows.
type wireServer struct {
	socket   net.Conn
	out      []byte
	taken    uint32 // of the client's window, not yet given back
	answered bool
}

const (
	wirePreface = 24
	wireFrame   = 9
	wireWindow  = 1 << 30 // of a connection, beyond its first
)

// The header blocks of the first answer, which adds its headers to the header table, and of all others, which refer to it:
// ":status: 200" and "content-type: application/grpc", "grpc-status: 0".
var (
	wireHeadFirst   = "\x88\x5f\x10application/grpc"
	wireHead        = "\x88\xbf"
	wireStatusFirst = "\x40\x0bgrpc-status\x010"
	wireStatus      = "\xbe"
	wireMessage     = "\x00\x00\x00\x00\x05\x0a\x03\x12\x01\x00" // a SimpleResponse with a payload of one byte
)

func (s *wireServer) serve() error {
	reader := bufio.NewReaderSize(s.socket, 64<<10)
	if _, err := reader.Discard(wirePreface); err != nil {
		return err
	}
	s.frame(4, 0, 0, "\x00\x03\x00\x01\x00\x00\x00\x04\x7f\xff\xff\xff") // 65,536 streams; windows of 2^31 − 1
	s.frame(8, 0, 0, string(binary.BigEndian.AppendUint32(nil, wireWindow)))
	for {
		if reader.Buffered() < wireFrame && len(s.out) > 0 {
			if _, err := s.socket.Write(s.out); err != nil {
				return err
			}
			s.out = s.out[:0]
		}
		header, err := reader.Peek(wireFrame)
		if err != nil {
			return err
		}
		length := int(header[0])<<16 | int(header[1])<<8 | int(header[2])
		kind, flags, stream := header[3], header[4], binary.BigEndian.Uint32(header[5:])
		frame, err := reader.Peek(wireFrame + length)
		if err != nil {
			return err
		}
		s.take(kind, flags, stream, frame[wireFrame:])
		if _, err := reader.Discard(len(frame)); err != nil {
			return err
		}
	}
}

func (s *wireServer) take(kind, flags byte, stream uint32, payload []byte) {
	switch {
	case kind == 4 && flags&1 == 0: // SETTINGS
		s.frame(4, 1, 0, "")
	case kind == 6 && flags&1 == 0: // PING
		s.frame(6, 1, 0, string(payload))
	case kind == 0: // DATA
		if s.taken += uint32(len(payload)); s.taken > wireWindow/2 {
			s.frame(8, 0, 0, string(binary.BigEndian.AppendUint32(nil, s.taken)))
			s.taken = 0
		}
		if flags&1 != 0 {
			s.answer(stream)
		}
	}
}

func (s *wireServer) answer(stream uint32) {
	head, status := wireHead, wireStatus
	if !s.answered {
		head, status = wireHeadFirst, wireStatusFirst
		s.answered = true
	}
	s.frame(1, 4, stream, head)
	s.frame(0, 0, stream, wireMessage)
	s.frame(1, 5, stream, status)
}

func (s *wireServer) frame(kind, flags byte, stream uint32, payload string) {
	s.out = append(s.out, byte(len(payload)>>16), byte(len(payload)>>8), byte(len(payload)), kind, flags)
	s.out = append(binary.BigEndian.AppendUint32(s.out, stream), payload...)
}
