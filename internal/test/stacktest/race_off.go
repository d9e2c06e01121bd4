//go:build !race

package stacktest

// shrink divides the largest payloads.
const shrink = 1
