// Package endtoend holds tests of whole worker processes over real sockets: the effect of a frozen server on what is
// recorded, every pair of stacks with a common protocol, and other projects' clients and servers. It has tests only.
//
// What can be tested in virtual time is tested in package load, and what every worker must do, in any language, in package
// conform.
package endtoend
