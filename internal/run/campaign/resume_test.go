package campaign

import (
	"reflect"
	"testing"

	"rpcbench/internal/results/result"
)

func TestAResumedFileMustAgreeInEveryFactOfItsHeader(t *testing.T) {
	t.Parallel()
	fields := reflect.TypeFor[result.Host]().NumField() + reflect.TypeFor[result.Binary]().NumField()
	if got := len(facts(result.Header{})); got != fields+2 {
		t.Errorf("%d facts are compared, want %d: the seed, the environment, and every field of the binary and the host", got, fields+2)
	}
}
