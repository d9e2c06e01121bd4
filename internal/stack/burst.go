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
	size  int // messages; with less than 2 nothing is held back
	held  []A
	bytes int // of their payloads
}

// NewBurst reads the value of BurstMetadata, which is "" where a stream has none.
func NewBurst[A any](text string) (*Burst[A], error) {
	size, err := ReadCount(BurstMetadata, text, 1, BurstMax)
	return &Burst[A]{size: size}, err
}

// Add takes the next answer, whose payloads have so many bytes, and sends all that are held when it is the last of a
// burst. An answer that is more than a server holds is RESOURCE_EXHAUSTED; other errors are send's.
func (b *Burst[A]) Add(answer A, bytes int, send func(A) error) error {
	if b.size < 2 {
		return send(answer)
	}
	b.bytes += bytes
	if b.bytes > MessageBytesMax {
		return Errorf(ResourceExhausted, "a burst of %d messages is above the limit of %d bytes that a server holds",
			b.size, MessageBytesMax)
	}
	b.held = append(b.held, answer)
	if len(b.held) < b.size {
		return nil
	}
	for _, one := range b.held {
		if err := send(one); err != nil {
			return err
		}
	}
	clear(b.held)
	b.held, b.bytes = b.held[:0], 0
	return nil
}
