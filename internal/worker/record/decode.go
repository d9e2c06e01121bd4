package record

import (
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// The V2 compressed format of a histogram: the header before the compressed part, and the beginning of that part.
const (
	envelopeBytes = 8
	headBytes     = 40
	digitsAt      = 12
	highestAt     = 24
)

// Decode decodes a histogram written by Encode or by HdrHistogram in another language. It refuses a wider range or more digits
// than rpcbench's, because a few bytes can claim to be a histogram of 50 MB.
func Decode(data []byte) (*hdrhistogram.Histogram, error) {
	return DecodeText(base64.StdEncoding.EncodeToString(data))
}

// DecodeText is Decode of data in base64.
func DecodeText(text string) (*hdrhistogram.Histogram, error) {
	err := checkRange(base64.NewDecoder(base64.StdEncoding, strings.NewReader(text)))
	if err == nil {
		var h *hdrhistogram.Histogram
		if h, err = hdrhistogram.Decode([]byte(text)); err == nil {
			return h, nil
		}
	}
	return nil, fmt.Errorf("decode a histogram: %w", err)
}

// unpackers are kept: each takes 40 kB, and a results file has a histogram for every second.
var unpackers sync.Pool

func unpacker(of io.Reader) (io.ReadCloser, error) {
	kept, ok := unpackers.Get().(io.ReadCloser)
	if !ok {
		return zlib.NewReader(of)
	}
	again, ok := kept.(zlib.Resetter)
	if !ok {
		return nil, errors.New("zlib's readers can't be reset")
	}
	return kept, again.Reset(of, nil)
}

func checkRange(data io.Reader) error {
	if _, err := io.CopyN(io.Discard, data, envelopeBytes); errors.Is(err, io.EOF) {
		return errors.New("it is too short")
	} else if err != nil {
		return err
	}
	packed, err := unpacker(data)
	if err != nil {
		return err
	}
	defer unpackers.Put(packed)
	var head [headBytes]byte
	if _, err := io.ReadFull(packed, head[:]); err != nil {
		return err
	}
	wide := int64(binary.BigEndian.Uint64(head[highestAt:]))
	if precise := int32(binary.BigEndian.Uint32(head[digitsAt:])); precise > digits || wide > highest {
		return fmt.Errorf("it has %d digits up to %d, and %d up to %d at most", precise, wide, digits, highest)
	}
	return nil
}
