package main

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"os"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// nobody is the user of the image: a number, so that Kubernetes sees that it is not root.
const nobody = 65532

// image makes an image without a base: the program, certificates of authorities, a user, a folder for results.
func image(r release, b binary, _ []file) ([]product, error) {
	if b.system != "linux" || b.processor != "amd64" && b.processor != "arm64" {
		return nil, nil
	}
	plain, err := tarOf(fileSystem(b.program), r.date)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(plain)), nil },
		tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	made, err := mutate.AppendLayers(mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1),
		types.OCIConfigJSON), layer)
	if err != nil {
		return nil, err
	}
	made, err = mutate.ConfigFile(made, config(r, b, made))
	if err != nil {
		return nil, err
	}
	packed, err := pack(made, r)
	return []product{{b.named(r, ".oci.tar"), packed}}, err
}

// config is what the image says of itself. Results are written to /work, which can be a folder of the host's.
func config(r release, b binary, made v1.Image) *v1.ConfigFile {
	known, err := made.ConfigFile()
	if err != nil {
		panic(err) // it was made here
	}
	c := known.DeepCopy()
	c.OS, c.Architecture, c.Created = "linux", b.processor, v1.Time{Time: r.date}
	c.Author = "rpcbench"
	for i := range c.History {
		c.History[i] = v1.History{Created: v1.Time{Time: r.date}, CreatedBy: "rpcbench " + r.version}
	}
	c.Config = v1.Config{
		Entrypoint: []string{"/usr/bin/rpcbench"}, WorkingDir: "/work", User: "65532:65532",
		Env: []string{"PATH=/usr/bin", "HOME=/work"},
		Labels: map[string]string{
			"org.opencontainers.image.title":    "rpcbench",
			"org.opencontainers.image.version":  r.version,
			"org.opencontainers.image.licenses": "Apache-2.0",
		},
	}
	return c
}

func fileSystem(program []byte) []entry {
	return []entry{
		{"etc", 0o755, 0, nil},
		{"etc/passwd", 0o644, 0, []byte("root:x:0:0:root:/:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/work:/sbin/nologin\n")},
		{"etc/group", 0o644, 0, []byte("root:x:0:\nnonroot:x:65532:\n")},
		{"etc/ssl", 0o755, 0, nil},
		{"etc/ssl/certs", 0o755, 0, nil},
		{"etc/ssl/certs/ca-certificates.crt", 0o644, 0, authorities()},
		{"tmp", 0o1777, 0, nil},
		{"usr", 0o755, 0, nil},
		{"usr/bin", 0o755, 0, nil},
		{"usr/bin/rpcbench", 0o755, 0, program},
		{"work", 0o755, nobody, nil},
	}
}

// authorities are those that Mozilla trusts without conditions, which a file of certificates can't state.
func authorities() []byte {
	var text bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			_ = pem.Encode(&text, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // a buffer takes all
		}
	}
	return text.Bytes()
}

// pack makes a tar of the image in OCI's layout, with the list by which older versions of Docker load it too.
func pack(made v1.Image, r release) ([]byte, error) {
	folder, err := os.MkdirTemp("", "rpcbench-image-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // of the system's temporary ones
	name := "rpcbench:" + r.version
	path, err := layout.Write(folder, empty.Index)
	if err != nil {
		return nil, err
	}
	err = path.AppendImage(made, layout.WithAnnotations(map[string]string{
		"org.opencontainers.image.ref.name": r.version, "io.containerd.image.name": "localhost/" + name,
	}))
	if err != nil {
		return nil, err
	}
	list, err := loadList(made, name)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(folder, "manifest.json"), list, 0o644); err != nil {
		return nil, err
	}
	entries, err := entriesOf(folder)
	if err != nil {
		return nil, err
	}
	return tarOf(entries, r.date)
}

func loadList(made v1.Image, name string) ([]byte, error) {
	config, err := made.ConfigName()
	if err != nil {
		return nil, err
	}
	layers, err := made.Layers()
	if err != nil {
		return nil, err
	}
	var blobs []string
	for _, l := range layers {
		digest, err := l.Digest()
		if err != nil {
			return nil, err
		}
		blobs = append(blobs, "blobs/sha256/"+digest.Hex)
	}
	return json.Marshal([]map[string]any{
		{"Config": "blobs/sha256/" + config.Hex, "RepoTags": []string{name}, "Layers": blobs},
	})
}

// entriesOf returns all below a folder, in the order of names.
func entriesOf(folder string) ([]entry, error) {
	var entries []entry
	err := filepath.WalkDir(folder, func(at string, e os.DirEntry, err error) error {
		if err != nil || at == folder {
			return err
		}
		name, err := filepath.Rel(folder, at)
		if err != nil {
			return err
		}
		if e.IsDir() {
			entries = append(entries, entry{filepath.ToSlash(name), 0o755, 0, nil})
			return nil
		}
		content, err := os.ReadFile(at) //nolint:gosec // in a folder of its own
		entries = append(entries, entry{filepath.ToSlash(name), 0o644, 0, content})
		return errors.Join(err)
	})
	return entries, err
}
