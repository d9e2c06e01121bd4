package wire

import (
	"bytes"

	"golang.org/x/net/http2/hpack"
)

const (
	knownMost       = 8
	knownBytesMax   = 256
	tableEntriesMax = tableBytes / 32 // RFC 7541, section 4.1: what an entry counts for besides its name and value
)

// A knownBlock is a header block that a server may repeat, and what it means.
type knownBlock struct {
	encoded []byte // empty is none
	head    head
	use     tableUse
	table   uint64 // the table that it refers to
}

// knownBlocks are the last blocks of a connection that need not be decoded when they come again. After its first answer a server
// usually writes its fields as a few bytes that refer to the header table: they mean the same as long as the table stays as it
// is. Others, such as nginx, write the fields themselves, which always mean the same, and have them added to the table each
// time, without ever referring to it. What such a block adds is owed to the decoder until a block comes that has to be decoded.
type knownBlocks struct {
	blocks [knownMost]knownBlock
	next   int    // of blocks, to be replaced
	table  uint64 // counts its changes
	owed   *knownBlock
	times  int // that it came, as far as the table can tell
}

// find returns what is known of a block, or nil.
func (k *knownBlocks) find(encoded []byte) *knownBlock {
	for i := range k.blocks {
		b := &k.blocks[i]
		if len(encoded) > 0 && bytes.Equal(b.encoded, encoded) && (!b.use.refers || b.table == k.table) {
			return b
		}
	}
	return nil
}

// owe notes that a block which was found came once more.
func (k *knownBlocks) owe(b *knownBlock, decoder *hpack.Decoder) {
	if b.use.adds == 0 {
		return
	}
	if k.owed != b {
		k.settle(decoder)
		k.owed = b
	}
	// More than that only drops what it has added itself.
	k.times = min(k.times+1, 1+tableEntriesMax/b.use.adds)
	k.table++
}

// settle gives the decoder what it is owed. It has decoded the same before, so it can't fail.
func (k *knownBlocks) settle(decoder *hpack.Decoder) {
	if k.owed == nil {
		return
	}
	decoder.SetEmitEnabled(false)
	for range k.times {
		_, _ = decoder.Write(k.owed.encoded)
		_ = decoder.Close()
	}
	decoder.SetEmitEnabled(true)
	k.owed, k.times = nil, 0
}

// add takes a block that was decoded, when nothing is owed.
func (k *knownBlocks) add(encoded []byte, head *head) {
	use, ok := tableUseOf(encoded)
	if !ok || use.adds > 0 {
		k.table++
	}
	if !ok || use.refers && use.adds > 0 || len(encoded) > knownBytesMax {
		return
	}
	b := &k.blocks[k.next]
	k.next = (k.next + 1) % knownMost
	b.encoded, b.head, b.use, b.table = append(b.encoded[:0], encoded...), *head, use, k.table
}
