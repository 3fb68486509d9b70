package index

import (
	"database/sql"
	"errors"
)

// Blob returns what is stored of a blob, by its id.
func (v *View) Blob(oid string) ([]byte, bool) {
	if v == nil {
		return nil, false
	}
	var data []byte
	err := v.tx.QueryRowContext(v.ctx, "SELECT data FROM blob WHERE oid = ?", oid).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) || v.note(err) {
		return nil, false
	}
	data, err = unseal(data)
	return data, !v.note(err)
}

// Place returns the id of the blob of a file of a commit.
func (v *View) Place(at Place) (oid string, ok bool) {
	if v == nil {
		return "", false
	}
	err := v.tx.QueryRowContext(v.ctx, "SELECT oid FROM place WHERE commit_id = ? AND path = ?", at.Commit, at.Path).Scan(&oid)
	if errors.Is(err, sql.ErrNoRows) || v.note(err) {
		return "", false
	}
	return oid, true
}

// blobs writes the blobs and places of a batch. day counts days, so that blobs that were not used for long are found.
func (u update) blobs(b Batch, day int64) error {
	for oid, data := range b.Blobs {
		if err := u.exec("INSERT OR REPLACE INTO blob VALUES (?, ?, ?)", oid, seal(data), day); err != nil {
			return err
		}
	}
	for at, oid := range b.Places {
		if err := u.exec("INSERT OR REPLACE INTO place VALUES (?, ?, ?, ?)", at.Commit, at.Path, oid, day); err != nil {
			return err
		}
	}
	for at, oid := range b.Seen {
		if err := u.exec("UPDATE blob SET seen = ? WHERE oid = ? AND seen < ?", day, oid, day); err != nil {
			return err
		}
		if err := u.exec("UPDATE place SET seen = ? WHERE commit_id = ? AND path = ? AND seen < ?", day, at.Commit, at.Path, day); err != nil {
			return err
		}
	}
	return nil
}
