package shelf

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"path/filepath"
	"strings"
	"sync"

	"chant/engine/code/chunk"

	"chant/engine/code/embed"
	"chant/engine/store/index"
	"chant/engine/store/record"
	"chant/gitops/lockfile"
)

// embedded is the kind of the vectors of units that an embedder has made which is not the model of the repository: the
// embedder's ID, and one packed vector for each chunk, of zeros where a chunk has none.
const embedded = "code-embedded 1"

const (
	embeddedAtOnce = 256  // chunks whose vectors are asked for, and stored, together
	maxEmbedded    = 6000 // bytes of a chunk that are embedded, about 1,500 tokens
)

// Embedding says how the vectors of chunks are made that have none yet.
type Embedding struct {
	Embedder embed.Embedder
	Max      int                                // chunks that get vectors now; 0 = all, after other processes have made theirs
	Anew     bool                               // make those that there are, too
	Progress func(done, total int, file string) // of files; may be nil
}

// Embedded returns what compares meanings by the vectors of an embedder, and how many chunks still have none. Vectors
// that were made are kept even if others fail. Errors: those of the embedder and of the context.
func (s *Snapshot) Embedded(ctx context.Context, e Embedding) (m *Meaning, missing int, err error) {
	id := e.Embedder.ID()
	s.mu.Lock()
	m, known := s.others[id]
	s.mu.Unlock()
	if known && !e.Anew {
		return m, 0, nil
	}
	files := s.code()
	rows := s.shelf.readVectors(ctx, id, files)
	// A search makes a few vectors at most; the rest is left to chant index.
	if missing = countLacking(rows); e.Anew || missing > 0 && (e.Max == 0 || missing <= e.Max) {
		rows, err = s.embed(ctx, e, files)
		missing = countLacking(rows)
	}
	m = s.meaningOf(files, rows)
	// An incomplete result is not kept: the next question may find more.
	if missing == 0 && err == nil {
		s.mu.Lock()
		s.others = map[string]*Meaning{id: m}
		s.mu.Unlock()
	}
	return m, missing, err
}

// codeFile is a file of code with how many chunks it has.
type codeFile struct {
	File
	chunks int
}

// code lists the files that have code, each once.
func (s *Snapshot) code() []codeFile {
	at := map[int32]int{}
	var list []codeFile
	for n, part := range s.Parts {
		for i, d := range part.Docs {
			file := s.live[n][i]
			if file < 0 || d.Docs || d.Empty {
				continue
			}
			k, ok := at[file]
			if !ok {
				k = len(list)
				at[file], list = k, append(list, codeFile{File: s.Manifest.Files[file]})
			}
			list[k].chunks = max(list[k].chunks, d.Chunk+1)
		}
	}
	return list
}

// embeddedName is the name of the vectors of a file.
func embeddedName(f File) string {
	unit := f.Unit()
	return hex.EncodeToString(unit[:])
}

// vectorRows are the packed vectors of a file's chunks.
type vectorRows struct {
	chunks int
	rows   []byte // nil if they were not made yet
}

func countLacking(list []vectorRows) int {
	n := 0
	for _, r := range list {
		if r.rows == nil {
			n += r.chunks
		}
	}
	return n
}

// readVectors reads the vectors of an embedder, in the order of the files.
func (s *Shelf) readVectors(ctx context.Context, id string, files []codeFile) []vectorRows {
	list, names := make([]vectorRows, len(files)), make([]string, len(files))
	for i, f := range files {
		names[i], list[i].chunks = embeddedName(f.File), f.chunks
	}
	x := s.Open(ctx)
	defer x.Close()
	x.View(ctx, func(v *index.View) {
		values, _ := v.Values(embedded, names...)
		for i, name := range names {
			r := record.Read(values[name])
			if string(r.Text()) != id || r.Failed() {
				continue
			}
			// Rows of another number of chunks belong to another division of the file.
			if rows := r.Rest(); len(rows) > 0 && len(rows)%files[i].chunks == 0 {
				list[i].rows = rows
			}
		}
	})
	return list
}

