package shelf

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"chant/engine/code/outline"
	"chant/engine/search/find"
	"chant/engine/store/index"
	"chant/engine/store/record"
	"chant/gitops"
)

// Kinds of what is stored.
const (
	segments = "code " + outline.Version + "." + version
	outlines = "code-outline " + outline.Version
	trees    = "code-tree " + version
	models   = "code-model " + version
)

// version is raised when what is stored here has another format.
const version = "1"

// Shelf is where the code of a repository is kept. It may be used by several goroutines.
type Shelf struct {
	Repo *gitops.Repo
	Open func(context.Context) *index.Index // the index, which the caller of Open closes; it may be nil

	storing sync.Mutex
	recent  recent

	mu   sync.Mutex
	last map[string]*Snapshot // by roots
}

// Snapshot is what a worktree contains, at one moment.
type Snapshot struct {
	Manifest *Manifest
	Parts    []*Part // the newest last

	shelf   *Shelf
	trained trainedModel
	files   map[Unit]int32 // the file in the manifest
	live    [][]int32      // of each document of each part, the file of its unit; -1 if it does not count

	mu      sync.Mutex
	divided map[string]outline.Outline // those that are not stored, by their names
	meaning *Meaning
	others  map[string]*Meaning // by the IDs of other embedders: the last one
}

// readTree loads the manifest of a worktree; nil if there is none.
func (s *Shelf) readTree(ctx context.Context, root string) (m *Manifest) {
	x := s.Open(ctx)
	defer x.Close()
	x.View(ctx, func(v *index.View) {
		values, _ := v.Values(trees, root)
		if data, ok := values[root]; ok {
			if m, ok = OpenCorpus(data); !ok {
				m = nil
				v.ReportBroken()
			}
		}
	})
	return m
}

// read loads the model and the parts that are stored. What is known already is not loaded again.
func (s *Shelf) read(ctx context.Context, known []*Part, model trainedModel) (parts []*Part, l trainedModel) {
	have := make(map[int64]*Part, len(known))
	for _, p := range known {
		have[p.ID] = p
	}
	x := s.Open(ctx)
	defer x.Close()
	x.View(ctx, func(v *index.View) {
		// Without an index, parts that were read or made before are all there is.
		if v == nil {
			parts, l = known, model
			return
		}
		// Parts are opened while the next one is read.
		var opening sync.WaitGroup
		values, _ := v.Values(models, "model")
		if data, ok := values["model"]; ok {
			opening.Go(func() {
				if l = model; sumOf(data) != l.sum {
					l = openTrained(data)
				}
			})
		}
		ids, _ := v.SegmentIDs(segments)
		parts = make([]*Part, len(ids))
		for i, id := range ids {
			if parts[i] = have[id]; parts[i] != nil {
				continue
			}
			data, ok := v.Segment(id)
			// Another process may have merged the segment since the list was read.
			if !ok {
				continue
			}
			name := strconv.FormatInt(id, 10)
			values, _ := v.Values(vectors, name)
			opening.Go(func() {
				if p, ok := openPart(id, data); ok {
					p.setVectors(values[name])
					parts[i] = p
				} else {
					v.ReportBroken()
				}
			})
		}
		opening.Wait()
		parts = slices.DeleteFunc(parts, func(p *Part) bool { return p == nil })
	})
	return parts, l
}

