package objectstore

import (
	"bytes"
	"context"
	"crypto/sha256"
	"path"
	"path/filepath"
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
	plain, err := o.plain(ctx, dir, files)
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

// GuessFiles is WriteFiles without asking git how it converts the files. The answer is right if git reads the same blobs
// from the files in a worktree. ok is false if there is nothing to ask, or nothing to guess.
func (o *Store) GuessFiles(dir string, files []File) (edits []Edit, ok bool, err error) {
	if !o.WritesHere() {
		return nil, false, nil
	}
	known := true
	for _, f := range files {
		if f.Content == nil || bytes.ContainsRune(f.Content, '\r') || layout.ValidPath(f.Path) != nil {
			return nil, false, nil
		}
		_, asked := o.attributes.Load(f.Path + "\x00" + o.attributeFiles(dir, f.Path))
		known = known && asked
	}
	if known {
		return nil, false, nil
	}
	for _, f := range files {
		hash, err := o.Write(plumbing.BlobObject, f.Content)
		if err != nil {
			return nil, false, err
		}
		edits = append(edits, Edit{Path: f.Path, Mode: f.mode(), Hash: hash})
	}
	return edits, true, nil
}

func (f File) mode() string {
	if f.Executable {
		return ModeExecutable
	}
	return ModeFile
}

// LearnAttributes asks git about the attributes of paths, for later calls of WriteFiles.
func (o *Store) LearnAttributes(ctx context.Context, dir string, paths []string) {
	files := make([]File, len(paths))
	for i, path := range paths {
		files[i] = File{Path: path, Content: []byte{}}
	}
	_, _ = o.plain(ctx, dir, files) // an error is not kept
}

// plain returns which of the files git would store byte for byte, so that they need no process each: line endings are
// only ever converted from CRLF, so without a CR only the attributes count. Git is asked about them once for each path
// and each state of the files of attributes.
func (o *Store) plain(ctx context.Context, dir string, files []File) (map[string]bool, error) {
	plain := map[string]bool{}
	if !o.WritesHere() {
		return plain, nil
	}
	states, unknown := map[string]string{}, []string(nil)
	for _, f := range files {
		if f.Content == nil || bytes.ContainsRune(f.Content, '\r') {
			continue
		}
		state := f.Path + "\x00" + o.attributeFiles(dir, f.Path)
		if known, ok := o.attributes.Load(state); ok {
			plain[f.Path] = known.(bool)
			continue
		}
		states[f.Path] = state
		unknown = append(unknown, f.Path)
	}
	if len(unknown) == 0 {
		return plain, nil
	}
	asked, err := o.withoutFilters(ctx, dir, unknown)
	for path, state := range states {
		plain[path] = asked[path]
		if err == nil {
			o.attributes.Store(state, asked[path])
		}
	}
	return plain, err
}

// withoutFilters asks git which of these paths have no attribute that changes what is stored.
func (o *Store) withoutFilters(ctx context.Context, dir string, paths []string) (map[string]bool, error) {
	out, err := o.git.Run(ctx, gitexec.Call{Dir: dir, Stdin: []byte(strings.Join(paths, "\x00") + "\x00"),
		Args: []string{"check-attr", "-z", "--stdin", "filter", "ident", "working-tree-encoding"}})
	if err != nil {
		return nil, err
	}
	plain := map[string]bool{}
	for _, path := range paths {
		plain[path] = true
	}
	fields := gitexec.Records(out) // path, attribute, value
	for i := 0; i+2 < len(fields); i += 3 {
		if value := fields[i+2]; value != "unspecified" && value != "unset" {
			delete(plain, fields[i])
		}
	}
	return plain, nil
}

// attributeFiles returns a digest of the files of attributes that people change for a path: those beside it and
// above it, and the repository's own.
func (o *Store) attributeFiles(dir, name string) string {
	files := []string{filepath.Join(o.site.Common, "info", "attributes")}
	for at := path.Dir(name); ; at = path.Dir(at) {
		files = append(files, filepath.Join(dir, filepath.FromSlash(at), ".gitattributes"))
		if at == "." || at == "/" {
			break
		}
	}
	all := sha256.New()
	for _, file := range files {
		if text, err := layout.ReadPlain(file); err == nil {
			all.Write(text)
		}
		all.Write([]byte{0})
	}
	return string(all.Sum(nil))
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
