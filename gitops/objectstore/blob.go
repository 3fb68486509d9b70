package objectstore

import (
	"bytes"
	"context"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// File is one path of a commit, slash-separated from the top; nil Content removes the path.
type File struct {
	Path       string
	Content    []byte
	Executable bool
}

// Edit is a File whose content is stored: an entry to put, or with no hash to remove.
type Edit struct{ Path, Mode, Hash string }

// WriteFiles writes the contents as blobs, seen through the filters that dir has for the paths.
func (o *Store) WriteFiles(ctx context.Context, dir string, files []File) ([]Edit, error) {
	for _, f := range files {
		if err := layout.ValidPath(f.Path); err != nil {
			return nil, err
		}
	}
	// One question about the attributes of all paths replaces a process for each file.
	plain, err := o.unfiltered(ctx, dir, files)
	if err != nil {
		return nil, err
	}
	edits := make([]Edit, len(files))
	for i, f := range files {
		edits[i] = Edit{Path: f.Path, Mode: f.mode()}
		switch {
		case f.Content == nil:
		case plain[f.Path]:
			edits[i].Hash, err = o.Write(plumbing.BlobObject, f.Content)
		default:
			edits[i].Hash, err = o.hashObject(ctx, dir, f.Content, "--path="+f.Path)
		}
		if err != nil {
			return nil, err
		}
	}
	return edits, nil
}

func (f File) mode() string {
	if f.Executable {
		return ModeExecutable
	}
	return ModeFile
}

// unfiltered returns which of the files git would store byte for byte, so that they need no process each: line endings are
// only ever converted from CRLF, so without a CR only the attributes count.
func (o *Store) unfiltered(ctx context.Context, dir string, files []File) (map[string]bool, error) {
	plain, paths := map[string]bool{}, ""
	for _, f := range files {
		if f.Content != nil && !bytes.ContainsRune(f.Content, '\r') {
			plain[f.Path] = true
			paths += f.Path + "\x00"
		}
	}
	// Where git has to write the objects anyway, the filters are its concern.
	if !o.WritesHere() || len(plain) == 0 {
		return nil, nil
	}
	out, err := o.git.Run(ctx, gitexec.Call{Dir: dir, Stdin: []byte(paths), Args: []string{"check-attr", "-z", "--stdin", "filter", "ident", "working-tree-encoding"}})
	if err != nil {
		return nil, err
	}
	fields := gitexec.Records(out) // path, attribute, value
	for i := 0; i+2 < len(fields); i += 3 {
		// Any value could start a filter or change what is stored.
		if value := fields[i+2]; value != "unspecified" && value != "unset" {
			delete(plain, fields[i])
		}
	}
	return plain, nil
}

// hashObject stores content as a blob; how is "--no-filters" or "--path=".
func (o *Store) hashObject(ctx context.Context, dir string, content []byte, how string) (string, error) {
	out, err := o.git.Run(ctx, gitexec.Call{Dir: dir, Args: []string{"hash-object", "-w", "--stdin", how}, Stdin: content, Write: true})
	return strings.TrimSpace(string(out)), err
}

// WriteBlob stores content as it is, without a process where the format allows.
func (o *Store) WriteBlob(ctx context.Context, content []byte) (string, error) {
	if o.WritesHere() {
		return o.Write(plumbing.BlobObject, content)
	}
	return o.hashObject(ctx, o.site.Home, content, "--no-filters")
}
