package point

import "testing"

func TestAnErrorNamesItsKeyOnce(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]*Error{
		`--binary: "old" is not NAME=PATH`:                    Errorf("--binary", "binary: %q is not NAME=PATH", "old"),
		"--reflect-metadata: it is empty":                     Errorf("--reflect-metadata", "reflect_metadata: it is empty"),
		`--set binary=old: binary: "old" is not NAME=PATH`:    Errorf("--set binary=old", "binary: %q is not NAME=PATH", "old"),
		`my.yaml:3:5: binary: "old" is not NAME=PATH`:         Errorf("my.yaml:3:5", "binary: %q is not NAME=PATH", "old"),
		"binary: there is none, and something is known of it": Errorf("", "binary: there is none, and something is known of it"),
		"--binary: binary":                                    Errorf("--binary", "binary"),
	} {
		if got := err.Error(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
