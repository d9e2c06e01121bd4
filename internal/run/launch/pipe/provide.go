package pipe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"rpcbench/internal/plan/point"
	"rpcbench/internal/run/child"
	"rpcbench/internal/run/launch"
	"rpcbench/internal/worker/patience"
)

// Limits on the requests to a machine.
const (
	askPatience  = 2 * time.Minute
	copyPatience = 10 * time.Minute
	saidBytesMax = 1 << 20
)

// here precedes the output that counts, because a user's shell may print something when it starts.
const here = "rpcbench-is-here"

// cached is the folder of the copies, in the syntax of a shell. Each copy is in a folder named by its hash.
const cached = `"${XDG_CACHE_HOME:-$HOME/.cache}/rpcbench"`

// provide has the machine have the binary, and returns the program as a shell has it.
func (m Machine) provide(ctx context.Context) (program string, err error) {
	if m.Program != "" {
		return m.named(ctx)
	}
	said, err := m.ask(ctx, "echo "+here+"; uname -s; uname -m; ls "+cached+" 2>/dev/null || :")
	if err != nil {
		return "", err
	}
	if len(said) < 2 {
		return "", errors.New("it does not report its system")
	}
	system, processor := goNames(said[0], said[1])
	path, err := m.Binary(system, processor)
	if err != nil {
		return "", fmt.Errorf("it is %s/%s, and %w", system, processor, err)
	}
	hash, err := hashOf(path)
	if err != nil {
		return "", err
	}
	program = cached + "/" + hash + "/rpcbench"
	if slices.Contains(said[2:], hash) {
		whole, err := m.whole(ctx, program, hash)
		if whole || err != nil {
			return program, err
		}
	}
	return program, m.copy(ctx, path, hash)
}

// whole reports whether a copy is there as it was sent, and marks it as used, so that it is not removed. The others in its
// folder, which may be many, are not read.
func (m Machine) whole(ctx context.Context, program, hash string) (bool, error) {
	said, err := m.ask(ctx, "echo "+here+"; f="+program+
		`; if [ -x "$f" ]; then touch "${f%/*}"; sha256sum "$f" 2>/dev/null || shasum -a 256 "$f"; fi`)
	return err == nil && strings.HasPrefix(said[0], hash+" "), err
}

// named checks the program that is there already.
func (m Machine) named(ctx context.Context) (program string, err error) {
	program = point.Quoted(m.Program)
	if rest, ok := strings.CutPrefix(m.Program, "~/"); ok {
		program = `"$HOME"/` + point.Quoted(rest)
	}
	said, err := m.ask(ctx, "echo "+here+"; "+program+" --version")
	if err != nil {
		return "", err
	}
	if got := said[0]; got != m.Version {
		return "", fmt.Errorf("%s is %q there, and this is %q: install this one there, or leave the path out, and it is copied",
			m.Program, got, m.Version)
	}
	return program, nil
}

// copy streams the binary. An incomplete copy never gets its final name. Copies that were not used for a month are removed.
func (m Machine) copy(ctx context.Context, path, hash string) error {
	binary, err := os.Open(path)
	if err != nil {
		return err
	}
	defer binary.Close()
	script := "umask 077; d=" + cached + `; t="$d/.copy-$$"; c() { rm -f "$t"; }; trap c 0 1 2 15; ` +
		`mkdir -p "$d" && cat >"$t" || exit 1; ` +
		`s=$(sha256sum "$t" 2>/dev/null || shasum -a 256 "$t"); ` +
		`case "$s" in ` + hash + `*) ;; *) echo "the copy of rpcbench differs from what was sent" >&2; exit 1;; esac; ` +
		`find "$d" -mindepth 1 -maxdepth 1 -mtime +30 -exec rm -rf {} + ; ` +
		`mkdir -p "$d/` + hash + `" && chmod 700 "$t" && mv -f "$t" "$d/` + hash + `/rpcbench" && echo ` + here
	if _, err := m.run(ctx, script, binary, copyPatience); err != nil {
		return fmt.Errorf("rpcbench could not be copied there: %w", err)
	}
	return nil
}

func hashOf(path string) (string, error) {
	binary, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer binary.Close()
	return launch.HashOf(binary)
}

// ask runs a script, and returns the lines that it said after here.
func (m Machine) ask(ctx context.Context, script string) ([]string, error) {
	leave, err := connecting.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	return m.run(ctx, script, nil, askPatience)
}

func (m Machine) run(ctx context.Context, script string, input io.Reader, most time.Duration) ([]string, error) {
	ctx, cancel := patience.WithTimeout(ctx, most)
	defer cancel()
	words := m.Shell(script)
	piped, err := child.StartPiped(exec.Command(words[0], words[1:]...), nil)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, piped.Kill)
	defer stop()
	go func() {
		if input != nil {
			_, _ = io.Copy(piped.In, input) // what did not arrive shows in the hash
		}
		piped.In.Close()
	}()
	said, readErr := io.ReadAll(io.LimitReader(piped.Out, saidBytesMax))
	piped.Out.Close()
	err = piped.Wait()
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("it did not answer: %w", context.Cause(ctx))
	case err != nil && launch.LastLine(piped.LastWords()) != "":
		return nil, errors.New(launch.LastLine(piped.LastWords()))
	case err != nil:
		return nil, fmt.Errorf("%s: %w", words[0], err)
	case readErr != nil:
		return nil, readErr
	}
	_, after, found := bytes.Cut(said, []byte(here+"\n"))
	if !found {
		return nil, fmt.Errorf("%s gave no shell there: it said %.60q", words[0], said)
	}
	return strings.Split(strings.TrimSpace(string(after)), "\n"), nil
}

// goNames returns Go's names for the system and the processor that uname reports.
func goNames(system, processor string) (string, string) {
	names := map[string]string{
		"x86_64": "amd64", "aarch64": "arm64", "armv7l": "armv7", "armv8l": "armv7", "armv6l": "armv6", "i686": "386", "i386": "386",
	}
	if name, ok := names[processor]; ok {
		processor = name
	}
	return strings.ToLower(system), processor
}
