// Dist makes of the binaries in a folder all that is given to others: archives, packages of Debian and RPM, images of
// containers, lists of what is in them, and checksums.
//
//	go -C tools/dist run . -version 0.1.0 -date 2026-11-23T12:00:00Z DIST BINARY ...
//
// Binaries are named as in rpcbench-linux-armv6, and are in the folder DIST. With -documents FOLDER it writes only the
// manual pages and completions there, below share. The same binaries make the same bytes, wherever and whenever.
package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	version := flag.String("version", "", "version of all that is made")
	date := flag.String("date", "", "date and time of all files, as in RFC 3339 (default 1970)")
	documents := flag.String("documents", "", "folder for the manual pages and completions, and nothing else")
	flag.Parse()
	when, err := time.Parse(time.RFC3339, *date)
	if *date == "" {
		when, err = time.Unix(0, 0), nil
	}
	if err == nil {
		err = produce(release{*version, when.UTC()}, *documents, flag.Args())
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "dist: %v\n", err)
		os.Exit(1)
	}
}

// produce makes the documents alone, or all in the folder of the binaries.
func produce(r release, documents string, args []string) error {
	shared, err := documentsOf(r)
	if err != nil {
		return err
	}
	if documents != "" {
		return writeAll(documents, shared)
	}
	if len(args) < 2 {
		return errors.New("it is called with -version VERSION DIST BINARY …")
	}
	folder, names := args[0], args[1:]
	made := slices.Clone(names)
	for _, name := range names {
		b, err := readBinary(folder, name)
		if err != nil {
			return err
		}
		for _, kind := range []func(release, binary, []file) ([]product, error){archives, packages, image, bill} {
			products, err := kind(r, b, shared)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			for _, p := range products {
				if err := os.WriteFile(filepath.Join(folder, p.name), p.content, 0o644); err != nil {
					return err
				}
				made = append(made, p.name)
			}
		}
	}
	return checksums(folder, made)
}

// A release is what everything made at once has in common.
type release struct {
	version string
	date    time.Time
}

// A product is a file to give away.
type product struct {
	name    string
	content []byte
}

// A binary is a program for one platform.
type binary struct {
	system    string // "linux"
	processor string // "amd64", "armv6"
	program   []byte
}

func readBinary(folder, name string) (binary, error) {
	parts := strings.Split(strings.TrimSuffix(name, ".exe"), "-")
	if len(parts) != 3 {
		return binary{}, fmt.Errorf("%s is not named as in rpcbench-linux-amd64", name)
	}
	program, err := os.ReadFile(filepath.Join(folder, name))
	return binary{parts[1], parts[2], program}, err
}

// named is the name of a product for one platform.
func (b binary) named(r release, ending string) string {
	return "rpcbench-" + r.version + "-" + b.system + "-" + b.processor + ending
}

// fileName is the program's on its system.
func (b binary) fileName() string {
	if b.system == "windows" {
		return "rpcbench.exe"
	}
	return "rpcbench"
}

// checksums writes SHA256SUMS, of these files, in their order.
func checksums(folder string, names []string) error {
	var sums bytes.Buffer
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(content), name)
	}
	return os.WriteFile(filepath.Join(folder, "SHA256SUMS"), sums.Bytes(), 0o644)
}
