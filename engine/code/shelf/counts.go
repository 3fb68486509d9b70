package shelf

import (
	"context"
	"crypto/sha256"
	"slices"

	"chant/engine/code/corpus"
	"chant/engine/store/index"
	"chant/engine/store/record"
)

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

// counted is what is stored: counts, and of what.
type counted struct {
	Manifest string  // the hash of its bytes
	Parts    []int64 // their ids
	Counts   Counts
}

// Count counts what the worktree has, and stores that for Counted.
func (s *Snapshot) Count(ctx context.Context) Counts {
	c := Counts{Learned: s.Understood()}
	c.Files, c.Chunks, c.Snippets = s.numbers()
	empty := s.Empty()
	for i, o := range s.Outlines(ctx, empty) {
		if o.Skipped != "" {
			c.LeftOut = append(c.LeftOut, Failure{empty[i].Path, o.Skipped})
		}
	}
	stored := counted{Manifest: hashOf(s.Manifest.Bytes()), Counts: c}
	for _, p := range s.Parts {
		if p.ID <= 0 { // it could not be stored
			return c
		}
		stored.Parts = append(stored.Parts, p.ID)
	}
	if !s.lacks() && ctx.Err() == nil {
		key := index.Key{Kind: counts, Name: s.Manifest.Root}
		s.shelf.store(ctx, index.Batch{Values: map[index.Key][]byte{key: record.Encode(stored)}})
	}
	return c
}

// Standing is a worktree whose index is up to date.
type Standing struct {
	Manifest *corpus.Manifest
	Counts   Counts
	Report   Report // of a refresh that has found no change
}

// Counted returns what was counted of a worktree if that still holds: no file has changed, and the index has the same
// parts. Nothing but the manifest is read for that, and no snapshot is made. It returns false if it does not know; then
// Refresh does.
func (s *Shelf) Counted(ctx context.Context, r Request) (Standing, bool) {
	if r.Force {
		return Standing{}, false
	}
	m, c, ok := s.readCounts(ctx, r.Root)
	if !ok {
		return Standing{}, false
	}
	now, err := corpus.Update(ctx, s.Repo, r.Root, r.Rules, m)
	return Standing{m, c, Report{Known: c.Files, Failed: failed(m), Saved: true}}, err == nil && now == m && ctx.Err() == nil
}

func (s *Shelf) readCounts(ctx context.Context, root string) (m *corpus.Manifest, c Counts, ok bool) {
	x := s.Open(ctx)
	defer x.Close()
	x.View(ctx, func(v *index.View) {
		var stored counted
		values, _ := v.Values(counts, root)
		if data := values[root]; data == nil || record.Decode(string(data), &stored) != nil {
			return
		}
		ids, known := v.SegmentIDs(segments)
		if values, _ = v.Values(trees, root); !known || !slices.Equal(ids, stored.Parts) || hashOf(values[root]) != stored.Manifest {
			return
		}
		m, ok = corpus.Open(values[root])
		c = stored.Counts
	})
	return m, c, ok
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return string(sum[:])
}
