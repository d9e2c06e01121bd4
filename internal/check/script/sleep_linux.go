package script

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// sleep waits for a timer of the kernel's through Go's poller. Go's own timers wait in epoll, whose timeouts are
// milliseconds; a thread that slept in the kernel would take a processor from the other calls. Where the system has no
// timer left it is Go's.
func sleep(d time.Duration) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		time.Sleep(d)
		return
	}
	due := time.Now().Add(d)
	timer := os.NewFile(uintptr(fd), "timer")
	defer timer.Close()
	spec := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(d))}
	var expirations [8]byte
	if unix.TimerfdSettime(fd, 0, &spec, nil) == nil {
		_, err = timer.Read(expirations[:])
	}
	if left := time.Until(due); err != nil && left > 0 {
		time.Sleep(left)
	}
}
