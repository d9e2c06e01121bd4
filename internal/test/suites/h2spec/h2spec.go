// Package h2spec runs the cases of h2spec, https://github.com/summerwind/h2spec, against the servers of stacks that speak
// HTTP/2. It has no code of its own.
package h2spec