// embed makes the vectors that are missing, one process after the other.
func (s *Snapshot) embed(ctx context.Context, e Embedding, files []codeFile) (list []vectorRows, err error) {
	path := filepath.Join(s.shelf.Repo.CommonDir(), "chant", "code-vectors.lock")
	var lock *lockfile.Lock
	// A search does not wait for another process that makes vectors; indexing does.
	if e.Max > 0 {
		lock, err = lockfile.Acquire(path, "embed code")
	} else {
		lock, err = lockfile.AcquireWait(ctx, path, "embed code")
	}
	// Another process may have made them while this one waited for the lock.
	list = s.shelf.readVectors(ctx, e.Embedder.ID(), files)
	if _, held := errors.AsType[*lockfile.HeldError](err); held && ctx.Err() == nil {
		// Another process makes them now.
		return list, nil
	}
	if err != nil {
		return list, err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	w := embedding{shot: s, Embedding: e, files: files, list: list}
	for i := range files {
		if list[i].rows == nil || e.Anew {
			if err := w.add(ctx, i); err != nil {
				return list, err
			}
		}
		if e.Progress != nil {
			e.Progress(i+1, len(files), files[i].Path)
		}
	}
	return list, w.send(ctx)
}

// embedding collects the texts of files until there are enough to send.
type embedding struct {
	Embedding
	shot  *Snapshot
	files []codeFile
	list  []vectorRows

	waiting []int // files whose texts are here
	texts   []string
}

// add takes the texts of a file.
func (w *embedding) add(ctx context.Context, i int) error {
	f := w.files[i]
	text, why := w.shot.Text(ctx, f.File)
	chunks := w.shot.Outlines(ctx, []File{f.File})[0].Chunks
	if why != "" || len(chunks) != f.chunks || len(chunks) == 0 || chunks[len(chunks)-1].End > len(text) {
		// The file has changed; the next refresh notices.
		return ctx.Err()
	}
	for _, c := range chunks {
		w.texts = append(w.texts, embeddedText(f.Path, c, text))
	}
	w.waiting = append(w.waiting, i)
	if len(w.texts) < embeddedAtOnce {
		return ctx.Err()
	}
	return w.send(ctx)
}

// embeddedText returns the text that is embedded for a chunk: its place, its name and its text.
func embeddedText(path string, c chunk.Chunk, text []byte) string {
	if c.End > len(text) {
		return ""
	}
	all := path + "\n" + c.Breadcrumb + "\n" + string(text[c.Start:c.End])
	if len(all) > maxEmbedded {
		all = all[:maxEmbedded]
	}
	// The cut may divide a character, which a server would refuse.
	return strings.ToValidUTF8(all, "")
}

// send has the vectors of the texts made, and stores them.
func (w *embedding) send(ctx context.Context) error {
	if len(w.texts) == 0 {
		return ctx.Err()
	}
	vectors, err := w.Embedder.Vectors(ctx, w.texts)
	if err != nil {
		return err
	}
	dim := w.Embedder.Dim()
	batch := index.Batch{Values: map[index.Key][]byte{}}
	for _, i := range w.waiting {
		rows := make([]byte, 0, w.files[i].chunks*embed.PackedLen(dim))
		for _, v := range vectors[:w.files[i].chunks] {
			// Zeros mark a text that the embedder did not take, such as one with a secret.
			if len(v) != dim {
				v = make([]float32, dim)
			}
			rows = append(rows, embed.Pack(v)...)
		}
		vectors = vectors[w.files[i].chunks:]
		w.list[i].rows = rows
		batch.Values[index.Key{Kind: embedded, Name: embeddedName(w.files[i].File)}] = packVectors(w.Embedder.ID(), rows)
	}
	// Vectors are stored as they come, since they are costly: an error later keeps them.
	w.shot.shelf.store(ctx, batch)
	w.waiting, w.texts = w.waiting[:0], w.texts[:0]
	return ctx.Err()
}

// meaningOf puts the vectors of files in the order of documents; nil if there are none.
func (s *Snapshot) meaningOf(files []codeFile, list []vectorRows) *Meaning {
	size := 0
	of := map[string][]byte{}
	for i, f := range files {
		// Vectors of another length come from an earlier model of the same name.
		if n := len(list[i].rows) / f.chunks; n > embed.PackedLen(0) && (size == 0 || n == size) {
			size, of[f.Path] = n, list[i].rows
		}
	}
	if size == 0 {
		return nil
	}
	m := &Meaning{matrix: embed.NewMatrix(size - embed.PackedLen(0))}
	for n, part := range s.Parts {
		rows := make([]byte, len(part.Docs)*size)
		for i, d := range part.Docs {
			if file := s.live[n][i]; file >= 0 && !d.Docs && !d.Empty {
				if own := of[s.Manifest.Files[file].Path]; (d.Chunk+1)*size <= len(own) {
					copy(rows[i*size:], own[d.Chunk*size:(d.Chunk+1)*size])
				}
			}
		}
		m.firsts = append(m.firsts, m.matrix.Len())
		if !m.matrix.Add(rows) {
			m.matrix.AddNone(len(part.Docs))
		}
	}
	return m
}

// maxRecent limits the bytes of outlines that a shelf keeps.
const maxRecent = 4 << 20

// recent has the bytes of outlines that searches have read, by their names, because the next questions are often about
// the same files. If there are too many, any of them are dropped.
type recent struct {
	mu   sync.Mutex
	of   map[string][]byte
	size int
}

// get returns the bytes of an outline, which do not change; nil if they are not kept.
func (r *recent) get(name string) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.of[name]
}

// add keeps a copy of the bytes of an outline.
func (r *recent) add(name string, data []byte) {
	// One very large outline would drop all the others.
	if len(data) > maxRecent/16 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.of[name]; ok {
		return
	}
	if r.of == nil {
		r.of = map[string][]byte{}
	}
	for name, old := range r.of {
		if r.size+len(data) <= maxRecent {
			break
		}
		r.size -= len(old)
		delete(r.of, name)
	}
	// The bytes belong to an unpacker that is used again.
	r.of[name] = bytes.Clone(data)
	r.size += len(data)
}
