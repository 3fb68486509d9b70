package history

import (
	"context"
	"encoding/binary"

	"chant/engine/packed"
	"chant/engine/spec/taskfields"
)

// changes returns what each commit changed in each spec, by ids and commits, and keeps what it had to read from git.
func (l *Log) changes(ctx context.Context, commits map[string][]touch) (map[string]map[string][]taskfields.FieldChange, error) {
	ids := make([]string, 0, len(commits))
	for id := range commits {
		ids = append(ids, id)
	}
	var values map[string][]byte
	if !l.whole && len(ids) > 0 {
		values, _ = l.q.View.Values(changesKind, ids...)
	}
	found := make(map[string]map[string][]taskfields.FieldChange, len(ids))
	for id, touches := range commits {
		known, _ := decodeChanges(values[id])
		now := known
		if now == nil {
			now = make(map[string][]taskfields.FieldChange, len(touches))
		}
		read := false
		for _, t := range touches {
			if _, ok := now[t.commit]; ok {
				continue
			}
			changes, err := l.compare(ctx, t)
			if err != nil {
				return nil, err
			}
			now[t.commit], read = changes, true
		}
		if found[id] = now; read {
			l.put(changesKind, id, encodeChanges(now))
		}
	}
	return found, nil
}

// compare reads the two versions of a spec around a commit. A new spec, and one that was removed, has no changes.
func (l *Log) compare(ctx context.Context, t touch) ([]taskfields.FieldChange, error) {
	if t.old == "" || t.now == "" || t.old == t.now {
		return nil, nil
	}
	old, err := l.repo.ReadBlob(ctx, t.old)
	if err != nil {
		return nil, err
	}
	now, err := l.repo.ReadBlob(ctx, t.now)
	if err != nil {
		return nil, err
	}
	return Compare(old, now), nil
}

// encodeChanges writes changes: each commit with the number of its changes, and each change with its texts.
func encodeChanges(changes map[string][]taskfields.FieldChange) []byte {
	var out []byte
	text := func(s string) {
		out = binary.AppendUvarint(out, uint64(len(s)))
		out = append(out, s...)
	}
	for commit, list := range changes {
		text(commit)
		out = binary.AppendUvarint(out, uint64(len(list)))
		for _, c := range list {
			text(c.Field)
			text(c.Old)
			text(c.New)
		}
	}
	return out
}

// decodeChanges reads what encodeChanges has written; ok is false, and nothing returned, for anything else.
func decodeChanges(data []byte) (changes map[string][]taskfields.FieldChange, ok bool) {
	changes = map[string][]taskfields.FieldChange{}
	r := packed.Read(string(data))
	for r.Len() > 0 {
		commit := r.Text()
		var list []taskfields.FieldChange
		for range r.Uvarint() {
			if r.Failed() {
				return nil, false
			}
			list = append(list, taskfields.FieldChange{Field: r.Text(), Old: r.Text(), New: r.Text()})
		}
		changes[commit] = list
	}
	if r.Failed() {
		return nil, false
	}
	return changes, true
}
