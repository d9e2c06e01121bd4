package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"rpcbench/internal/worker/record"
)

// frameHeader is the length of the header of package tcp's frames, which its comment describes.
const frameHeader = 16

// childLoop is the bare loop: it calls for the warm-up and the length (os.Args: address, length), and prints its p50 in ns.
func childLoop(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("the loop needs an address and a length, not %q", args)
	}
	length, err := time.ParseDuration(args[1])
	if err != nil {
		return err
	}
	socket, err := net.Dial("tcp", args[0])
	if err != nil {
		return err
	}
	defer socket.Close()
	p50, err := loop(socket, length)
	fmt.Fprintln(os.Stdout, p50)
	return err
}

// loop is the simplest loop that times echoes of 1 kB.
func loop(socket net.Conn, length time.Duration) (p50 int64, err error) {
	request := make([]byte, frameHeader+floorBytes)
	binary.BigEndian.PutUint32(request, floorBytes)
	binary.BigEndian.PutUint32(request[8:], floorBytes) // of the reply
	binary.BigEndian.PutUint32(request[12:], 1)         // replies
	reply := make([]byte, len(request))
	histogram := record.NewHistogram()
	for begun := time.Now(); ; {
		sent := time.Now()
		if _, err := socket.Write(request); err != nil {
			return 0, err
		}
		if _, err := io.ReadFull(socket, reply); err != nil {
			return 0, err
		}
		took := time.Since(sent)
		switch since := sent.Sub(begun); {
		case since >= warmup+length:
			return record.Quantile(histogram, .5), nil
		case since >= warmup:
			if err := histogram.RecordValue(int64(took)); err != nil {
				return 0, err
			}
		}
	}
}

// loopP50 runs the bare loop in its own process. It returns µs.
func (r *rig) loopP50(ctx context.Context, address string, length time.Duration) (float64, error) {
	ctx, cancel := context.WithTimeout(ctx, warmup+length+deadline)
	defer cancel()
	return childFigure(ctx, floorClientCPUs, r.self, "child-loop", address, length.String())
}
