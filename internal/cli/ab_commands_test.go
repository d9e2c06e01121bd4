package cli

import (
	"os"
	"slices"
	"testing"
)

func TestACommandThatStartsNothingIsBlamedOnItsFlag(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                     "ab needs --b, the command that starts a server",
		"true {port}":          "--b has {port}, and TARGET unix:s has not",
		"cd /tmp":              "--b: there is no such program: no shell carries out the command; write sh -c 'cd …' if one is to",
		"cd /tmp && node x.js": `--b: "&" in it must be quoted: no shell carries out the command; write sh -c '…' if one is to`,
	} {
		_, _, err := fillCommands("unix:s", "", commandFlag{"b", text})
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// A resumed experiment is about the target that it began with.
func TestAPortIsThatOfAnEarlierTarget(t *testing.T) {
	t.Parallel()
	name := os.Args[0]
	target, commands, err := fillCommands("localhost:{port}", "localhost:4711", commandFlag{"a", name + " --listen :{port}"})
	if err != nil || target != "localhost:4711" || !slices.Equal(commands[0], []string{name, "--listen", ":4711"}) {
		t.Errorf("%s, %q, %v", target, commands, err)
	}
	target, _, err = fillCommands("localhost:1", "localhost:4711", commandFlag{"a", name})
	if err != nil || target != "localhost:1" {
		t.Errorf("without a hole: %s, %v", target, err)
	}
}
