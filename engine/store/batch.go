package store

import (
	"context"
	"errors"
	"slices"

	"chant/engine/spec"
	"chant/engine/store/message"
	"chant/markdown"
)

// Batch is a change of several files that becomes one commit. Nothing is written before Commit. The specs whose current
// version is on the branch of a run are exceptions: each of them is committed on its branch.
//
// The caller holds the locks of the specs.
type Batch struct {
	s       *Store
	entries []*batchEntry
	records []message.Record
	tasks   []string // numbers of new tasks
}

// batchEntry is one file of a batch.
type batchEntry struct {
	fileEdit
	place   place // of a spec
	id      string
	records []message.Record // of a spec that has a branch
}

// NewBatch returns an empty batch.
func NewBatch(s *Store) *Batch { return &Batch{s: s} }

// Change adds the change of a spec, and returns the spec as it will be. A spec may be changed several times.
func (b *Batch) Change(ctx context.Context, ch Change) (*spec.File, error) {
	e, known := b.entry(SpecPath(ch.ID))
	if !known {
		place, err := b.s.placeOf(ctx, ch)
		if err != nil {
			return nil, err
		}
		e = &batchEntry{fileEdit: fileEdit{path: SpecPath(ch.ID), old: place.src, next: place.src}, place: place, id: ch.ID}
	}
	// A second change of a spec starts from the text that the first has left, not from the file.
	was, err := b.s.Parse(ch.ID, e.path, e.next)
	if err != nil {
		return nil, err
	}
	doc, err := ch.apply(was)
	if err != nil {
		return nil, err
	}
	now, err := spec.FromDocument(ch.ID, doc)
	if err != nil {
		return nil, err
	}
	if err := adoptIn(ctx, b.s, e.place, now); err != nil {
		return nil, err
	}
	now.Rules = b.s.Rules
	// The entry is added only now, so that a change that was refused leaves the batch as it was.
	if e.next = doc.Bytes(); !known {
		b.entries = append(b.entries, e)
	}
	if records := ch.records(); e.place.branch != "" {
		now.Branch, now.Landed = e.place.branch, false
		e.records = append(e.records, records...)
	} else {
		b.records = append(b.records, records...)
	}
	return now, nil
}

// Create adds a new spec. word is the event that the commit names, such as "add".
func (b *Batch) Create(id, word string, content []byte) {
	b.Write(SpecPath(id), nil, content)
	b.records = append(b.records, message.Record{ID: id, Event: word})
}

// Number records in the commit that a new spec has the number of a task, so that no clone assigns it again.
func (b *Batch) Number(key string) { b.tasks = append(b.tasks, key) }

// Try adds what act adds, or nothing if act returns an error.
func (b *Batch) Try(act func() error) error {
	before := Batch{b.s, slices.Clone(b.entries), slices.Clone(b.records), slices.Clone(b.tasks)}
	// Entries are pointers: a copy of the slice alone would not restore their texts.
	values := make([]batchEntry, len(b.entries))
	for i, e := range b.entries {
		values[i] = *e
	}
	err := act()
	if err != nil {
		*b = before
		for i, e := range b.entries {
			*e = values[i]
		}
	}
	return err
}

// Remove adds the removal of the spec at home whose text is old.
func (b *Batch) Remove(id, word string, old []byte) {
	b.Write(SpecPath(id), old, nil)
	// A later spec of this id must not get them.
	if held, err := b.s.ReadHeldOut(id); err == nil {
		b.Write(HeldOutPath(id), held, nil)
	}
	b.records = append(b.records, message.Record{ID: id, Event: word})
}

// Write adds the change of another file below home: from old, nil if it must not exist, to next, nil to remove it.
func (b *Batch) Write(path string, old, next []byte) {
	if e, known := b.entry(path); known {
		e.next = next
		return
	}
	b.entries = append(b.entries, &batchEntry{fileEdit: fileEdit{path: path, old: old, next: next}})
}

// Created returns the texts of the files that the batch creates, by their paths.
func (b *Batch) Created() map[string][]byte {
	out := map[string][]byte{}
	for _, e := range b.entries {
		if e.old == nil {
			out[e.path] = e.next
		}
	}
	return out
}

func (b *Batch) entry(path string) (*batchEntry, bool) {
	at := slices.IndexFunc(b.entries, func(e *batchEntry) bool { return e.path == path })
	if at < 0 {
		return nil, false
	}
	return b.entries[at], true
}

// Saved names the commits of a batch: the one in home, "" if nothing changed there, and those on the branches of runs
// by the ids of their specs.
type Saved struct {
	Commit   string
	Branches map[string]string
}

// CommitOf returns the commit that contains a spec.
func (s Saved) CommitOf(id string) string {
	if commit := s.Branches[id]; commit != "" {
		return commit
	}
	return s.Commit
}

// Commit writes and commits everything, first in home. subject is the subject of a commit about several specs; one
// about a single spec is called "chant(<id>): <event>". If a file has changed since it was read, nothing of its commit
// is written; *ChangedError.
func (b *Batch) Commit(ctx context.Context, subject string) (Saved, error) {
	saved := Saved{Branches: map[string]string{}}
	var here []fileEdit
	for _, e := range b.entries {
		// An unchanged file in the list would be compared and written for nothing, and could make the commit fail.
		if e.place.branch == "" && string(e.old) != string(e.next) {
			here = append(here, e.fileEdit)
		}
	}
	var err error
	// Home comes first: all of its files are one commit or none, while each branch has a commit of its own that cannot be
	// taken back.
	if saved.Commit, err = b.s.saveFiles(ctx, here, message.Join(subject, b.records, b.tasks...)); err != nil {
		return saved, err
	}
	for _, e := range b.entries {
		if e.place.branch == "" || string(e.old) == string(e.next) {
			continue
		}
		commit, err := b.s.save(ctx, e.place, e.path, e.next, message.Join("", e.records))
		// An error beside a commit is about a git index: the change is made and must be reported.
		if commit != "" {
			saved.Branches[e.id] = commit
		}
		if err != nil {
			return saved, errors.Join(err, ctx.Err())
		}
	}
	return saved, nil
}

// records lists what the commit of a change records: its events, or its word.
func (ch Change) records() []message.Record {
	if ch.Event == "" {
		return []message.Record{{ID: ch.ID, Event: ch.Word}}
	}
	var out []message.Record
	for _, ev := range append(slices.Clone(ch.Via), ch.Event) {
		out = append(out, message.Record{ID: ch.ID, Event: string(ev)})
	}
	return out
}

// applyEvents returns the document after the events of a change.
func (ch Change) applyEvents(s *spec.File) (*markdown.Document, error) {
	// The copy walks through the statuses; the document is edited once, by the last event.
	now := *s
	for _, ev := range ch.Via {
		status, err := spec.Next(now.Status, ev)
		if err != nil {
			return nil, err
		}
		now.Status = status
	}
	return now.Apply(ch.Event, ch.Edits...)
}
