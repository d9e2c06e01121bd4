package cluster

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
)

// pauseSource is what holds the namespaces of a Pod: it waits until it is ended.
const pauseSource = `package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	<-ended
}
`

// pause makes the image that containerd wants for every Pod, and which it would get from a registry.
func (c *cluster) pause() (file string, err error) {
	source := c.file("pause.go")
	if err := os.WriteFile(source, []byte(pauseSource), 0o600); err != nil {
		return "", err
	}
	build := exec.Command("go", "build", "-ldflags", "-s -w", "-o", c.file("pause"), source)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("pause: %w: %s", err, said)
	}
	binary, err := os.ReadFile(c.file("pause"))
	if err != nil {
		return "", err
	}
	layer := archive(map[string][]byte{"pause": binary})
	config, err := json.Marshal(map[string]any{
		"architecture": runtime.GOARCH, "os": "linux", "config": map[string]any{"Entrypoint": []string{"/pause"}},
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256(layer))}},
	})
	if err != nil {
		return "", err
	}
	list := `[{"Config": "config.json", "RepoTags": ["localhost/pause:1"], "Layers": ["layer.tar"]}]`
	file = c.file("pause.tar")
	return file, os.WriteFile(file, archive(map[string][]byte{
		"config.json": config, "layer.tar": layer, "manifest.json": []byte(list),
	}), 0o600)
}

func archive(files map[string][]byte) []byte {
	var packed bytes.Buffer
	w := tar.NewWriter(&packed) // whose errors a buffer has none of
	for name, content := range files {
		_ = w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(content))})
		_, _ = w.Write(content)
	}
	_ = w.Close()
	return packed.Bytes()
}
