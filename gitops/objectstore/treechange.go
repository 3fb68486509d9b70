package objectstore

import (
	"bytes"
	"context"
	"fmt"
)

// TreeChange is one name that two trees have differently. An entry without a name is missing in its tree.
type TreeChange struct{ Old, New Entry }

// CompareTrees lists the names in which two trees differ, folders included; "" is an empty tree. Entries that are equal
// are not decoded, so that a folder of thousands of files takes little longer than reading it.
func (o *Store) CompareTrees(ctx context.Context, from, to string) ([]TreeChange, error) {
	if from == to {
		return nil, nil
	}
	var before, after []byte
	var err error
	if from != "" {
		if before, err = o.rawTree(ctx, from); err != nil {
			return nil, err
		}
	}
	if to != "" {
		if after, err = o.rawTree(ctx, to); err != nil {
			return nil, err
		}
	}
	changes, err := compareTrees(before, after, o.site.Format.HashSize)
	if err != nil {
		return nil, fmt.Errorf("trees %q and %q: %w", from, to, err)
	}
	return changes, nil
}

func compareTrees(before, after []byte, hashSize int) ([]TreeChange, error) {
	var changes []TreeChange
	for len(before) > 0 || len(after) > 0 {
		a, restA, err := cutLine(before, hashSize)
		if err != nil {
			return nil, err
		}
		if size := len(before) - len(restA); size > 0 && len(after) >= size && bytes.Equal(before[:size], after[:size]) {
			before, after = restA, after[size:]
			continue
		}
		b, restB, err := cutLine(after, hashSize)
		if err != nil {
			return nil, err
		}
		switch order := compareLines(a, b); {
		case order < 0:
			changes, before = append(changes, TreeChange{Old: a.entry()}), restA
		case order > 0:
			changes, after = append(changes, TreeChange{New: b.entry()}), restB
		default:
			changes, before, after = append(changes, TreeChange{a.entry(), b.entry()}), restA, restB
		}
	}
	return changes, nil
}

// cutLine cuts the first entry from a tree object; the entry of an empty one has no name.
func cutLine(raw []byte, hashSize int) (line treeLine, rest []byte, err error) {
	for line, err := range treeLines(raw, hashSize) {
		if err != nil {
			return treeLine{}, nil, err
		}
		return line, raw[len(line.mode)+len(line.name)+hashSize+2:], nil
	}
	return treeLine{}, nil, nil
}

// compareLines orders two entries as git does; a missing one comes last. A file and a folder of the same name are two
// entries.
func compareLines(a, b treeLine) int {
	switch {
	case a.name == nil:
		return 1
	case b.name == nil:
		return -1
	}
	return bytes.Compare(sortedName(a), sortedName(b))
}

// sortedName is the name by which git orders an entry.
func sortedName(l treeLine) []byte {
	if l.dir() {
		return append(l.name[:len(l.name):len(l.name)], '/')
	}
	return l.name
}
