package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"rpcbench/internal/call/infile"
	"rpcbench/internal/results/archive"
)

// archiveAdd adds results files.
func (e *env) archiveAdd() *cobra.Command {
	var facts archive.Facts
	var committed string
	var token tokenFlags
	command := &cobra.Command{
		Use:   "add DIR|URL FILE.jsonl ... --commit COMMIT",
		Short: "Add results files of a commit; makes the directory if need be",
		Example: "  rpcbench archive add history results.jsonl --commit $(git rev-parse HEAD) \\\n" +
			"    --commit-time $(git show -s --format=%cI) --branch main\n" +
			"  rpcbench archive add https://bench.example.com results.jsonl --commit 3f2a \\\n    --token-file token",
		RunE: func(command *cobra.Command, args []string) error {
			var err error
			switch {
			case len(args) < 2:
				err = errors.New("archive add needs an archive and at least one results file")
			case facts.Commit == "":
				err = errors.New("archive add needs --commit, such as --commit $(git rev-parse HEAD)")
			case committed != "":
				facts.Committed, err = timeOf(committed)
			}
			if err = errors.Join(err, facts.Check()); err != nil {
				return badInput(err)
			}
			ctx, restore := interruptible(command.Context(), nothing, nothing)
			defer restore()
			place, release, err := token.open(args, true)
			if err != nil {
				return badInput(err)
			}
			defer release()
			for _, name := range args[1:] {
				if err := e.archiveFile(ctx, place, name, facts); err != nil {
					return orInterrupted(ctx, err)
				}
			}
			return nil
		},
	}
	f := command.Flags()
	f.StringVar(&facts.Commit, "commit", "", "`commit` of what was measured")
	f.StringVar(&committed, "commit-time", "", "`time` of the commit, by which commits are ordered, such as "+
		"2026-09-01T12:00:00Z (default: when it was measured)")
	f.StringVar(&facts.Branch, "branch", "", "`branch` of the commit")
	f.StringVar(&facts.HostClass, "host-class", "", "`class` of the machine: machines of one class with the same processors have "+
		"one history (default: each machine has its own)")
	f.StringArrayVar(&facts.Labels, "label", nil, "`label` to find the results by; repeatable")
	f.StringVar(&facts.Uploader, "uploader", os.Getenv("USER"), "`name` of who adds them (default: $USER)")
	f.Lookup("uploader").DefValue = ""
	token.flags(f)
	return command
}

// timeOf reads a time as git prints it.
func timeOf(text string) (time.Time, error) {
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.Unix(seconds, 0).UTC(), nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t, fmt.Errorf("--commit-time: %q is not a time such as 2026-09-01T12:00:00Z; git show -s --format=%%cI prints it", text)
	}
	return t.UTC(), nil
}

func (e *env) archiveFile(ctx context.Context, place archivePlace, name string, facts archive.Facts) error {
	file, err := infile.OpenAgain(name)
	if err != nil {
		return badInput(err)
	}
	defer file.Close()
	facts.Added = time.Now().UTC()
	entry, isNew, err := place.Add(ctx, name, file, maxFileBytes, facts)
	switch {
	case errors.Is(err, archive.ErrRefused):
		return badInput(err)
	case err != nil:
		return failed(err)
	case !isNew:
		_, err = fmt.Fprintf(e.out, "%s: is already in the archive, as %s\n", name, entry.Name)
	default:
		_, err = fmt.Fprintf(e.out, "%s: added as %s\n", name, entry.Name)
	}
	return err
}
