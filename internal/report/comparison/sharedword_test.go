package comparison

import (
	"reflect"
	"testing"
)

func TestNamesAreShortenedToWhatTheyDifferIn(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		names, short []string
		shared       string
	}{
		{[]string{"grpc-go unary 100 B 1x1 closed", "grpc-go unary 1000 B 1x1 closed"}, []string{"100 B", "1000 B"},
			"grpc-go unary 1x1 closed"},
		{[]string{"a unary 10 B tls closed", "a unary 10 B closed"}, []string{"tls", ""}, "a unary 10 B closed"},
		{[]string{"a b", "c d"}, []string{"a b", "c d"}, ""},
		{[]string{"a b"}, []string{""}, "a b"},
		{nil, nil, ""},
	} {
		short, shared := sharedWords(test.names)
		want := map[string]string{}
		for i, name := range test.names {
			want[name] = test.short[i]
		}
		if shared != test.shared || !reflect.DeepEqual(short, want) {
			t.Errorf("%q: %q, %q", test.names, short, shared)
		}
	}
}
