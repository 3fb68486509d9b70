package shelf

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"chant/engine/code/corpus"
	"chant/engine/code/outline"
	"chant/engine/find"
	"chant/engine/index"
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

	mu   sync.Mutex
	last map[string]*Snapshot // by roots
}

// Snapshot is what a worktree contains, at one moment.
type Snapshot struct {
	Manifest *corpus.Manifest
	Parts    []*Part // the newest last

	shelf   *Shelf
	learned learned
	files   map[corpus.Unit]int32 // the file in the manifest
	live    [][]int32             // of each document of each part, the file of its unit; -1 if it does not count

	mu       sync.Mutex
	outlines map[string]outline.Outline // by their names; read as needed
	meaning  *Meaning
	others   map[string]*Meaning // by the IDs of other embedders: the last one
}

// readTree loads the manifest of a worktree; nil if there is none.
func (s *Shelf) readTree(ctx context.Context, root string) (m *corpus.Manifest) {
	x := s.Open(ctx)
	defer x.Close()
	x.View(ctx, func(v *index.View) {
		values, _ := v.Values(trees, root)
		if data, ok := values[root]; ok {
			if m, ok = corpus.Open(data); !ok {
				m = nil
				v.ReportBroken()
			}
		}
	})
	return m
}

// read loads the model and the parts that are stored. What is known already is not loaded again.
func (s *Shelf) read(ctx context.Context, known []*Part, model learned) (parts []*Part, l learned) {
	have := make(map[int64]*Part, len(known))
	for _, p := range known {
		have[p.ID] = p
	}
	x := s.Open(ctx)
	defer x.Close()
	x.View(ctx, func(v *index.View) {
		if v == nil {
			parts, l = known, model
			return
		}
		values, _ := v.Values(models, "model")
		if data, ok := values["model"]; ok {
			if l = model; sumOf(data) != l.sum {
				l = openLearned(data)
			}
		}
		ids, _ := v.SegmentIDs(segments)
		for _, id := range ids {
			if p := have[id]; p != nil {
				parts = append(parts, p)
				continue
			}
			data, ok := v.Segment(id)
			if !ok {
				continue
			}
			p, ok := openPart(id, data)
			if !ok {
				v.ReportBroken()
				continue
			}
			name := strconv.FormatInt(id, 10)
			if values, _ = v.Values(vectors, name); values[name] != nil {
				p.setVectors(values[name])
			}
			parts = append(parts, p)
		}
	})
	return parts, l
}

// store stores a batch, and tries again while other writers are faster. It reports whether it was stored.
func (s *Shelf) store(ctx context.Context, b index.Batch) bool {
	for wait := 5 * time.Millisecond; ctx.Err() == nil && wait < 5*time.Second; wait *= 2 {
		x := s.Open(ctx) // each time: another process may have set the file aside
		if x == nil {
			return false
		}
		stored := false
		x.View(ctx, func(v *index.View) { stored = v.Store(b, time.Now().Unix()/(24*60*60)) })
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
func (s *Shelf) snapshot(m *corpus.Manifest, parts []*Part, l learned) (*Snapshot, []corpus.File) {
	shot := &Snapshot{Manifest: m, Parts: slices.Clone(parts), learned: l, shelf: s, files: make(map[corpus.Unit]int32, len(m.Files)), outlines: map[string]outline.Outline{}}
	for i, f := range m.Files {
		if f.Skipped == "" && f.Hash != "" {
			shot.files[f.Unit()] = int32(i)
		}
	}
	newest := make(map[corpus.Unit]int, len(shot.files)) // the part that counts
	for n := len(parts) - 1; n >= 0; n-- {
		for _, d := range parts[n].Docs {
			if _, ok := newest[d.Unit]; !ok {
				newest[d.Unit] = n
			}
		}
	}
	shot.live = make([][]int32, len(parts))
	for n, p := range parts {
		shot.live[n] = make([]int32, len(p.Docs))
		for i, d := range p.Docs {
			shot.live[n][i] = -1
			if file, ok := shot.files[d.Unit]; ok && newest[d.Unit] == n {
				shot.live[n][i] = file
			}
		}
	}
	var missing []corpus.File
	for _, f := range m.Files {
		if f.Skipped != "" || f.Hash == "" {
			continue
		}
		if _, ok := newest[f.Unit()]; !ok {
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

func (s *Shelf) kept(root string) *Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last[root]
}

// File returns the file of a document, false if the document does not belong to the worktree.
func (s *Snapshot) File(part int, doc uint32) (corpus.File, bool) {
	n := s.live[part][doc]
	if n < 0 {
		return corpus.File{}, false
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
func (s *Snapshot) Empty() []corpus.File {
	var list []corpus.File
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
