package codec

// A source draws values from the SplitMix64 words of a seed, as stack.Payload defines them. Each draw takes the next word; a text
// takes one for every character.
type source struct{ state uint64 }

func (s *source) word() uint64 {
	s.state += 0x9E3779B97F4A7C15
	z := s.state
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// below draws a number from 0 to n − 1: w mod n.
func (s *source) below(n int) int { return int(s.word() % uint64(n)) }

// upTo draws a number from 1 to n: 1 + w mod n.
func (s *source) upTo(n int) int { return 1 + s.below(n) }

// text draws length characters of printable ASCII: each 32 + w mod 95.
func (s *source) text(length int) string {
	text := make([]byte, length)
	for i := range text {
		text[i] = byte(' ' + s.below(95))
	}
	return string(text)
}

// int32 draws any: the upper 32 bits of w.
func (s *source) int32() int32 { return int32(s.word() >> 32) }

// bool draws the uppermost bit of w.
func (s *source) bool() bool { return s.word()>>63 == 1 }

// float32 draws from [0, 1): the upper 24 bits of w, a significand's worth, divided by 2^24. Such a number is finite,
// never −0, and has a decimal of at most 9 digits that no other float32 is as near to, by far more than a float64 errs;
// so JSON loses nothing of it, even where a library reads it as a float64 first.
func (s *source) float32() float32 { return float32(s.word()>>40) / (1 << 24) }

// float64 draws from [0, 1): the upper 53 bits of w divided by 2^53. JSON loses nothing of it, with 17 digits.
func (s *source) float64() float64 { return float64(s.word()>>11) / (1 << 53) }
