//go:build race

package stacktest

// shrink divides the largest payloads. The race detector makes encoding them up to a hundred times slower, and finds
// nothing more in them.
const shrink = 20