// store stores a batch, and tries again while other writers are faster. It reports whether it was stored.
func (s *Shelf) store(ctx context.Context, b index.Batch) bool {
	// The index is opened each time, because another process may have set the file aside.
	for wait := 5 * time.Millisecond; ctx.Err() == nil && wait < 5*time.Second; wait *= 2 {
		x := s.Open(ctx)
		if x == nil {
			return false
		}
		stored := false
		x.View(ctx, func(v *index.View) { stored = v.Store(b) })
		x.Close()
		if stored {
			return true
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
	return false
}

// Root returns the top of the worktree that contains a folder, as manifests name it.
func Root(repo *gitops.Repo) string { return filepath.Clean(repo.Dir()) }

// Exists reports whether any worktree of the repository has been indexed.
func (s *Shelf) Exists(ctx context.Context) bool {
	x := s.Open(ctx)
	defer x.Close()
	exists := false
	x.View(ctx, func(v *index.View) {
		names, _ := v.ValueNames(trees)
		exists = len(names) > 0
	})
	return exists
}

// snapshot puts together what belongs to a manifest, and lists the files of it that no part has.
func (s *Shelf) snapshot(m *Manifest, parts []*Part, l trainedModel) (*Snapshot, []File) {
	shot := &Snapshot{Manifest: m, Parts: slices.Clone(parts), trained: l, shelf: s, files: make(map[Unit]int32, len(m.Files))}
	for i, f := range m.Files {
		if f.Skipped == "" && f.Hash != "" {
			shot.files[f.Unit()] = int32(i)
		}
	}
	newest := make([]int32, len(m.Files)) // the part that counts for each file, from 1; 0 if none has it
	shot.live = make([][]int32, len(parts))
	// If several parts have a unit, the newest counts, so they are looked at from the end.
	for n := len(parts) - 1; n >= 0; n-- {
		shot.live[n] = make([]int32, len(parts[n].Docs))
		// The documents of a unit follow one another, so its file is looked up once.
		unit, file := Unit{}, int32(-1)
		for i, d := range parts[n].Docs {
			if i == 0 || d.Unit != unit {
				unit, file = d.Unit, -1
				if f, ok := shot.files[unit]; ok && (newest[f] == 0 || newest[f] == int32(n+1)) {
					newest[f], file = int32(n+1), f
				}
			}
			shot.live[n][i] = file
		}
	}
	var missing []File
	for i, f := range m.Files {
		if f.Skipped == "" && f.Hash != "" && newest[i] == 0 {
			missing = append(missing, f)
		}
	}
	return shot, missing
}

// keep remembers a snapshot for the next question.
func (s *Shelf) keep(root string, shot *Snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil {
		s.last = map[string]*Snapshot{}
	}
	s.last[root] = shot
}

// Last returns what a worktree contained when it was last refreshed; nil if this shelf has not refreshed it.
func (s *Shelf) Last(root string) *Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last[root]
}

// File returns the file of a document, false if the document does not belong to the worktree.
func (s *Snapshot) File(part int, doc uint32) (File, bool) {
	n := s.live[part][doc]
	if n < 0 {
		return File{}, false
	}
	return s.Manifest.Files[n], true
}

// Keep returns a filter for a search in the documentation, or in the rest, of the worktree. allowed says for each file
// of the manifest whether it may be found; nil allows all.
func (s *Snapshot) Keep(docs bool, allowed []bool) func(part int, doc uint32) bool {
	return func(part int, doc uint32) bool {
		n := s.live[part][doc]
		return n >= 0 && s.Parts[part].Docs[doc].Docs == docs && (allowed == nil || allowed[n])
	}
}

// numbers returns how many files, chunks of code and snippets of documentation the worktree has.
func (s *Snapshot) numbers() (files, chunks, snippets int) {
	for n, list := range s.live {
		for i, file := range list {
			switch d := s.Parts[n].Docs[i]; {
			case file < 0 || d.Empty:
			case d.Docs:
				snippets++
			default:
				chunks++
			}
		}
	}
	return len(s.files), chunks, snippets
}

// docs returns how many documents have words.
func (s *Snapshot) docs() int {
	_, chunks, snippets := s.numbers()
	return chunks + snippets
}

// Empty returns the files of the worktree that have no chunks.
func (s *Snapshot) Empty() []File {
	var list []File
	for n, part := range s.Parts {
		for i, d := range part.Docs {
			if file := s.live[n][i]; d.Empty && file >= 0 {
				list = append(list, s.Manifest.Files[file])
			}
		}
	}
	return list
}

// Segments returns the segments of all parts.
func (s *Snapshot) Segments() []*find.Segment {
	list := make([]*find.Segment, len(s.Parts))
	for i, p := range s.Parts {
		list[i] = p.Segment
	}
	return list
}

// read returns the content that a manifest says a file has, or why it cannot be read: from disk, or from git where the
// file on disk has other bytes, because of filters or because it has been changed since. The content is in what spare
// has beyond its length if that is enough.
func read(ctx context.Context, repo *gitops.Repo, root string, f File, long bool, spare []byte) (text []byte, why string) {
	text, err := readFile(filepath.Join(root, filepath.FromSlash(f.Path)), spare)
	// The manifest names a content, so a file that has changed since is not the one that was found.
	if err == nil && gitops.BlobName(text, long) == f.Hash {
		return text, ""
	}
	// Filters can make the file on disk differ from its blob.
	if stored, blobErr := repo.ReadBlob(ctx, f.Hash); blobErr == nil {
		return stored, ""
	}
	if err != nil {
		return nil, "cannot be read"
	}
	return nil, "was changed while it was read"
}

// readFile is os.ReadFile into what spare has beyond its length, if that is enough.
func readFile(name string, spare []byte) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	// One byte more shows the end without growing.
	text := slices.Grow(spare[len(spare):], int(min(info.Size(), maxPreallocated))+1)
	for {
		n, err := file.Read(text[len(text):cap(text)])
		if text = text[:len(text)+n]; err == io.EOF {
			return text, nil
		} else if err != nil {
			return nil, err
		}
		if len(text) == cap(text) {
			text = slices.Grow(text, 512)
		}
	}
}

// maxPreallocated limits the memory that is allocated by the size of a file before it is read.
const maxPreallocated = 1 << 30

// Text returns the content of a file of the snapshot, or why it cannot be read.
func (s *Snapshot) Text(ctx context.Context, f File) (text []byte, why string) {
	return s.TextIn(ctx, f, nil)
}

// TextIn is Text with memory for the content: what spare has beyond its length, if that is enough.
func (s *Snapshot) TextIn(ctx context.Context, f File, spare []byte) (text []byte, why string) {
	return read(ctx, s.shelf.Repo, s.Manifest.Root, f, len(f.Hash) > 40, spare)
}

