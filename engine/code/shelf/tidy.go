package shelf

import (
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"time"

	"chant/engine/search/find"
	"chant/engine/store/index"
)

// maxParts limits the parts before small ones are merged.
const maxParts = 8

// tidy merges small parts if there are many, without what no worktree has any longer. It returns the parts that there
// are then. The caller has the lock.
func (s *Shelf) tidy(ctx context.Context, now *Manifest, parts []*Part) ([]*Part, error) {
	from := mergeFrom(parts)
	if from == len(parts) {
		return parts, nil
	}
	used, gone := s.usedUnits(ctx, now)
	old := parts[from:]
	batch := index.Batch{Values: map[index.Key][]byte{}}
	for _, root := range gone {
		batch.Values[index.Key{Kind: trees, Name: root}] = nil
		batch.Values[index.Key{Kind: counts, Name: root}] = nil
	}
	newest := map[Unit]int{}
	// Of a unit in several parts, only the newest documents are kept.
	for n, p := range old {
		for _, d := range p.Docs {
			newest[d.Unit] = n
		}
		batch.Replaced = append(batch.Replaced, p.ID)
	}
	var kept []*find.Segment
	var rows []byte // the vectors of what is kept, if all are of one model
	for n, p := range old {
		var dropped []uint32
		for i, d := range p.Docs {
			// If the manifests cannot be read, units of other worktrees are unknown and everything stays.
			if newest[d.Unit] != n || used != nil && !used[d.Unit] {
				dropped = append(dropped, uint32(i))
			}
		}
		if len(dropped) == len(p.Docs) {
			continue
		}
		rows = append(rows, p.vectorsWithout(dropped)...)
		kept = append(kept, p.Segment.Without(dropped))
	}
	if len(kept) == 0 {
		return parts, nil
	}
	data, err := find.Merge(kept)
	// Segments that are too large together stay as they are.
	if errors.Is(err, find.ErrTooLarge) {
		return parts, nil
	}
	if err != nil {
		return nil, err
	}
	batch.Segments = []index.Segment{{Kind: segments, Data: data}}
	for _, p := range old {
		batch.Values[index.Key{Kind: vectors, Name: strconv.FormatInt(p.ID, 10)}] = nil
	}
	id, saved := s.storePart(ctx, batch)
	// The old parts are still stored, so they remain the answer.
	if !saved {
		return parts, ctx.Err()
	}
	merged, ok := openPart(id, data)
	if !ok {
		return nil, errors.New("a merged index of code cannot be read back")
	}
	if model := oneModel(old); model != "" {
		merged.setVectors(packVectors(model, rows))
		name := index.Key{Kind: vectors, Name: strconv.FormatInt(id, 10)}
		s.store(ctx, index.Batch{Values: map[index.Key][]byte{name: packVectors(model, rows)}})
	}
	return append(slices.Clone(parts[:from]), merged), nil
}

// oneModel returns the model of the vectors of all parts, "" if they have several or none.
func oneModel(parts []*Part) string {
	for _, p := range parts {
		if p.Model != parts[0].Model {
			return ""
		}
	}
	return parts[0].Model
}

// vectorsWithout returns the vectors of a part without those of some documents, which are in order.
func (p *Part) vectorsWithout(dropped []uint32) []byte {
	size := len(p.Vectors) / max(len(p.Docs), 1)
	out := make([]byte, 0, len(p.Vectors))
	for i := range p.Docs {
		if _, is := slices.BinarySearch(dropped, uint32(i)); !is {
			out = append(out, p.Vectors[i*size:(i+1)*size]...)
		}
	}
	return out
}

// mergeFrom returns from which part on all are merged: none while there are few, else those at the end of which each is
// not much larger than all after it together, so that a document is merged a few times only.
func mergeFrom(parts []*Part) int {
	if len(parts) <= maxParts {
		return len(parts)
	}
	from, size := len(parts)-1, parts[len(parts)-1].size
	for from > 0 && (parts[from-1].size <= 2*size || from >= maxParts) {
		from--
		size += parts[from].size
	}
	return from
}

// usedUnits returns the units of all worktrees, and the roots of those that are gone; nil if that is not known.
func (s *Shelf) usedUnits(ctx context.Context, now *Manifest) (units map[Unit]bool, gone []string) {
	x := s.Open(ctx)
	defer x.Close()
	x.View(ctx, func(v *index.View) {
		names, ok := v.ValueNames(trees)
		values, readable := v.Values(trees, names...)
		if !ok || !readable {
			return
		}
		units = map[Unit]bool{}
		for name, data := range values {
			m, ok := OpenCorpus(data)
			if _, err := os.Lstat(name); !ok || errors.Is(err, os.ErrNotExist) {
				gone = append(gone, name)
				continue
			}
			for _, f := range m.Searched() {
				units[f.Unit()] = true
			}
		}
	})
	// The present manifest is stored only after merging, so its units are added here.
	if units != nil {
		for _, f := range now.Searched() {
			units[f.Unit()] = true
		}
	}
	return units, gone
}

// storePart stores a batch with one new segment and returns the id of that; a number below 0 if it was not stored.
func (s *Shelf) storePart(ctx context.Context, b index.Batch) (id int64, saved bool) {
	// Otherwise the last segment could be that of another batch.
	s.storing.Lock()
	defer s.storing.Unlock()
	if !s.store(ctx, b) {
		return -time.Now().UnixNano(), false
	}
	x := s.Open(ctx)
	defer x.Close()
	x.View(ctx, func(v *index.View) {
		if ids, ok := v.SegmentIDs(segments); ok && len(ids) > 0 {
			id = ids[len(ids)-1]
		}
	})
	return id, true
}
