package wire

// changesTable reports whether a header block that could be decoded may change the table of the connection's fields, so that
// later blocks mean something else: RFC 7541, section 6. A block that can't be followed does.
func changesTable(encoded []byte) bool {
	for len(encoded) > 0 {
		var ok bool
		switch first := encoded[0]; {
		case first >= 0x80: // an indexed field
			_, encoded, ok = cutInteger(encoded, 7)
		case first >= 0x20: // a field that is to be added, or another size
			return true
		default:
			encoded, ok = cutLiteral(encoded)
		}
		if !ok {
			return true
		}
	}
	return false
}

// cutLiteral returns what follows a field that is not to be added.
func cutLiteral(encoded []byte) (rest []byte, ok bool) {
	index, rest, ok := cutInteger(encoded, 4)
	if ok && index == 0 {
		rest, ok = cutString(rest) // its name
	}
	if ok {
		rest, ok = cutString(rest)
	}
	return rest, ok
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
