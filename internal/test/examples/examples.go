// Package examples runs what is in the folder examples, as somebody who has copied it would. It has tests only.
package examples
