package history

import (
	"context"

	"chant/engine/spec/taskfields"
	"chant/engine/store/record"
)

// changes returns what each commit changed in each spec, by ids and commits, and keeps what it had to read from git.
func (l *Log) changes(ctx context.Context, commits map[string][]specCommit) (map[string]map[string][]taskfields.FieldChange, error) {
	ids := make([]string, 0, len(commits))
	for id := range commits {
		ids = append(ids, id)
	}
	var values map[string][]byte
	// After a walk of all commits the stored changes belong to commits that may be gone.
	if !l.whole && len(ids) > 0 {
		values, _ = l.q.View.Values(changesKind, ids...)
	}
	found := make(map[string]map[string][]taskfields.FieldChange, len(ids))
	for id, touches := range commits {
		var now map[string][]taskfields.FieldChange
		// A record of another format counts as none: it is read again from git.
		if record.Decode(string(values[id]), &now) != nil || now == nil {
			now = make(map[string][]taskfields.FieldChange, len(touches))
		}
		read := false
		for _, t := range touches {
			if _, ok := now[t.Commit]; ok {
				continue
			}
			changes, err := l.compare(ctx, t)
			if err != nil {
				return nil, err
			}
			now[t.Commit], read = changes, true
		}
		// Versions of a commit never change, so each pair is compared once.
		if found[id] = now; read {
			l.q.Batch.Put(changesKind, id, record.Encode(now))
		}
	}
	return found, nil
}

// compare reads the two versions of a spec around a commit. A new spec, and one that was removed, has no changes.
func (l *Log) compare(ctx context.Context, t specCommit) ([]taskfields.FieldChange, error) {
	if t.Old == "" || t.Now == "" || t.Old == t.Now {
		return nil, nil
	}
	old, err := l.repo.ReadBlob(ctx, t.Old)
	if err != nil {
		return nil, err
	}
	now, err := l.repo.ReadBlob(ctx, t.Now)
	if err != nil {
		return nil, err
	}
	return Compare(old, now), nil
}
