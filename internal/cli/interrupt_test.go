package cli

import (
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestTheEchoOfAnInterruptionIsNoSecondOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		signals, over := make(chan os.Signal, 2), make(chan struct{})
		go func() {
			defer close(over)
			awaitSecond(signals)
		}()
		isOver := func() bool {
			synctest.Wait()
			select {
			case <-over:
				return true
			default:
				return false
			}
		}
		signals <- syscall.SIGTERM
		if isOver() {
			t.Error("a signal that came at once is a second interruption")
		}
		time.Sleep(echoTime - time.Millisecond)
		signals <- syscall.SIGTERM
		if isOver() {
			t.Error("a signal within the echo's time is a second interruption")
		}
		time.Sleep(time.Millisecond)
		signals <- syscall.SIGINT
		if !isOver() {
			t.Error("a signal after the echo's time is no second interruption")
		}
	})
}
