// Package manifest finds the workers of other languages: each has a small file next to its build that says how to start it
// and which stacks it hosts.
//
//	name: grpc-java
//	command: [./worker]       # a path is relative to the file's folder, a word without one is looked up as a shell does
//	runtime: jvm              # then options for the JVM are appended to the command; left out for everything else
//	least_warmup: 8s
//	stacks: [grpc-java-netty, grpc-java-okhttp]
//	environment: [LD_LIBRARY_PATH]  # variables that it gets besides the usual ones
//
// Nothing is started here. What a stack supports is in the worker's Hello, not in the manifest. Nothing is ignored: an
// unknown key, an invalid value and a stack that two workers claim are each an error with its place.
package manifest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// RuntimeJVM is the runtime that takes options for a JVM.
const RuntimeJVM = "jvm"

// FileName is the name of a manifest.
const FileName = "worker.yaml"

// A Worker is the content of a manifest.
type Worker struct {
	Name        string
	Path        string   // of the manifest
	Command     []string // to be started with, the program's path resolved
	Runtime     string   // RuntimeJVM or empty
	LeastWarmup time.Duration
	Stacks      []string // at least one
	Environment []string // names of variables that it gets besides the usual ones
}

// JVM reports whether the worker takes options for a JVM.
func (w Worker) JVM() bool { return w.Runtime == RuntimeJVM }

func (w Worker) String() string { return fmt.Sprintf("the worker %s (%s)", w.Name, w.Path) }

// Find reads the manifests in the folders themselves and in the folders directly in them, in the order of their paths. Without
// any it returns none. Two workers that claim one name or one stack are an error that names both.
func Find(folders ...string) ([]Worker, error) {
	var workers []Worker
	var paths []string
	for _, folder := range folders {
		found, err := candidates(folder)
		if err != nil {
			return nil, err
		}
		paths = append(paths, found...)
	}
	for _, path := range paths {
		worker, err := Read(path)
		if err != nil {
			return nil, err
		}
		if err := distinct(workers, worker); err != nil {
			return nil, err
		}
		workers = append(workers, worker)
	}
	return workers, nil
}

// candidates lists the manifests that are there.
func candidates(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for workers: %w", err)
	}
	paths := []string{filepath.Join(folder, FileName)}
	for _, entry := range entries {
		paths = append(paths, filepath.Join(folder, entry.Name(), FileName))
	}
	return slices.DeleteFunc(paths, func(path string) bool {
		info, err := os.Stat(path)
		return err != nil || info.IsDir()
	}), nil
}

// distinct refuses a name or a stack that another worker has already.
func distinct(workers []Worker, next Worker) error {
	for _, other := range workers {
		if other.Name == next.Name {
			return fmt.Errorf("%s and %s are both named %s", other.Path, next.Path, next.Name)
		}
		for _, stack := range next.Stacks {
			if slices.Contains(other.Stacks, stack) {
				return fmt.Errorf("%s and %s both claim the stack %s", other, next, stack)
			}
		}
	}
	return nil
}
