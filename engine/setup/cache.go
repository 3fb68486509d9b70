package setup

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"

	"chant/engine"
	"chant/engine/evidence/sandbox"
	"chant/gitops/rootdir"
)

// CacheInput says whether to clear the caches.
type CacheInput struct {
	Clear bool `json:"clear,omitempty" jsonschema:"Remove them"`
}

// CacheFolder is a folder in which chant keeps what it can make again.
type CacheFolder struct {
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
}

// CacheResult lists the caches, or those that were removed.
type CacheResult struct {
	Folders []CacheFolder `json:"folders"`
	Bytes   int64         `json:"bytes"`
	Cleared bool          `json:"cleared,omitempty"`
}

// Cache lists what chant keeps on this machine outside of repositories: trees and caches of criteria and agents, and tables of models.
// All of it is made again when it is needed. It needs no project.
func Cache(_ context.Context, environ []string, in CacheInput) (CacheResult, error) {
	r := CacheResult{Folders: []CacheFolder{}, Cleared: in.Clear}
	for _, f := range cacheFolders(environ) {
		f.Bytes = sizeOf(f.Path)
		if in.Clear {
			// Tools write folders without the right to write, such as Go's modules.
			if err := rootdir.Remove(f.Path); err != nil {
				return r, engine.Wrap(err, "")
			}
		}
		r.Folders, r.Bytes = append(r.Folders, f), r.Bytes+f.Bytes
	}
	return r, nil
}

// cacheFolders lists what is in chant's folders for caches, without sizes.
func cacheFolders(environ []string) (out []CacheFolder) {
	seen := map[string]bool{}
	for _, top := range sandbox.CacheTops(environ) {
		entries, _ := os.ReadDir(top)
		for _, e := range entries {
			if path := filepath.Join(top, e.Name()); !seen[path] {
				seen[path] = true
				out = append(out, CacheFolder{Path: path})
			}
		}
	}
	return out
}

// sizeOf returns the bytes of the files in a folder, as far as they can be read.
func sizeOf(path string) (sum int64) {
	_ = filepath.WalkDir(path, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // another process may be removing it
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			sum += info.Size()
		}
		return nil
	})
	return sum
}
