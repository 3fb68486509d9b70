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

// packer compresses outlines one after the other: to begin anew costs more than a small outline does.
type packer struct {
	out bytes.Buffer
	w   *flate.Writer
}

// pack returns an outline as it is stored.
func (p *packer) pack(o outline.Outline) ([]byte, error) {
	p.out.Reset()
	if p.w == nil {
		w, err := flate.NewWriter(&p.out, flate.BestSpeed)
		if err != nil {
			return nil, err
		}
		p.w = w
	} else {
		p.w.Reset(&p.out)
	}
	if _, err := p.w.Write(o.Bytes()); err != nil {
		return nil, err
	}
	if err := p.w.Close(); err != nil {
		return nil, err
	}
	return bytes.Clone(p.out.Bytes()), nil
}

// mostOutline is how large an outline may be.
const mostOutline = 64 << 20

// unpacker reads what a packer has made.
type unpacker struct {
	in  bytes.Reader
	out bytes.Buffer
	r   io.ReadCloser
}

func (u *unpacker) unpack(data []byte) (outline.Outline, bool) {
	u.in.Reset(data)
	u.out.Reset()
	if u.r == nil {
		u.r = flate.NewReader(&u.in)
	} else if err := u.r.(flate.Resetter).Reset(&u.in, nil); err != nil {
		return outline.Outline{}, false
	}
	if _, err := u.out.ReadFrom(io.LimitReader(u.r, mostOutline)); err != nil {
		return outline.Outline{}, false
	}
	return outline.Open(u.out.Bytes())
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
	s.shelf.load(ctx, s.outlines, names)
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

// load reads stored outlines into a map.
func (s *Shelf) load(ctx context.Context, into map[string]outline.Outline, names []string) {
	if len(names) == 0 {
		return
	}
	x := s.Open(ctx)
	defer x.Close()
	x.View(ctx, func(v *index.View) {
		var packed unpacker
		values, _ := v.Values(outlines, names...)
		for name, data := range values {
			if o, ok := packed.unpack(data); ok {
				into[name] = o
			}
		}
	})
}

// stored returns the outlines of files as Outlines does, without keeping them.
func (s *Snapshot) stored(ctx context.Context, files []corpus.File) []outline.Outline {
	known, names := map[string]outline.Outline{}, make([]string, len(files))
	for i, f := range files {
		names[i] = outlineName(f)
	}
	s.shelf.load(ctx, known, names)
	list := make([]outline.Outline, len(files))
	for i, name := range names {
		o, ok := known[name]
		if !ok {
			o = s.again(ctx, files[i])
		}
		list[i] = o
	}
	return list
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
