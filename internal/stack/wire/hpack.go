package wire

// staticEntries are those of every table: RFC 7541, appendix A.
const staticEntries = 61

// A tableUse is what a header block does with the entries of its connection's table.
type tableUse struct {
	adds   int  // entries
	refers bool // to an entry that an earlier block has added
}

// tableUseOf follows a header block that could be decoded: RFC 7541, section 6. One that sets the table's size, and one that
// can't be followed, is not ok.
func tableUseOf(encoded []byte) (use tableUse, ok bool) {
	for len(encoded) > 0 {
		var index int
		switch first := encoded[0]; {
		case first >= 0x80:
			index, encoded, ok = cutInteger(encoded, 7)
		case first >= 0x40:
			use.adds++
			index, encoded, ok = cutLiteral(encoded, 6)
		case first >= 0x20:
			return use, false
		default:
			index, encoded, ok = cutLiteral(encoded, 4)
		}
		if !ok {
			return use, false
		}
		use.refers = use.refers || index > staticEntries
	}
	return use, true
}

// cutLiteral reads the index of a literal field's name, 0 for one that is written out, and returns what follows the field.
func cutLiteral(encoded []byte, bits int) (index int, rest []byte, ok bool) {
	index, rest, ok = cutInteger(encoded, bits)
	if ok && index == 0 {
		rest, ok = cutString(rest)
	}
	if ok {
		rest, ok = cutString(rest)
	}
	return index, rest, ok
}

// cutInteger reads an integer from the low bits of the first byte, and returns what follows it: RFC 7541, section 5.1.
func cutInteger(encoded []byte, bits int) (n int, rest []byte, ok bool) {
	if len(encoded) == 0 {
		return 0, nil, false
	}
	most := 1<<bits - 1
	n, rest = int(encoded[0])&most, encoded[1:]
	if n < most {
		return n, rest, true
	}
	for shift := 0; shift < 28 && len(rest) > 0; shift += 7 {
		b := rest[0]
		n, rest = n+int(b&0x7f)<<shift, rest[1:]
		if b < 0x80 {
			return n, rest, true
		}
	}
	return 0, nil, false
}

// cutString returns what follows a string: RFC 7541, section 5.2.
func cutString(encoded []byte) (rest []byte, ok bool) {
	length, rest, ok := cutInteger(encoded, 7)
	if !ok || length > len(rest) {
		return nil, false
	}
	return rest[length:], true
}
