package index

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"hash/crc32"
	"maps"
	"slices"
	"strings"
)

// maxSize limits the file, in bytes. A larger one is set aside.
const maxSize = 512 << 20

// Batch is what a query has read anew and wants to store.
type Batch struct {
	Values  map[Key][]byte      // new and changed values; nil removes one
	Cleared []string            // kinds of values of which all are removed before
	Refs    map[string][]string // by names, the targets for which Referrers returns them; they replace the former ones

	Segments []Segment // new ones, without ids
	Replaced []int64   // ids of segments that are removed
}

// Key names a value: its kind, which its owner chooses, and a name.
type Key struct{ Kind, Name string }

// Put adds a value; nil removes one.
func (b *Batch) Put(kind, name string, data []byte) {
	if b.Values == nil {
		b.Values = map[Key][]byte{}
	}
	b.Values[Key{kind, name}] = data
}

// Empty reports whether there is nothing to store.
func (b *Batch) Empty() bool {
	return len(b.Values) == 0 && len(b.Cleared) == 0 && len(b.Refs) == 0 && len(b.Segments) == 0 && len(b.Replaced) == 0
}

// Store stores a batch that was made from a view, unless another writer was faster, and reports whether it did. Failures
// lose nothing but time.
func (v *View) Store(b Batch) bool {
	if v == nil || b.Empty() || v.ctx.Err() != nil {
		return false
	}
	// The one connection is needed for writing.
	v.close()
	err := v.x.write(v.ctx, writeWait, func(tx *sql.Tx) error {
		u := update{v.ctx, tx}
		// Comparing and raising the generation is one statement: a batch from an older view would mix two readings.
		done, err := tx.ExecContext(v.ctx, "UPDATE meta SET generation = generation + 1 WHERE generation = ?", v.generation)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n != 1 {
			return errFaster
		}
		if err := u.writeSegments(b); err != nil {
			return err
		}
		if err := u.writeValues(b); err != nil {
			return err
		}
		if err := u.replaceRefs(b); err != nil {
			return err
		}
		return u.checkSize()
	})
	// A busy writer is not awaited: the next query reads again what was not stored.
	if err != nil && !isBusy(err) {
		v.handleError(err)
	}
	return err == nil
}

type update struct {
	ctx context.Context
	tx  *sql.Tx
}

func (u update) exec(statement string, args ...any) error {
	_, err := u.tx.ExecContext(u.ctx, statement, args...)
	return err
}

// prepared calls a function with a statement that runs many times.
func (u update) prepared(statement string, use func(exec func(args ...any) error) error) error {
	s, err := u.tx.PrepareContext(u.ctx, statement)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }() // with the transaction at the latest
	return use(func(args ...any) error {
		_, err := s.ExecContext(u.ctx, args...)
		return err
	})
}

// writeValues writes the values of a batch: first those of cleared kinds are removed.
func (u update) writeValues(b Batch) error {
	for _, kind := range b.Cleared {
		if err := u.exec("DELETE FROM value WHERE kind = ?", kind); err != nil {
			return err
		}
	}
	return u.prepared("INSERT OR REPLACE INTO value VALUES (?, ?, ?)", func(put func(...any) error) (err error) {
		order := func(x, y Key) int { return cmp.Or(cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Name, y.Name)) }
		// Values of a kind are written side by side, as readers of all of them want them.
		for _, key := range slices.SortedFunc(maps.Keys(b.Values), order) {
			data := b.Values[key]
			if data == nil {
				err = u.exec("DELETE FROM value WHERE kind = ? AND name = ?", key.Kind, key.Name)
			} else {
				err = put(key.Kind, key.Name, seal(data))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// replaceRefs replaces the refs of the names in a batch.
func (u update) replaceRefs(b Batch) error {
	return u.prepared("DELETE FROM ref WHERE name = ?", func(remove func(...any) error) error {
		for name, targets := range b.Refs {
			if err := remove(name); err != nil {
				return err
			}
			for _, target := range targets {
				if err := u.exec("INSERT OR REPLACE INTO ref VALUES (?, ?)", name, target); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// writeSegments writes the new segments of a batch and removes those that they replace, and those with other versions of
// their kind.
func (u update) writeSegments(b Batch) error {
	for _, id := range b.Replaced {
		if err := u.exec("DELETE FROM segment WHERE id = ?", id); err != nil {
			return err
		}
	}
	for _, s := range b.Segments {
		// Only the newest version of a kind's format can be read, so segments of the others are only a burden.
		name, _, _ := strings.Cut(s.Kind, " ")
		if err := u.exec("DELETE FROM segment WHERE kind <> ? AND instr(kind, ?) = 1", s.Kind, name+" "); err != nil {
			return err
		}
		if err := u.exec("INSERT INTO segment (kind, data) VALUES (?, ?)", s.Kind, seal(s.Data)); err != nil {
			return err
		}
	}
	return nil
}

// checkSize returns errTooLarge if the file has outgrown maxSize.
func (u update) checkSize() error {
	var size int64
	err := u.tx.QueryRowContext(u.ctx, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").Scan(&size)
	if err == nil && size > maxSize {
		return errTooLarge
	}
	return err
}

// seal returns data with a checksum in front.
func seal(data []byte) []byte {
	sum := crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli))
	return append(binary.LittleEndian.AppendUint32(make([]byte, 0, len(data)+4), sum), data...)
}

// unseal returns the data without its checksum. Error: errChecksum.
func unseal(sealed []byte) ([]byte, error) {
	if len(sealed) < 4 || crc32.Checksum(sealed[4:], crc32.MakeTable(crc32.Castagnoli)) != binary.LittleEndian.Uint32(sealed) {
		return nil, errChecksum
	}
	return sealed[4:], nil
}
