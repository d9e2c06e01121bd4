package conform

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"

	"google.golang.org/protobuf/encoding/protowire"

	"rpcbench/internal/run/child"
	"rpcbench/internal/worker/control"
)

// fieldThatIsNone is the number of no Command.
const fieldThatIsNone = 1000

// unknownCommand sends a Command that a later driver might have. The Mark after it makes sure that there is an answer to
// read: a worker that passed over the first in silence answers with a Snapshot.
func unknownCommand(r *rig) (string, error) {
	var answer error
	err := bare(r.ctx, r.worker, func(s *control.Session, stdin io.Writer) error {
		command := protowire.AppendTag(nil, fieldThatIsNone, protowire.BytesType)
		command = protowire.AppendBytes(command, nil)
		if _, err := stdin.Write(protowire.AppendBytes(nil, command)); err != nil {
			return err
		}
		_, answer = s.Mark(r.ctx)
		return nil
	})
	switch fault, ok := asFault(answer); {
	case err != nil:
		return "", err
	case answer == nil:
		return "", errors.New("it was silently ignored")
	case !ok:
		return "", answer
	default:
		return "Fault: " + fault.Error(), nil
	}
}

// bare starts a worker, sends it what a control.Session never sends, and kills it afterwards.
func bare(ctx context.Context, command []string, say func(*control.Session, io.Writer) error) error {
	made, err := child.StartPiped(exec.Command(command[0], command[1:]...), nil)
	if err != nil {
		return fmt.Errorf("start the worker: %w", err)
	}
	defer func() {
		made.Kill()
		_ = made.Wait() // it was killed
	}()
	s, err := control.Open(ctx, made.In, made.Out)
	if err != nil {
		return err
	}
	return say(s, made.In)
}
