// Package jsonbound refuses JSON that a decoder would take gigabytes for, before it is decoded: values of a few bytes become
// structures of hundreds.
package jsonbound

import "fmt"

// Limits apply to one text.
type Limits struct {
	Depth   int // of objects and arrays in one another
	Members int // of one object or array
	Values  int // of all of them together
	Shallow int // members of one in the first two levels, where what they become is largest; 0 is no limit but Members

	ObjectBytes int // least bytes of text for each object and array, on average, beyond a number that is free; 0 is no limit
}

// objectsFree is how many objects and arrays cost little, however short.
const objectsFree = 1 << 12

// Check checks a text, which need not be JSON. Its error names the limit that the text exceeds.
func (l Limits) Check(text []byte) error {
	members := make([]int, 1, l.Depth+1) // of the objects and arrays that are open; the first is the text's
	values, objects, quoted := 1, 0, false
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '[' || b == '{':
			members = append(members, 1)
			values++
			objects++
		case (b == ']' || b == '}') && len(members) > 1:
			members = members[:len(members)-1]
		case b == ',':
			members[len(members)-1]++
			values++
		}
		if err := l.exceeded(len(members)-1, members[len(members)-1], values); err != nil {
			return err
		}
	}
	return l.emptied(objects, len(text))
}

// emptied returns an error if a text has too many objects and arrays for its length.
func (l Limits) emptied(objects, bytes int) error {
	if objects > objectsFree && objects*l.ObjectBytes > bytes {
		return fmt.Errorf("its %d objects and lists have less than %d bytes each", objects, l.ObjectBytes)
	}
	return nil
}

// exceeded returns the error of the limit that is exceeded at a depth, by the members there or by all values.
func (l Limits) exceeded(depth, members, values int) error {
	switch {
	case depth > l.Depth:
		return fmt.Errorf("values are nested more than %d levels deep", l.Depth)
	case l.Shallow > 0 && depth <= 2 && members > l.Shallow:
		return fmt.Errorf("a list or an object of the first two levels has more than %d members", l.Shallow)
	case members > l.Members:
		return fmt.Errorf("a list or an object has more than %d members", l.Members)
	case values > l.Values:
		return fmt.Errorf("there are more than %d values", l.Values)
	default:
		return nil
	}
}
