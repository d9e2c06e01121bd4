// Package endtoend holds tests of whole worker processes over real sockets: what a frozen server does to what is
// recorded, every two stacks that speak one protocol, and clients and servers that others have written. It has no code
// of its own.
//
// What can be shown in virtual time is shown in package load, and what every worker must keep, in any language, in
// package conform.
package endtoend
