// Portable checks that the packages of a module fit other systems.
//
//	go -C tools run ./portable ROOT GOOS-GOARCH ...
//
// It goes through types, as a compiler does first, and makes no code: that would take most of a compiler's time, and
// finds nothing more in Go alone. What it says of a file is what a compiler would say.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: portable ROOT GOOS-GOARCH ...")
		os.Exit(2)
	}
	for _, system := range os.Args[2:] {
		if err := check(os.Args[1], system); err != nil {
			fmt.Fprintf(os.Stderr, "portable: %s: %v\n", system, err)
			os.Exit(1)
		}
	}
}

// check prints what doesn't fit.
func check(root, system string) error {
	goos, goarch, ok := strings.Cut(system, "-")
	if !ok {
		return errors.New("a system is GOOS-GOARCH, such as linux-arm")
	}
	all, err := packages.Load(&packages.Config{
		Mode: packages.LoadAllSyntax,
		Dir:  root,
		Env:  append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"),
	}, "./...")
	if err != nil {
		return err
	}
	if wrong := packages.PrintErrors(all); wrong > 0 {
		return fmt.Errorf("%d errors", wrong)
	}
	if len(all) == 0 {
		return errors.New("no packages")
	}
	fmt.Printf("%s: %d packages\n", system, len(all))
	return nil
}
