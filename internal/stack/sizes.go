package stack

import "math/bits"

// A SizeBin is the lengths from Least to Most, all equally likely. Of several bins one is drawn in proportion to Weight.
type SizeBin struct {
	Least  int    `json:"least"`
	Most   int    `json:"most"`
	Weight uint64 `json:"weight"`
}

// sizeDraws is after how many draws the lengths of a slot repeat.
const sizeDraws = 1 << 16

// sizeStride spreads the slots over the draws: it is odd, so any sizeDraws of them begin at different draws.
const sizeStride = 40503

// Sizes are payload lengths drawn by chance: for each message that is sent, its own and that of its reply. They depend on the
// seed, the slot and the message's number alone, and are the same in every language; testdata/sizes.csv pins examples.
//
// Draw j of 65,536 takes four words of SplitMix64 (see Payload) started with the seed, w(4j) to w(4j+3): two for the request
// and two for the reply. Of these two the first chooses the bin that below(w, sum of all weights) falls in when weights are
// added up in order, and the second the length, Least + below(w, Most − Least + 1), where below(w, n) is the upper half of the
// 128 bits of w·n. Message m, from 0, of slot s of connection c of n has draw (40503·(s·n + c) + m) mod 65,536.
//
// Sizes may be used concurrently.
type Sizes struct {
	draws       []DrawnSize // shared by all connections
	connection  int
	connections int
	ledger      *Ledger
}

// A DrawnSize is the length of a message and of its reply.
type DrawnSize struct{ Request, Response int32 }

// NewSizes draws lengths. Without bins for requests all have requestBytes; without bins for replies each is as long as its
// request. Bins are in order and hold no length above MessageBytesMax, and weights add up to less than 2^64: CheckSizeBins.
func NewSizes(seed uint64, request []SizeBin, requestBytes int, response []SizeBin) *Sizes {
	draws := make([]DrawnSize, sizeDraws)
	if len(request) == 0 {
		request = []SizeBin{{requestBytes, requestBytes, 1}}
	}
	for j := range draws {
		at := 4 * uint64(j)
		drawn := drawSize(request, payloadWord(seed, at), payloadWord(seed, at+1))
		draws[j] = DrawnSize{drawn, drawn}
		if len(response) > 0 {
			draws[j].Response = drawSize(response, payloadWord(seed, at+2), payloadWord(seed, at+3))
		}
	}
	return &Sizes{draws: draws, connections: 1, ledger: &Ledger{}}
}

// CheckSizeBins returns what is wrong with bins, or "".
func CheckSizeBins(bins []SizeBin) string {
	sum := uint64(0)
	for _, b := range bins {
		next, carry := bits.Add64(sum, b.Weight, 0)
		switch {
		case b.Least < 0 || b.Most > MessageBytesMax:
			return "a bin is not within 0 to 67108864 bytes"
		case b.Most < b.Least:
			return "a bin ends before it begins"
		case b.Weight == 0:
			return "a bin has no weight"
		case carry > 0:
			return "the weights add up to more than 64 bits"
		}
		sum = next
	}
	return ""
}

// below maps a random word to a number below n, all equally likely.
func below(word, n uint64) uint64 {
	high, _ := bits.Mul64(word, n)
	return high
}

func drawSize(bins []SizeBin, choice, within uint64) int32 {
	sum := uint64(0)
	for _, b := range bins {
		sum += b.Weight
	}
	at := below(choice, sum)
	for _, b := range bins {
		if at < b.Weight {
			return int32(b.Least + int(below(within, uint64(b.Most-b.Least)+1)))
		}
		at -= b.Weight
	}
	panic("stack: a draw is beyond all bins")
}

// On returns the Sizes of one of the connections, which share their draws and their Ledger.
func (s *Sizes) On(connection, connections int) *Sizes {
	if s == nil {
		return nil
	}
	one := *s
	one.connection, one.connections = connection, connections
	return &one
}

// At returns the lengths of a slot's message.
func (s *Sizes) At(slot int, message uint64) DrawnSize {
	first := sizeStride * (uint64(slot)*uint64(s.connections) + uint64(s.connection))
	return s.draws[(first+message)%sizeDraws]
}
