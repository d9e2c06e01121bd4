// Package blocking puts a socket into blocking mode, on Linux, so that its reader waits in the kernel.
//
// Go's poller costs four more system calls for each read that has to wait, and wakes a second thread. A reader in the kernel
// occupies one of Go's processors meanwhile, so this is for a socket whose own goroutine does all that follows a reply, and for
// few of them. Such a socket has no deadlines but those of the past and none.
package blocking
