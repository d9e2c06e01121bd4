package record

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Of a histogram in V2 compressed format: what stands before the compressed part, and how that begins.
const (
	envelopeBytes = 8
	headBytes     = 40
	digitsAt      = 12
	highestAt     = 24
)

// Decode reads what Encode, or HdrHistogram in another language, wrote. One of a wider range, or more digits, than all of
// rpcbench's is refused: a few bytes can say that they are a histogram of 50 MB.
func Decode(data []byte) (*hdrhistogram.Histogram, error) {
	err := checkRange(data)
	if err == nil {
		var h *hdrhistogram.Histogram
		if h, err = hdrhistogram.Decode([]byte(base64.StdEncoding.EncodeToString(data))); err == nil {
			return h, nil
		}
	}
	return nil, fmt.Errorf("decode a histogram: %w", err)
}

// DecodeText is Decode of data in base64.
func DecodeText(text string) (*hdrhistogram.Histogram, error) {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("decode a histogram: %w", err)
	}
	return Decode(data)
}

func checkRange(data []byte) error {
	if len(data) < envelopeBytes {
		return errors.New("it is too short")
	}
	packed, err := zlib.NewReader(bytes.NewReader(data[envelopeBytes:]))
	if err != nil {
		return err
	}
	defer packed.Close()
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
