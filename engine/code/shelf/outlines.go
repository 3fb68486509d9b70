package shelf

import (
	"bytes"
	"compress/flate"
	"context"
	"io"
	"sync"

	"chant/engine/code/chunk"

	"chant/engine/code/outline"
	"chant/engine/store/index"
)

// outlineName is the name of the outline of a file. The content of a script says its language if its name does not.
func outlineName(f File) string { return f.Hash + ":" + outline.Language(f.Path, nil) }

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
	// The buffer is used for the next outline.
	return bytes.Clone(p.out.Bytes()), nil
}

// maxOutline limits the bytes of an outline.
const maxOutline = 64 << 20

// unpacker reads what a packer has made.
type unpacker struct {
	in  bytes.Reader
	out bytes.Buffer
	r   io.ReadCloser
}

// unpackers has those that no search uses. To make one takes longer than to unpack an outline.
var unpackers sync.Pool

func takeUnpacker() *unpacker {
	if u, ok := unpackers.Get().(*unpacker); ok {
		return u
	}
	return &unpacker{}
}

func (u *unpacker) giveBack() {
	const maxKept = 1 << 20
	// A buffer that one huge outline has filled is not kept.
	if u.in.Reset(nil); u.out.Cap() <= maxKept {
		unpackers.Put(u)
	}
}

// bytes returns the bytes of an outline, until the next call.
func (u *unpacker) bytes(data []byte) ([]byte, bool) {
	u.in.Reset(data)
	u.out.Reset()
	if u.r == nil {
		u.r = flate.NewReader(&u.in)
	} else if err := u.r.(flate.Resetter).Reset(&u.in, nil); err != nil {
		return nil, false
	}
	// Broken data could unpack to any size.
	_, err := u.out.ReadFrom(io.LimitReader(u.r, maxOutline))
	return u.out.Bytes(), err == nil
}

func (u *unpacker) unpack(data []byte) (outline.Outline, bool) {
	text, ok := u.bytes(data)
	if !ok {
		return outline.Outline{}, false
	}
	return outline.Open(text)
}

// Outlines returns the outlines of files, in their order; an empty one for a file that cannot be read.
func (s *Snapshot) Outlines(ctx context.Context, files []File) []outline.Outline {
	known, names := map[string]outline.Outline{}, make([]string, len(files))
	for i, f := range files {
		names[i] = outlineName(f)
	}
	s.shelf.load(ctx, names, func(u *unpacker, name string, data []byte) {
		if o, ok := u.unpack(data); ok {
			known[name] = o
		}
	})
	list := make([]outline.Outline, len(files))
	for i, name := range names {
		o, ok := known[name]
		if !ok {
			o = s.divideAgain(ctx, files[i])
		}
		list[i] = o
	}
	return list
}

// load calls a function for each stored outline with one of the names.
func (s *Shelf) load(ctx context.Context, names []string, use func(u *unpacker, name string, data []byte)) {
	if len(names) == 0 {
		return
	}
	x := s.Open(ctx)
	defer x.Close()
	x.View(ctx, func(v *index.View) {
		u := takeUnpacker()
		defer u.giveBack()
		values, _ := v.Values(outlines, names...)
		for name, data := range values {
			use(u, name, data)
		}
	})
}

// Wanted names a chunk by its file and its number in the outline of that.
type Wanted struct {
	File  File
	Chunk int
}

// Piece is a chunk with the language of its file.
type Piece struct {
	chunk.Chunk
	Language string
}

// Pieces returns chunks in their order; nil for one that cannot be read. Less is read, and nothing is kept, than for
// whole outlines.
func (s *Snapshot) Pieces(ctx context.Context, wanted []Wanted) []*Piece {
	list, of := make([]*Piece, len(wanted)), make(map[string][]int, len(wanted))
	for i, w := range wanted {
		name := outlineName(w.File)
		of[name] = append(of[name], i)
	}
	read := func(name string, text []byte) {
		for _, i := range of[name] {
			if language, c, ok := outline.OpenChunk(text, wanted[i].Chunk); ok {
				list[i] = &Piece{c, language}
			}
		}
	}
	var names []string
	for name := range of {
		// Questions in a row are often about the same files.
		if text := s.shelf.recent.get(name); text != nil {
			read(name, text)
		} else {
			names = append(names, name)
		}
	}
	s.shelf.load(ctx, names, func(u *unpacker, name string, data []byte) {
		if text, ok := u.bytes(data); ok {
			read(name, text)
			s.shelf.recent.add(name, text)
		}
	})
	for i, w := range wanted {
		// The outline could not be stored, for instance on a read-only disk.
		if list[i] == nil {
			if o := s.divideAgain(ctx, w.File); w.Chunk < len(o.Chunks) {
				list[i] = &Piece{o.Chunks[w.Chunk], o.Language}
			}
		}
	}
	return list
}

// divideAgain divides a file whose outline is not stored, because nothing can be. It does so once for a snapshot.
func (s *Snapshot) divideAgain(ctx context.Context, f File) outline.Outline {
	name := outlineName(f)
	s.mu.Lock()
	o, ok := s.divided[name]
	s.mu.Unlock()
	if ok {
		return o
	}
	text, why := s.Text(ctx, f)
	if why != "" {
		return outline.Outline{}
	}
	o, err := divide(ctx, Rules{}, f.Path, text)
	if err != nil {
		return outline.Outline{}
	}
	// The lock is not held while a file is divided; at worst it is divided twice.
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.divided == nil {
		s.divided = map[string]outline.Outline{}
	}
	s.divided[name] = o
	return o
}
