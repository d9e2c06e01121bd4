package main

import (
	"bytes"
	"debug/buildinfo"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
)

// bill lists what a binary was built from, as Go wrote it into the binary, in CycloneDX's form.
func bill(r release, b binary, _ []file) ([]product, error) {
	info, err := buildinfo.Read(bytes.NewReader(b.program))
	if err != nil {
		return nil, err
	}
	about := cyclonedx.Component{
		BOMRef: "rpcbench", Type: cyclonedx.ComponentTypeApplication, Name: "rpcbench", Version: r.version,
		Licenses: &cyclonedx.Licenses{{License: &cyclonedx.License{ID: "Apache-2.0"}}},
	}
	parts := []cyclonedx.Component{component("std", info.GoVersion[len("go"):], "")}
	for _, m := range info.Deps {
		parts = append(parts, dependency(m))
	}
	var refs []string
	for _, p := range parts {
		refs = append(refs, p.BOMRef)
	}
	list := cyclonedx.NewBOM()
	list.Metadata = &cyclonedx.Metadata{Timestamp: r.date.Format(time.RFC3339), Component: &about}
	list.Components = &parts
	list.Dependencies = &[]cyclonedx.Dependency{{Ref: about.BOMRef, Dependencies: &refs}}
	var text bytes.Buffer
	if err := cyclonedx.NewBOMEncoder(&text, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(list); err != nil {
		return nil, err
	}
	return []product{{b.named(r, ".cdx.json"), text.Bytes()}}, nil
}

func dependency(m *debug.Module) cyclonedx.Component {
	if m.Replace != nil {
		m = m.Replace
	}
	return component(m.Path, m.Version, m.Sum)
}

func component(path, version, sum string) cyclonedx.Component {
	address := fmt.Sprintf("pkg:golang/%s@%s", path, version)
	c := cyclonedx.Component{
		BOMRef: address, Type: cyclonedx.ComponentTypeLibrary, Name: path, Version: version, PackageURL: address,
	}
	if sum != "" {
		c.Properties = &[]cyclonedx.Property{{Name: "go:sum", Value: sum}}
	}
	return c
}
