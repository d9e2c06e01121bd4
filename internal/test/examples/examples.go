// Package examples runs the folder examples, as a user who has copied it would. It has tests only.
package examples
