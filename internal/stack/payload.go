package stack

import (
	"encoding/binary"
	"fmt"
	"strconv"
)

// Payload kinds.
const (
	PayloadRandom = "random"
	PayloadJSON   = "json"
	PayloadZeros  = "zeros"
)

// PayloadKinds returns the kinds that Payload knows.
func PayloadKinds() []string { return []string{PayloadRandom, PayloadJSON, PayloadZeros} }

// Payload returns n bytes that depend on kind and seed alone, the same in every language; testdata/payload.json pins
// examples. It panics where kind is not one of PayloadKinds: the caller checks names that come from outside.
//
// All is made of word(seed, i) for i = 0, 1, 2, …: the outputs of SplitMix64 (Steele, Lea and Flood, "Fast Splittable
// Pseudorandom Number Generators", 2014) started with seed, in arithmetic modulo 2^64:
//
//		z = seed + (i+1)·0x9E3779B97F4A7C15
//		z = (z xor z>>30)·0xBF58476D1CE4E5B9
//		z = (z xor z>>27)·0x94D049BB133111EB
//		word = z xor z>>31
//
//	  - random: word 0, word 1, … in little-endian bytes, cut off after n bytes. It does not compress.
//	  - json: lines of text in ASCII, cut off after n bytes; line i is made of w = word(seed, i):
//	    {"id":ID,"name":"NAME","city":"CITY","active":ACTIVE,"balance":UNITS.CENTS} and a line feed, where ID is w mod
//	    10^6, NAME is payloadNames[w>>32 mod 8], CITY is payloadCities[w>>35 mod 8], ACTIVE is true where bit 38 of w is
//	    set and false elsewhere, UNITS is (w>>40 mod 10^4) and CENTS (w>>56 mod 100) in two digits. gzip at its default
//	    level leaves 14% to 18% of 10 kB and more.
//	  - zeros: n bytes 0.
func Payload(kind string, seed uint64, n int) []byte {
	switch kind {
	case PayloadRandom:
		return randomPayload(seed, n)
	case PayloadJSON:
		return jsonPayload(seed, n)
	case PayloadZeros:
		return make([]byte, n)
	default:
		panic(fmt.Sprintf("stack: unknown payload kind %q", kind))
	}
}

var (
	payloadNames  = [8]string{"Ada", "Barbara", "Edsger", "Grace", "Kurt", "Leslie", "Niklaus", "Tony"}
	payloadCities = [8]string{"Athens", "Berlin", "Cairo", "Lima", "Nairobi", "Oslo", "Porto", "Quito"}
)

func payloadWord(seed, i uint64) uint64 {
	z := seed + (i+1)*0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

func randomPayload(seed uint64, n int) []byte {
	payload := make([]byte, 0, n+8)
	for i := uint64(0); len(payload) < n; i++ {
		payload = binary.LittleEndian.AppendUint64(payload, payloadWord(seed, i))
	}
	return payload[:n:n]
}

func jsonPayload(seed uint64, n int) []byte {
	payload := make([]byte, 0, n+128) // a line has at most 85 bytes
	for i := uint64(0); len(payload) < n; i++ {
		payload = appendJSONLine(payload, payloadWord(seed, i))
	}
	return payload[:n:n]
}

func appendJSONLine(line []byte, w uint64) []byte {
	line = append(line, `{"id":`...)
	line = strconv.AppendUint(line, w%1_000_000, 10)
	line = append(line, `,"name":"`...)
	line = append(line, payloadNames[w>>32%8]...)
	line = append(line, `","city":"`...)
	line = append(line, payloadCities[w>>35%8]...)
	line = append(line, `","active":`...)
	line = strconv.AppendBool(line, w>>38&1 == 1)
	line = append(line, `,"balance":`...)
	line = strconv.AppendUint(line, w>>40%10_000, 10)
	cents := w >> 56 % 100
	return append(line, '.', byte('0'+cents/10), byte('0'+cents%10), '}', '\n')
}
