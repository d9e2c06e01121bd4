package cli

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"rpcbench/internal/call/infile"
	"rpcbench/internal/plan/trust"
	"rpcbench/internal/run/consent"
)

// strangerFlags say which files may do all that they ask for.
type strangerFlags struct{ trusted []string }

func (f *strangerFlags) flags(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.trusted, "trust", nil,
		"allow everything that `file` asks for, such as JVM options that run commands; repeatable")
}

// consent returns nil if the user allows what the files ask for: by --trust, or at a terminal. --trust may name only these files.
func (e *env) consent(f strangerFlags, files []string, asks []trust.Ask) error {
	for _, trusted := range f.trusted {
		if !slices.ContainsFunc(files, func(file string) bool { return isTrusted(trusted, file) }) {
			return badInput(fmt.Errorf("--trust %s: it is not among the files that this command reads%s", trusted,
				e.nameToo(files, trusted)))
		}
	}
	c := trust.Consent{Trusts: func(file string) bool {
		return slices.ContainsFunc(f.trusted, func(trusted string) bool { return isTrusted(trusted, file) })
	}}
	c.Remembers = func(asks []trust.Ask) bool {
		known, err := consent.Remembered(keyOf(asks))
		return err == nil && known // a file that can't be read remembers nothing
	}
	if isTerminal(os.Stdin) && isTerminal(os.Stderr) {
		c.Confirm = e.confirm
	}
	err := c.To(asks)
	if err != nil && c.Confirm == nil {
		i := slices.IndexFunc(asks, func(a trust.Ask) bool { return !c.Trusts(a.File) })
		err = fmt.Errorf("%w: %s", err, retyped(e.typed, "--trust", asks[i].File))
	}
	return badInput(err)
}

// nameToo says that --trust of a scenario does not run it: nothing else was named.
func (e *env) nameToo(files []string, trusted string) string {
	if len(files) > 0 || len(e.typed) == 0 || e.typed[0] != "run" && e.typed[0] != "plan" || !strings.Contains(trusted, ".") {
		return ""
	}
	return fmt.Sprintf("; name it as the scenario, too: rpcbench %s %s --trust %[2]s", e.typed[0], shell([]string{trusted}))
}

// retyped is a command as the user typed it, with more words, for a shell. It has no secrets.
func retyped(typed []string, more ...string) string {
	words := public(typed)
	end := slices.Index(words, "--")
	if end < 0 {
		end = len(words)
	}
	return shell(append([]string{"rpcbench"}, slices.Insert(words, end, more...)...))
}

// isTrusted reports whether --trust names the file, in these words or by another path.
func isTrusted(trusted, file string) bool {
	return trusted == file || trusted != trust.Stdin && file != trust.Stdin && infile.IsSame(trusted, file)
}

// keyOf identifies the Asks and the contents of the asking files, "" if those can't be read again.
func keyOf(asks []trust.Ask) consent.Key {
	var files, wishes []string
	for _, ask := range asks {
		if ask.File == trust.Stdin {
			return ""
		}
		files, wishes = append(files, ask.File), append(wishes, string(ask.Kind)+" "+ask.What)
	}
	key, err := consent.KeyOf(files, wishes)
	if err != nil {
		return ""
	}
	return key
}

// confirm shows what is asked for and reads the answer. Anything but a clear yes is a no.
func (e *env) confirm(asks []trust.Ask) (bool, error) {
	key := keyOf(asks)
	fmt.Fprintf(e.err, "%sAllow this, if you know where the file is from? [y/N, a: always, until it changes] ",
		trust.Listing(asks))
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil {
		fmt.Fprintln(e.err)
		return false, nil //nolint:nilerr // no answer is a no
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return true, nil
	case "a", "always":
		if err := consent.Remember(key, asks[0].File); err != nil {
			fmt.Fprintf(e.err, "note: this is not remembered: %v\n", err)
		}
		return true, nil
	default:
		return false, nil
	}
}
