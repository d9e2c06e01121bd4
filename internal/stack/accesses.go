package stack

import (
	"bytes"
	"encoding/binary"
	"math"
)

// A Store keeps a server's records by their keys. It may be used concurrently.
type Store interface {
	// Get returns the value of a key, which is shared: never write to it.
	Get(key uint64) (value []byte, ok bool)
	// Put replaces the value of a key that the store has by a copy of value, which is as long.
	Put(key uint64, value []byte) error
}

// Values holds what the operations of one message write. Each message has its own, because keys differ.
type Values struct {
	all []byte
	one int // bytes
}

// NewValues makes as many values that differ from like in their keys alone.
func NewValues(like []byte, operations int) Values {
	return Values{bytes.Repeat(like, operations), len(like)}
}

// Of returns value i, which begins with the key. Its capacity is its length.
func (v Values) Of(i int, key uint64) []byte {
	value := v.all[i*v.one : (i+1)*v.one : (i+1)*v.one]
	PutKey(value, key)
	return value
}

// RecordsMax is the most records of a Store.
const RecordsMax = 1 << 30

// ValueBytesMin is the least that a value has: its record's key, by which a client checks that it is this record's.
const ValueBytesMin = 8

// RecordKey is the key of record r, 0 ≤ r < RecordsMax: word(0, r) of Payload, so that no two are the same, and records that
// are read often lie far apart in a store that is ordered by keys.
func RecordKey(r uint64) uint64 { return payloadWord(0, r) }

// PutKey begins a value with the key of its record, little-endian.
func PutKey(value []byte, key uint64) { binary.LittleEndian.PutUint64(value, key) }

// accessDraws is after how many operations the accesses of a slot repeat.
const accessDraws = 1 << 20

// accessStride spreads the slots over the draws: it is odd, so any accessDraws of them begin at different draws.
const accessStride = 648055

// A Mix says what the operations of a load do with a Store: the share of reads, and how likely each record is.
type Mix struct {
	Records         uint64
	ReadsPerMillion uint64
	// Theta is the exponent of a Zipf distribution: record r is chosen in proportion to 1/(r+1)^Theta. 0 is a uniform one.
	Theta float64
	// Zeta is the sum of 1/i^Theta for i from 1 to Records, which is said, so that every worker has the same: see Zeta.
	Zeta float64
}

// Zeta is the sum of 1/i^theta for i from 1 to n, the least first.
func Zeta(n uint64, theta float64) float64 {
	sum := 0.0
	for i := n; i > 0; i-- {
		sum += 1 / math.Pow(float64(i), theta)
	}
	return sum
}

// Accesses are what operations do with a Store. They depend on the seed, the slot and the operation's number alone, and are
// the same in every language; testdata/accesses.csv pins examples.
//
// Draw j of 1,048,576 takes the words w(2j) and w(2j+1) of SplitMix64 (see Payload) started with the seed. The operation reads
// where below(w(2j), 10^6) (see Sizes) is less than Mix.ReadsPerMillion, and writes otherwise. Its record, n being their
// number, is below(w(2j+1), n), or with a theta it is found as YCSB's ZipfianGenerator does, by Gray et al., "Quickly
// Generating Billion-Record Synthetic Databases", SIGMOD 1994, section 3.2, in doubles:
//
//	u   = (w(2j+1)>>11)·2^-53
//	eta = (1 − (2/n)^(1−theta)) / (1 − (1 + 0.5^theta)/zeta)
//	record = 0 where u·zeta < 1; else 1 where u·zeta < 1 + 0.5^theta; else ⌊n·(eta·u − eta + 1)^(1/(1−theta))⌋, at most n−1
//
// Operation k, from 0, of slot s of connection c of m has draw (648055·(s·m + c) + k) mod 1,048,576.
//
// Accesses may be used concurrently.
type Accesses struct {
	draws       []uint32 // the record, and writeBit; shared by all connections
	connection  int
	connections int
	value       int // bytes of each
	ledger      *Ledger
}

const writeBit = 1 << 31

// NewAccesses draws accesses to values of valueBytes bytes.
func NewAccesses(seed uint64, mix Mix, valueBytes int) *Accesses {
	draws := make([]uint32, accessDraws)
	record := mix.records()
	for j := range draws {
		at := 2 * uint64(j)
		draws[j] = uint32(record(payloadWord(seed, at+1)))
		if below(payloadWord(seed, at), 1e6) >= mix.ReadsPerMillion {
			draws[j] |= writeBit
		}
	}
	return &Accesses{draws: draws, connections: 1, value: valueBytes, ledger: &Ledger{}}
}

// records returns the function that finds the record of a random word. No product is fused with a sum, which would round
// otherwise than other languages do.
func (m Mix) records() func(word uint64) uint64 {
	if m.Theta == 0 {
		return func(word uint64) uint64 { return below(word, m.Records) }
	}
	n := float64(m.Records)
	second := 1 + math.Pow(0.5, m.Theta)
	eta := (1 - math.Pow(2/n, 1-m.Theta)) / (1 - second/m.Zeta)
	return func(word uint64) uint64 {
		u := float64(word>>11) * 0x1p-53
		switch at := float64(u * m.Zeta); {
		case at < 1:
			return 0
		case at < second:
			return min(1, m.Records-1)
		}
		record := n * math.Pow(float64(float64(eta*u)-eta)+1, 1/(1-m.Theta))
		return min(uint64(record), m.Records-1)
	}
}

// On returns the Accesses of one of the connections, which share their draws and their Ledger.
func (a *Accesses) On(connection, connections int) *Accesses {
	if a == nil {
		return nil
	}
	one := *a
	one.connection, one.connections = connection, connections
	return &one
}

// Of returns the access of a slot's operation.
func (a *Accesses) Of(slot int, operation uint64) Access {
	first := accessStride * (uint64(slot)*uint64(a.connections) + uint64(a.connection))
	drawn := a.draws[(first+operation)%accessDraws]
	return Access{Key: RecordKey(uint64(drawn &^ writeBit)), Writes: drawn&writeBit != 0}
}

// An Access is one operation on a Store: it reads the value of a key, or replaces it by its payload.
type Access struct {
	Key    uint64
	Writes bool
}

// check returns MISMATCH unless an answer has the right payload: of a read the record's value, of a write nothing.
func (a Access) check(id uint64, payload []byte, valueBytes int) error {
	want := valueBytes
	if a.Writes {
		want = 0
	}
	switch {
	case len(payload) != want:
		return Errorf(Mismatch, "the answer to operation %d has %d bytes, expected %d", id, len(payload), want)
	case a.Writes || binary.LittleEndian.Uint64(payload) == a.Key:
		return nil
	default:
		return Errorf(Mismatch, "operation %d was answered with the value of another key", id)
	}
}
