package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"rpcbench/internal/cli"
)

// A file is one that comes with the program.
type file struct {
	name    string // below share, with slashes
	content []byte
}

// documentsOf returns the manual pages and the completions of shells, where Unix has them.
func documentsOf(r release) ([]file, error) {
	root := cli.Tree()
	root.DisableAutoGenTag = true
	files, err := completions()
	if err != nil {
		return nil, err
	}
	pages, err := pages(root, r)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		content, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			return nil, err
		}
		files = append(files, file{"doc/rpcbench/" + name, content})
	}
	return append(files, pages...), nil
}

func completions() ([]file, error) {
	var files []file
	for _, script := range []struct{ shell, name string }{
		{"bash", "bash-completion/completions/rpcbench"},
		{"zsh", "zsh/site-functions/_rpcbench"},
		{"fish", "fish/vendor_completions.d/rpcbench.fish"},
	} {
		var text bytes.Buffer
		if err := cli.Completion(script.shell, &text); err != nil {
			return nil, err
		}
		files = append(files, file{script.name, text.Bytes()})
	}
	return files, nil
}

// pages returns a page for every command that help lists.
func pages(command *cobra.Command, r release) ([]file, error) {
	name := strings.ReplaceAll(command.CommandPath(), " ", "-")
	var page bytes.Buffer
	head := &doc.GenManHeader{
		Title: strings.ToUpper(name), Section: "1", Date: &r.date, Source: "rpcbench " + r.version, Manual: "rpcbench",
	}
	if err := doc.GenMan(command, head, &page); err != nil {
		return nil, err
	}
	packed, err := zipped(withoutEmpty(page.Bytes()))
	if err != nil {
		return nil, err
	}
	files := []file{{"man/man1/" + name + ".1.gz", packed}}
	for _, below := range command.Commands() {
		if !below.IsAvailableCommand() {
			continue
		}
		more, err := pages(below, r)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	return files, nil
}

// withoutEmpty leaves out defaults that say nothing: --out="".
func withoutEmpty(page []byte) []byte {
	return bytes.ReplaceAll(bytes.ReplaceAll(page, []byte(`=""`), nil), []byte("=[]"), nil)
}

// zipped compresses by gzip, without a time.
func zipped(content []byte) ([]byte, error) {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	err = w.Close()
	return packed.Bytes(), err
}

// writeAll writes files below a folder's share.
func writeAll(folder string, files []file) error {
	for _, f := range files {
		path := filepath.Join(folder, "share", filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
