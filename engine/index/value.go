package index

import (
	"database/sql/driver"
	"encoding/json"
	"slices"
)

// Key names a value: its kind, which its owner chooses, and a name.
type Key struct{ Kind, Name string }

// Values returns the stored values of a kind with these names. A value that is not stored is missing; ok is false if
// nothing can be read.
func (v *View) Values(kind string, names ...string) (values map[string][]byte, ok bool) {
	if v == nil {
		return nil, false
	}
	values = make(map[string][]byte, len(names))
	for part := range slices.Chunk(names, atOnce) {
		list, err := json.Marshal(part)
		if err != nil || !v.readValues(values, kind, string(list)) {
			return nil, false
		}
	}
	return values, true
}

// ValueNames returns the names of all values of a kind, false if they cannot be read.
func (v *View) ValueNames(kind string) (names []string, ok bool) {
	if v == nil {
		return nil, false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	found, err := v.query("SELECT name FROM value WHERE kind = ? ORDER BY name", kind)
	if v.note(err) {
		return nil, false
	}
	defer func() { _ = found.Close() }()
	for found.Next() {
		var name string
		if v.note(found.Scan(&name)) {
			return nil, false
		}
		names = append(names, name)
	}
	return names, !v.note(found.Err())
}

// atOnce is how many values one statement reads.
const atOnce = 1000

func (v *View) readValues(values map[string][]byte, kind, names string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	err := v.each("SELECT name, data FROM value WHERE kind = ? AND name IN (SELECT value FROM json_each(?))", []any{kind, names}, func(row []driver.Value) error {
		name, _ := row[0].(string)
		data, err := dataOf(row[1])
		values[name] = data
		return err
	})
	return !v.note(err)
}

// values writes the values of a batch: first those of cleared kinds are removed.
func (u update) values(b Batch) error {
	for _, kind := range b.Cleared {
		if err := u.exec("DELETE FROM value WHERE kind = ?", kind); err != nil {
			return err
		}
	}
	if len(b.Values) == 0 {
		return nil
	}
	put, err := u.tx.PrepareContext(u.ctx, "INSERT OR REPLACE INTO value VALUES (?, ?, ?)")
	if err != nil {
		return err
	}
	defer func() { _ = put.Close() }() // with the transaction at the latest
	for key, data := range b.Values {
		if data == nil {
			err = u.exec("DELETE FROM value WHERE kind = ? AND name = ?", key.Kind, key.Name)
		} else {
			_, err = put.ExecContext(u.ctx, key.Kind, key.Name, seal(data))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
