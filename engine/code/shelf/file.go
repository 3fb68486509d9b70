package shelf

import (
	"bytes"
	"compress/flate"
	"context"
	"io"
	"os"
	"path/filepath"

	"chant/engine/code/corpus"
	"chant/engine/code/outline"
	"chant/engine/index"
	"chant/gitops"
)

// read returns the content that a manifest says a file has, or why it cannot be read: from disk, or from git where the
// file on disk has other bytes, because of filters or because it has been changed since.
func read(ctx context.Context, repo *gitops.Repo, root string, f corpus.File, long bool) (text []byte, why string) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f.Path)))
	if err == nil && gitops.BlobName(text, long) == f.Hash {
		return text, ""
	}
	if stored, blobErr := repo.ReadBlob(ctx, f.Hash); blobErr == nil {
		return stored, ""
	}
	if err != nil {
		return nil, "cannot be read"
	}
	return nil, "was changed while it was read"
}

// outlineName is the name of the outline of a file. The content of a script says its language if its name does not.
func outlineName(f corpus.File) string { return f.Hash + ":" + outline.Language(f.Path, nil) }

// pack returns an outline as it is stored.
func pack(o outline.Outline) []byte {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestSpeed)
	if err != nil { // the level is a constant
		return nil
	}
	_, _ = w.Write(o.Bytes()) // a buffer takes all
	_ = w.Close()
	return out.Bytes()
}

// mostOutline is how large an outline may be.
const mostOutline = 64 << 20

func unpack(data []byte) (outline.Outline, bool) {
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), mostOutline))
	if err != nil {
		return outline.Outline{}, false
	}
	return outline.Open(text)
}

// Text returns the content of a file of the snapshot, or why it cannot be read.
func (s *Snapshot) Text(ctx context.Context, f corpus.File) (text []byte, why string) {
	return read(ctx, s.shelf.Repo, s.Manifest.Root, f, len(f.Hash) > 40)
}

// Outlines returns the outlines of files, in their order; an empty one for a file that cannot be read.
func (s *Snapshot) Outlines(ctx context.Context, files []corpus.File) []outline.Outline {
	list := make([]outline.Outline, len(files))
	var names []string
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range files {
		if _, ok := s.outlines[outlineName(f)]; !ok {
			names = append(names, outlineName(f))
		}
	}
	s.load(ctx, names)
	for i, f := range files {
		o, ok := s.outlines[outlineName(f)]
		if !ok {
			o = s.again(ctx, f)
			s.outlines[outlineName(f)] = o
		}
		list[i] = o
	}
	return list
}

// load reads stored outlines.
func (s *Snapshot) load(ctx context.Context, names []string) {
	if len(names) == 0 {
		return
	}
	x := s.shelf.Open(ctx)
	defer x.Close()
	x.View(ctx, func(v *index.View) {
		values, _ := v.Values(outlines, names...)
		for name, data := range values {
			if o, ok := unpack(data); ok {
				s.outlines[name] = o
			}
		}
	})
}

// again divides a file whose outline is not stored, because nothing can be.
func (s *Snapshot) again(ctx context.Context, f corpus.File) outline.Outline {
	text, why := s.Text(ctx, f)
	if why != "" {
		return outline.Outline{}
	}
	o, err := divide(ctx, corpus.Rules{}, f.Path, text)
	if err != nil {
		return outline.Outline{}
	}
	return o
}
