package point

import "time"

// A form is how the values of a key are read, put into a point, and written again.
type form struct {
	read  func(Node) (Setter, error)
	write func(Asked) Node // of Form Null where the point has none
	// choices are all words that it reads, where they are few; nil where it reads others.
	choices []string
}

// only says that the form reads these words, and no others.
func (f form) only(words []string) form {
	f.choices = words
	return f
}

// choice is the form of a field of one of a few words.
func choice(field func(*Asked) *string, words ...string) form {
	return text(field, oneOf(words...)).only(words)
}

// formOf is the form of a key from its three parts.
func formOf[T any](read func(Node) (T, error), put func(*Asked, T), write func(Asked) Node) form {
	return form{write: write, read: func(n Node) (Setter, error) {
		value, err := read(n)
		return func(a *Asked) { put(a, value) }, err
	}}
}

// text is the form of a field of text, "" where there is none.
func text(field func(*Asked) *string, read func(string) (string, error)) form {
	return formOf(scalarOf(read), func(a *Asked, value string) { *field(a) = value },
		func(a Asked) Node { return textNode(*field(&a)) })
}

// whole is the form of a field of a whole number, 0 where there is none.
func whole[T int | int64](field func(*Asked) *T, read func(string) (T, error)) form {
	return formOf(scalarOf(read), func(a *Asked, value T) { *field(a) = value },
		func(a Asked) Node { return countNode(*field(&a)) })
}

// length is the form of a field of nanoseconds, 0 where there is none.
func length(field func(*Asked) *int64, read func(string) (time.Duration, error)) form {
	return formOf(scalarOf(read), func(a *Asked, value time.Duration) { *field(a) = value.Nanoseconds() },
		func(a Asked) Node { return spanNode(*field(&a)) })
}
