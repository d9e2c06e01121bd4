// Package doctest checks the documentation. It has tests only.
//
// Every ```console block of README.md and docs/*.md is run with a freshly built rpcbench, in a temporary folder for each
// document, and its output is compared with the document. Figures differ from run to run, so only the shape is compared:
// words, columns, rows, verdicts and exit codes. See command_test.go for how commands are made short, serve_test.go for
// servers that run in the background, and shape_test.go for what counts as equal. Further tests check that the manual is
// complete: it names every column, key, stack, option, verb, flag and field of the program, and every link and every name
// of a file or test leads somewhere.
package doctest
