package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"errors"
	"time"
)

// An entry is a file of an archive or of an image's file system, owned by root unless it says else.
type entry struct {
	name    string
	mode    int64
	owner   int
	content []byte // nil is a folder
}

// archives makes the archive of a platform: a zip for Windows, else a tar; with the program, bin, and share.
func archives(r release, b binary, shared []file) ([]product, error) {
	folder := b.named(r, "")
	entries := []entry{{folder + "/bin/" + b.fileName(), 0o755, 0, b.program}}
	for _, f := range shared {
		entries = append(entries, entry{folder + "/share/" + f.name, 0o644, 0, f.content})
	}
	if b.system == "windows" {
		packed, err := zipOf(entries, r.date)
		return []product{{b.named(r, ".zip"), packed}}, err
	}
	plain, err := tarOf(entries, r.date)
	if err != nil {
		return nil, err
	}
	packed, err := zipped(plain)
	return []product{{b.named(r, ".tar.gz"), packed}}, err
}

func tarOf(entries []entry, date time.Time) ([]byte, error) {
	var packed bytes.Buffer
	out := tar.NewWriter(&packed)
	for _, e := range entries {
		head := &tar.Header{
			Typeflag: tar.TypeReg, Name: e.name, Mode: e.mode, Uid: e.owner, Gid: e.owner, Size: int64(len(e.content)),
			ModTime: date.Truncate(time.Second), Format: tar.FormatPAX,
		}
		if e.content == nil {
			head.Typeflag, head.Name = tar.TypeDir, e.name+"/"
		}
		if err := out.WriteHeader(head); err != nil {
			return nil, err
		}
		if _, err := out.Write(e.content); err != nil {
			return nil, err
		}
	}
	err := out.Close()
	return packed.Bytes(), err
}

func zipOf(entries []entry, date time.Time) ([]byte, error) {
	var packed bytes.Buffer
	out := zip.NewWriter(&packed)
	for _, e := range entries {
		w, err := out.CreateHeader(&zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: date})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(e.content); err != nil {
			return nil, errors.Join(err, out.Close())
		}
	}
	err := out.Close()
	return packed.Bytes(), err
}
