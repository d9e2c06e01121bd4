package main

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // registers
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm" // registers
)

// packaged says which formats there are for a processor, and what nfpm calls it. Debian has one armhf, of version 7;
// Fedora has none any more.
var packaged = map[string]struct {
	processor string
	formats   []string
}{
	"amd64": {"amd64", []string{"deb", "rpm"}},
	"arm64": {"arm64", []string{"deb", "rpm"}},
	"armv7": {"arm7", []string{"deb"}},
}

// packages makes the packages of Linux. They depend on nothing: the program is static.
func packages(r release, b binary, shared []file) ([]product, error) {
	if b.system != "linux" {
		return nil, nil
	}
	staged, err := os.MkdirTemp("", "rpcbench-dist-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(staged) }() // of the system's temporary ones
	contents, err := stage(staged, r, b, shared)
	if err != nil {
		return nil, err
	}
	var made []product
	for _, format := range packaged[b.processor].formats {
		info := nfpm.WithDefaults(&nfpm.Info{
			Name: "rpcbench", Arch: packaged[b.processor].processor, Platform: "linux", Version: r.version, Release: "1",
			Section: "utils", Priority: "optional", Maintainer: "The rpcbench authors <none@rpcbench.invalid>",
			Description: "Measure RPC performance: latency, throughput and cost of calls\n" +
				"Load-tests gRPC and HTTP services and compares RPC stacks. Every figure has a\n" +
				"verdict that says whether it can be trusted.",
			License: "Apache-2.0", MTime: r.date,
			Overridables: nfpm.Overridables{Contents: contents},
		})
		packager, err := nfpm.Get(format)
		if err != nil {
			return nil, err
		}
		var packed bytes.Buffer
		if err := packager.Package(info, &packed); err != nil {
			return nil, err
		}
		made = append(made, product{packager.ConventionalFileName(info), packed.Bytes()})
	}
	return made, nil
}

// stage writes what nfpm reads from the disk, and lists it with where it goes.
func stage(folder string, r release, b binary, shared []file) (files.Contents, error) {
	all := []file{{"bin/rpcbench", b.program}}
	for _, f := range shared {
		all = append(all, file{"share/" + f.name, f.content})
	}
	var contents files.Contents
	for _, f := range all {
		at := filepath.Join(folder, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(at, f.content, 0o644); err != nil {
			return nil, err
		}
		mode := os.FileMode(0o644)
		if f.name == "bin/rpcbench" {
			mode = 0o755
		}
		contents = append(contents, &files.Content{
			Source: at, Destination: "/usr/" + f.name, FileInfo: &files.ContentFileInfo{Mode: mode, MTime: r.date},
		})
	}
	return contents, nil
}
