package stack

import "strconv"

// ReadCount reads a number of messages, least to most, from the value of request metadata, MessagesMetadata or
// BurstMetadata. It is 0 where text is "": without the metadata.
func ReadCount(name, text string, least, most int) (int, error) {
	if text == "" {
		return 0, nil
	}
	count, err := strconv.Atoi(text)
	if err != nil || count < least || count > most {
		return 0, Errorf(InvalidArgument, "metadata %s is %q; it must be a number of messages from %d to %d",
			name, text, least, most)
	}
	return count, nil
}

// A Burst is a server's side of one stream: it holds answers back until there are as many as the client sends before it
// receives.
type Burst[A any] struct {
	from  *Responder
	size  int // messages; with less than 2 nothing is held back
	held  []A
	bytes int // of their payloads
	taken int // bytes of the Responder's
}

// heldBytes is about the memory of a waiting answer without its payloads.
const heldBytes = 128

// NewBurst reads the value of BurstMetadata, which is "" where a stream has none. Close ends it.
func NewBurst[A any](from *Responder, text string) (*Burst[A], error) {
	size, err := ReadCount(BurstMetadata, text, 1, BurstMax)
	return &Burst[A]{from: from, size: size}, err
}

// Add takes the next answer, whose payloads have that many bytes. When it is the last of a burst, Add sends all answers held. An
// answer beyond what a server holds is RESOURCE_EXHAUSTED; other errors are those of send.
func (b *Burst[A]) Add(answer A, bytes int, send func(A) error) error {
	if b.size < 2 {
		return send(answer)
	}
	b.bytes += bytes
	if b.bytes > MessageBytesMax {
		return Errorf(ResourceExhausted, "a burst of %d messages is above the limit of %d bytes that a server holds",
			b.size, MessageBytesMax)
	}
	if err := b.from.Hold(bytes + heldBytes); err != nil {
		return err
	}
	b.taken += bytes + heldBytes
	b.held = append(b.held, answer)
	if len(b.held) < b.size {
		return nil
	}
	for _, one := range b.held {
		if err := send(one); err != nil {
			return err
		}
	}
	b.Close()
	return nil
}

// Close discards the answers held.
func (b *Burst[A]) Close() {
	b.from.Release(b.taken)
	clear(b.held)
	b.held, b.bytes, b.taken = b.held[:0], 0, 0
}
