// Package doctest keeps the documentation true. It has tests only.
//
// Every ```console block of README.md and docs/*.md is run against a freshly built rpcbench, in a temporary folder for
// each document, and what it prints is compared with what the document shows. Figures differ from run to run, so only
// the shape is compared: words, columns, rows, verdicts and exit codes. See command_test.go for how commands are made
// short, serve_test.go for servers that run beside them, and shape_test.go for what counts as alike. Further tests hold
// the manual complete: every column, key, stack, option, verb, flag and field of the program is named in it, and every
// link and name of a file or test leads somewhere.
package doctest