// Part is a segment with what belongs to its documents.
type Part struct {
	ID      int64
	Segment *find.Segment
	Docs    []Doc  // of the segment, by their numbers
	Model   string // which model has made the vectors; "" if there are none
	Vectors []byte // of the documents, in the format of the model
	size    int
}

// Doc names the chunk that a document is.
type Doc struct {
	Unit  Unit
	Chunk int  // its number in the outline
	Docs  bool // it belongs to a file of documentation
	Empty bool // it represents a file without chunks
}

// Flags of a document, below the number of the chunk.
const (
	isDocs  = 1
	isEmpty = 2
)

// key returns the key of a document.
func (d Doc) key() string {
	n := uint64(d.Chunk) << 2
	if d.Docs {
		n |= isDocs
	}
	if d.Empty {
		n |= isEmpty
	}
	return string(binary.AppendUvarint(append([]byte(nil), d.Unit[:]...), n))
}

// openPart reads a part; false if the data is not one.
func openPart(id int64, data []byte) (*Part, bool) {
	segment, err := find.Open(data)
	if err != nil {
		return nil, false
	}
	p := &Part{ID: id, Segment: segment, size: len(data), Docs: make([]Doc, segment.Len())}
	var key []byte
	for i := range p.Docs {
		key = segment.AppendKey(key[:0], uint32(i))
		// Data of another format must not be taken for keys.
		if len(key) <= len(p.Docs[i].Unit) {
			return nil, false
		}
		n := copy(p.Docs[i].Unit[:], key)
		number, read := binary.Uvarint(key[n:])
		if read <= 0 || number > 1<<32 {
			return nil, false
		}
		p.Docs[i].Chunk, p.Docs[i].Docs, p.Docs[i].Empty = int(number>>2), number&isDocs != 0, number&isEmpty != 0
	}
	return p, true
}

// counts is the kind of what was counted of each worktree, by roots.
const counts = "code-counts " + version

// Counts is what the index of a worktree contains.
type Counts struct {
	Files    int // with those that are left out for their content
	Chunks   int
	Snippets int
	LeftOut  []Failure // files that are left out for their content
	Learned  bool      // there is a model
}

// storedCount is a stored count with the state of the worktree that it belongs to.
type storedCount struct {
	Manifest string  // the hash of its bytes
	Parts    []int64 // their ids
	Counts   Counts
}

// Count counts what the worktree has, and stores that for Counted.
func (s *Snapshot) Count(ctx context.Context) Counts {
	c := Counts{Learned: s.HasModel()}
	c.Files, c.Chunks, c.Snippets = s.numbers()
	empty := s.Empty()
	for i, o := range s.Outlines(ctx, empty) {
		if o.Skipped != "" {
			c.LeftOut = append(c.LeftOut, Failure{empty[i].Path, o.Skipped})
		}
	}
	stored := storedCount{Manifest: hashOf(s.Manifest.Bytes()), Counts: c}
	for _, p := range s.Parts {
		// A part that could not be stored has no id by which the counts could be checked.
		if p.ID <= 0 {
			return c
		}
		stored.Parts = append(stored.Parts, p.ID)
	}
	// Counts are the sign that an index is complete, vectors included.
	if !s.lacksVectors() && ctx.Err() == nil {
		key := index.Key{Kind: counts, Name: s.Manifest.Root}
		s.shelf.store(ctx, index.Batch{Values: map[index.Key][]byte{key: record.Encode(stored)}})
	}
	return c
}

// Standing is a worktree whose index is up to date.
type Standing struct {
	Manifest *Manifest
	Counts   Counts
	Report   Report // of a refresh that has found no change
}

// Recount returns what was counted of a worktree if that still holds: no file has changed, and the index has the same
// parts. Nothing but the manifest is read for that, and no snapshot is made. It returns false if it does not know; then
// Refresh does.
func (s *Shelf) Recount(ctx context.Context, r Request) (Standing, bool) {
	if r.Force {
		return Standing{}, false
	}
	m, c, ok := s.readCounts(ctx, r.Root)
	if !ok {
		return Standing{}, false
	}
	now, err := UpdateCorpus(ctx, s.Repo, r.Root, r.Rules, m)
	return Standing{m, c, Report{Known: c.Files, Failed: listFailures(m), Saved: true}}, err == nil && now == m && ctx.Err() == nil
}

func (s *Shelf) readCounts(ctx context.Context, root string) (m *Manifest, c Counts, ok bool) {
	x := s.Open(ctx)
	defer x.Close()
	x.View(ctx, func(v *index.View) {
		var stored storedCount
		values, _ := v.Values(counts, root)
		if data := values[root]; data == nil || record.Decode(string(data), &stored) != nil {
			return
		}
		ids, known := v.SegmentIDs(segments)
		// Counts hold only for the same parts and the same manifest: either can be replaced by another process.
		if values, _ = v.Values(trees, root); !known || !slices.Equal(ids, stored.Parts) || hashOf(values[root]) != stored.Manifest {
			return
		}
		m, ok = OpenCorpus(values[root])
		c = stored.Counts
	})
	return m, c, ok
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return string(sum[:])
}
