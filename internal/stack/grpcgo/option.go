package grpcgo

import (
	"google.golang.org/grpc/encoding"

	"rpcbench/internal/stack"
)

const (
	bufferBytesMax = 1 << 30
	windowBytesMin = 65535 // gRPC ignores less
	windowBytesMax = 1<<31 - 1
	workersMax     = 1 << 16
)

// options are a side's options, read. Zero is the library's default.
type options struct {
	writeBuffer, readBuffer, window int
	streamWorkers                   int
	sharedBuffer, unpooled          bool
	codec                           string // a value of optionCodec
	sendDeadline                    bool
	generic                         *generic // nil without the option
}

func readOptions(given map[string]string) (o options, err error) {
	if o.writeBuffer, err = stack.IntOption(given, optionWriteBuffer, 1, bufferBytesMax); err != nil {
		return o, err
	}
	if o.readBuffer, err = stack.IntOption(given, optionReadBuffer, 1, bufferBytesMax); err != nil {
		return o, err
	}
	if o.window, err = stack.IntOption(given, optionWindow, windowBytesMin, windowBytesMax); err != nil {
		return o, err
	}
	if o.codec, err = readCodec(given); err != nil {
		return o, err
	}
	if err = o.readMemory(given); err != nil {
		return o, err
	}
	if o.generic, err = readGeneric(given); err != nil {
		return o, err
	}
	if o.sendDeadline, err = stack.SendsDeadline(given); err != nil {
		return o, err
	}
	o.streamWorkers, err = stack.IntOption(given, optionStreamWorkers, 0, workersMax)
	return o, err
}

// readMemory reads whose the memory of buffers is.
func (o *options) readMemory(given map[string]string) error {
	shared, err := stack.WordOption(given, optionSharedBuffer, "false", "true")
	if err != nil {
		return err
	}
	pool, err := stack.WordOption(given, optionBufferPool, poolUsual, poolNone)
	o.sharedBuffer, o.unpooled = shared == "true", pool == poolNone
	return err
}

func readCodec(given map[string]string) (string, error) {
	codec, asked := given[optionCodec]
	switch {
	case !asked:
		return codecProto, nil
	case codec == codecProto, codec == codecPooled, codec == codecBytes:
		return codec, nil
	}
	return "", stack.Errorf(stack.InvalidArgument, "option %s is %q; it must be %s, %s or %s",
		optionCodec, codec, codecProto, codecPooled, codecBytes)
}

// codecOf returns a codec for all messages of a side; nil is the library's own.
func codecOf(word string) encoding.CodecV2 {
	switch word {
	case codecPooled:
		return newPooled()
	case codecBytes:
		return newBuffers()
	default:
		return nil
	}
}
