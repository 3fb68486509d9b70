package gitops

import (
	"bytes"
	"context"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// manyFiles is the number of files from which one look at their attributes is cheaper
// than a process for each.
const manyFiles = 3

// File is one path of a commit, slash-separated from the top; nil Content removes the path.
type File struct {
	Path       string
	Content    []byte
	Executable bool
}

// edit is a File whose content is stored: an entry to put, or with no hash to remove.
type edit struct{ path, mode, hash string }

// store writes the contents as blobs, seen through the filters that dir has for the paths.
func (r *Repo) store(ctx context.Context, dir string, files []File) ([]edit, error) {
	for _, f := range files {
		if err := layout.ValidPath(f.Path); err != nil {
			return nil, err
		}
	}
	plain, err := r.plain(ctx, dir, files)
	if err != nil {
		return nil, err
	}
	edits := make([]edit, len(files))
	for i, f := range files {
		edits[i] = edit{path: f.Path, mode: modeFile}
		if f.Executable {
			edits[i].mode = modeExecutable
		}
		switch {
		case f.Content == nil:
		case plain[f.Path]:
			edits[i].hash, err = r.objects.write(plumbing.BlobObject, f.Content)
		default:
			edits[i].hash, err = r.hashObject(ctx, dir, f.Content, "--path="+f.Path)
		}
		if err != nil {
			return nil, err
		}
	}
	return edits, nil
}

// plain tells which of many files git would store byte for byte, so that they need no
// process each. Line endings are only ever converted from CRLF, so without a CR it is the
// attributes that say it all.
func (r *Repo) plain(ctx context.Context, dir string, files []File) (map[string]bool, error) {
	if len(files) < manyFiles || !r.writesHere() {
		return nil, nil
	}
	plain := map[string]bool{}
	var paths bytes.Buffer
	for _, f := range files {
		if f.Content != nil && !bytes.ContainsRune(f.Content, '\r') {
			plain[f.Path] = true
			paths.WriteString(f.Path + "\x00")
		}
	}
	out, err := r.git.Run(ctx, gitexec.Call{Dir: dir, Stdin: paths.Bytes(),
		Args: []string{"check-attr", "-z", "--stdin", "filter", "ident", "working-tree-encoding"}})
	if err != nil {
		return nil, err
	}
	fields := gitexec.Records(out) // path, attribute, value
	for i := 0; i+2 < len(fields); i += 3 {
		if value := fields[i+2]; value != "unspecified" && value != "unset" {
			delete(plain, fields[i])
		}
	}
	return plain, nil
}

// hashObject stores content as a blob; how is "--no-filters" or "--path=".
func (r *Repo) hashObject(ctx context.Context, dir string, content []byte, how string) (string, error) {
	out, err := r.git.Run(ctx, gitexec.Call{Dir: dir, Args: []string{"hash-object", "-w", "--stdin", how}, Stdin: content, Write: true})
	return strings.TrimSpace(string(out)), err
}

// writeBlob stores content as it is, without a process where the format allows.
func (r *Repo) writeBlob(ctx context.Context, content []byte) (string, error) {
	if r.writesHere() {
		return r.objects.write(plumbing.BlobObject, content)
	}
	return r.hashObject(ctx, r.site.Home, content, "--no-filters")
}
