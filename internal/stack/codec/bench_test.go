package codec

import "testing"

// BenchmarkOperations is a look at one operation without the harness.
func BenchmarkOperations(b *testing.B) {
	for _, name := range messageNames() {
		for _, codec := range codecNames() {
			o := bind(codec, newMessage(name, 1))
			data, err := o.check()
			if err != nil {
				b.Fatal(err)
			}
			b.Run("encode/"+name+"/"+codec, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := o.encode(); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run("decode/"+name+"/"+codec, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := o.decode(data); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
