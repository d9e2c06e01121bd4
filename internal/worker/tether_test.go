package worker

import (
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"
)

func TestATetherEndsWhenNothingComes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in, out := io.Pipe()
		begun := time.Now()
		go func() {
			for range 3 {
				time.Sleep(50 * time.Second)
				_, _ = out.Write([]byte("x"))
			}
		}()
		got, err := io.ReadAll(Tether(in, time.Minute))
		if string(got) != "xxx" || err == nil || err.Error() != "the driver has sent nothing for 1m0s" {
			t.Errorf("%q, %v", got, err)
		}
		if took := time.Since(begun); took != 210*time.Second {
			t.Errorf("it ended after %v, want 3m30s", took)
		}
		out.Close()
		synctest.Wait()
	})
}

func TestATetherEndsAsItsInputDoes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("broken")
		for _, end := range []error{nil, broken} {
			in, out := io.Pipe()
			go func() {
				_, _ = out.Write([]byte("all of it"))
				out.CloseWithError(end)
			}()
			got, err := io.ReadAll(Tether(in, time.Minute))
			if string(got) != "all of it" || !errors.Is(err, end) {
				t.Errorf("%q, %v; want %v", got, err, end)
			}
		}
		synctest.Wait()
	})
}
