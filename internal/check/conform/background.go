package conform

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rpcbench/internal/stack"
	"rpcbench/internal/worker/control"
)

// besideBytes is the payload of a background message, each way.
const besideBytes = 5000

// background makes calls beside the measured ones: both go well, neither is counted as the other, and both cross the
// same sockets. A stack without multiplexing refuses it.
func background(r *rig) (string, error) {
	s := unary(shape{2, 2})
	client, server, err := r.served(&s)
	if err != nil {
		return "", err
	}
	command := r.connectCommand(s)
	command.Background = &control.Background{Kind: stack.KindUnary, RequestBytes: besideBytes, ResponseBytes: besideBytes}
	_, err = client.Connect(r.ctx, command)
	if !r.pair.client.info.GetMultiplexed() {
		return "refused, as it must be without multiplexing", wantFault(err, "connect.background")
	}
	if err != nil {
		return "", err
	}
	for r.ctx.Err() == nil { // a busy machine may need more phases than one for a background call
		done, err := r.phase(client, openFor(control.LoadConstant, constantPerSec, rateWindow/2))
		if err != nil {
			return "", err
		}
		if done.GetBackground() == nil || done.GetBackground().GetOk()+done.GetBackground().GetErrors() > 0 {
			return r.judgeBackground(done, client, server)
		}
	}
	return "", context.Cause(r.ctx)
}

func (r *rig) judgeBackground(done *control.Done, client, server *party) (string, error) {
	if err := wantOutcome(done, "OK", int64(constantPerSec*(rateWindow/2)/time.Second)); err != nil {
		return "", err
	}
	beside := done.GetBackground()
	if beside.GetOk() == 0 || beside.GetErrors() > 0 {
		return "", fmt.Errorf("done.background is %d OK and %d errors (%s)", beside.GetOk(), beside.GetErrors(), beside.GetExample())
	}
	clientMark, err := client.Mark(r.ctx)
	if err != nil {
		return "", err
	}
	serverMark, err := server.Mark(r.ctx)
	if err != nil {
		return "", err
	}
	if clientMark.GetSockets() != 2 || serverMark.GetSockets() != 2 {
		return "", fmt.Errorf("%d sockets opened, %d accepted, want 2", clientMark.GetSockets(), serverMark.GetSockets())
	}
	if clientMark.BytesOut != nil && clientMark.GetBytesOut() < beside.GetOk()*besideBytes {
		return "", errors.New("fewer bytes were sent than the background's calls have")
	}
	return fmt.Sprintf("%d calls beside %d", beside.GetOk(), done.GetArrivals()), nil
}
