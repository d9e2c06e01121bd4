package point

import "time"

// SampleDefault is the default duration of the operations of one call of encode or decode: long compared with reading a clock,
// short enough for dozens of calls per second.
const SampleDefault = 20 * time.Millisecond

// declaredCodings declares the keys that define what is encoded and decoded.
var declaredCodings = []*Key{
	{
		Name: "message", Axis: true, Kinds: coding, fallback: among(coding, All), Trust: Harmless,
		form: choice(func(a *Asked) *string { return &a.Message },
			All, "small", "address-book", "newsfeed", "large", "large-dense", "large-sparse"),
		Values:    "`small`, `address-book`, `newsfeed`, `large`, `large-dense`, `large-sparse`, or `all` messages of the stack",
		Otherwise: "`all`",
		Columns: []Column{{
			Name: "message", Is: "what is encoded or decoded", Absent: "all kinds but encode, decode",
			value: plain(func(s Spec) string { return s.Message }),
		}},
	},
	{
		Name: "codec", Axis: true, Kinds: coding, fallback: among(coding, All), Trust: Harmless,
		form:   text(func(a *Asked) *string { return &a.Codec }, name),
		Values: "names of the stack's codecs, or `all`", Otherwise: "`all`",
		Columns: []Column{{
			Name: "codec", Is: "which codec does it", Absent: "all kinds but encode, decode", Carrier: true,
			value: plain(func(s Spec) string { return s.Codec }),
		}},
		Sides: &Sides{func(s Spec) string { return s.Codec }, func(s *Spec) { s.Codec = "" }},
	},
	{
		Name: "sample", Kinds: coding, fallback: among(coding, SampleDefault.String()), Trust: Harmless,
		form:   length(func(a *Asked) *int64 { return &a.SampleNs }, sample),
		Values: "1ms to 1m, less than the deadline: how long the operations of one call take together", Otherwise: "20ms",
	},
}
