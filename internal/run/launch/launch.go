// Package launch starts workers, and ends them.
package launch
