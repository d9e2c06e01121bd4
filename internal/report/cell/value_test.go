package cell

import (
	"encoding/json"
	"math"
	"testing"
)

func TestWhatIsNotFiniteIsNullInJSON(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal([]any{
		ShortNumber(1.5), ShortNumber(math.Inf(1)), ShortNumber(math.NaN()), Decimal(2), Decimal(math.Inf(-1)),
	})
	if err != nil || string(text) != "[1.5,null,null,2.000,null]" {
		t.Errorf("%s, %v", text, err)
	}
}
