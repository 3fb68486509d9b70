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
	"chant/engine/search/find"
	"chant/engine/store/index"
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
	Manifest *corpus.Manifest
	Parts    []*Part // the newest last

	shelf   *Shelf
	learned learned
	files   map[corpus.Unit]int32 // the file in the manifest
	live    [][]int32             // of each document of each part, the file of its unit; -1 if it does not count

	mu      sync.Mutex
	divided map[string]outline.Outline // those that are not stored, by their names
	meaning *Meaning
	others  map[string]*Meaning // by the IDs of other embedders: the last one
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
		var opening sync.WaitGroup // while the next is read
		values, _ := v.Values(models, "model")
		if data, ok := values["model"]; ok {
			opening.Go(func() {
				if l = model; sumOf(data) != l.sum {
					l = openLearned(data)
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
	for wait := 5 * time.Millisecond; ctx.Err() == nil && wait < 5*time.Second; wait *= 2 {
		x := s.Open(ctx) // each time: another process may have set the file aside
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
func (s *Shelf) snapshot(m *corpus.Manifest, parts []*Part, l learned) (*Snapshot, []corpus.File) {
	shot := &Snapshot{Manifest: m, Parts: slices.Clone(parts), learned: l, shelf: s, files: make(map[corpus.Unit]int32, len(m.Files))}
	for i, f := range m.Files {
		if f.Skipped == "" && f.Hash != "" {
			shot.files[f.Unit()] = int32(i)
		}
	}
	newest := make([]int32, len(m.Files)) // the part that counts for each file, from 1; 0 if none has it
	shot.live = make([][]int32, len(parts))
	for n := len(parts) - 1; n >= 0; n-- {
		shot.live[n] = make([]int32, len(parts[n].Docs))
		unit, file := corpus.Unit{}, int32(-1) // of the document before: those of a unit follow one another
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
	var missing []corpus.File
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
