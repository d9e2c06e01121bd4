package script_test

import (
	"strings"
	"testing"

	"rpcbench/internal/check/script"
)

var good = []string{
	"fixed 4ms", "exponential 4ms seed 7 of 1000", "slow 100ms every 100 else 5ms", "drop every 50", "fail",
	"step 100us to 120us after 1s", "pause 50ms every 250ms", "freeze 1s after 1.5s",
}

func TestEveryScriptIsRead(t *testing.T) {
	t.Parallel()
	for _, text := range good {
		if _, err := script.Parse(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestABadScriptIsOneSentence(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                    "the script is empty; a script is: fixed TIME, ",
		"slowly":                              `"slowly" is not a script; a script is: fixed TIME, `,
		"fixed":                               `"fixed": the script is incomplete; a script is: `,
		"fixed four":                          `"fixed four": "four" is not a duration of up to 1h, such as 4ms`,
		"fixed -4ms":                          `"fixed -4ms": "-4ms" is not a duration of up to 1h, such as 4ms`,
		"fixed 4ms 5ms":                       `"fixed 4ms 5ms": unexpected "5ms"; a script is: `,
		"step 1ms for 2ms after 1s":           `"step 1ms for 2ms after 1s": "for" is given; expected "to"; a script is: `,
		"drop each 4":                         `"drop each 4": "each" is given; expected "every"; a script is: `,
		"drop every 0":                        `"drop every 0": "0" is not a whole number from 1 to 1000000`,
		"exponential 4ms seed 7 of 100000000": `"100000000" is not a whole number from 1 to 1000000`,
		"pause 50ms every 50ms":               "a pause of 50ms in every 50ms leaves no time to answer",
		"freeze 1s after":                     `"freeze 1s after": the script is incomplete; a script is: `,
	} {
		_, err := script.Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the error is %v, want %s", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range good {
		f.Add(text)
	}
	f.Fuzz(func(_ *testing.T, text string) { _, _ = script.Parse(text) })
}
