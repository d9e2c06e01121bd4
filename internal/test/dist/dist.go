// Package dist tests what `make dist` makes: the platforms, the checksums, the packages, images and documents, and that the
// binary for the oldest boards measures, which it does in an emulator. It has tests only.
//
// An emulated board is slow, and how slow says nothing about a real one: figures are read for their presence alone.
package dist
