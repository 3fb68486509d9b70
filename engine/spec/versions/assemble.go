package versions

import (
	"bytes"
	"slices"

	"chant/markdown"
)

// assemble joins the merged parts of all keys. head is nil if the parts together have other values than each part
// alone.
func (m *headMerge) assemble(parts [3]matter) (head []byte, conflicts []string, err error) {
	var plain, marked [][]byte
	add := func(part, theirs []byte, ok bool, name string) {
		plain = append(plain, part)
		if !ok {
			// The key is a conflict already if its values could not be joined.
			if !slices.Contains(conflicts, name) {
				conflicts = append(conflicts, name)
			}
			part = conflictMarks(part, theirs, m.eol)
		}
		marked = append(marked, part)
	}
	for _, k := range m.keys {
		three := [3][]byte{parts[0].parts[k], parts[1].parts[k], parts[2].parts[k]}
		part, ok, err := m.mergePart(k, three)
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			// At a conflict the result has the version of ours.
			m.next[k] = m.fields[k].ours
			part = three[1]
		}
		add(part, three[2], ok, k)
	}
	tail, ok, err := m.mergeLines([3][]byte{parts[0].tail, parts[1].tail, parts[2].tail})
	if err != nil {
		return nil, nil, err
	}
	if !ok {
		tail = parts[1].tail
	}
	add(tail, parts[2].tail, ok, wholeMatter)
	text := bytes.Join(plain, nil)
	// Parts that are valid alone can mean something else together, such as an anchor that is defined twice.
	if !m.matchesKeys(text) {
		return nil, nil, nil
	}
	if m.marked {
		text = bytes.Join(marked, nil)
	}
	return withMatter(m.framing(), text), conflicts, nil
}

// mergePart returns the bytes for a key in the result; ok is false if they would lose a comment or spelling of one
// side, or if the key is a conflict already.
func (m *headMerge) mergePart(key string, three [3][]byte) (part []byte, ok bool, err error) {
	if slices.Contains(m.conflicts, key) {
		return nil, false, nil
	}
	if one, ok := oneSided(three); ok {
		return one, true, nil
	}
	merged, clean, err := m.mergeLines(three)
	if err != nil {
		return nil, false, err
	}
	// Several ways to write the value are tried, and the first that loses nothing is used.
	next, ways := m.next[key], [][]byte{}
	if clean {
		ways = append(ways, merged)
	}
	if next.value == nil && next.node == nil {
		ways = append(ways, nil)
	} else if set, ok := m.setInOurs(key, next); ok {
		ways = append(ways, set)
	}
	for _, way := range append(ways, three[2]) {
		v, reads := versionIn(way, key)
		// Only chant writes the keys that follow the status, so their spelling is not kept.
		if (reads || len(way) == 0) && v.equals(next) && keepsComments(way, three) && (followsStatus(key) || keepsSpelling(m.fields[key], v)) {
			return way, true, nil
		}
	}
	return nil, false, nil
}

// setInOurs returns the bytes for a key after its value was set in ours.
func (m *headMerge) setInOurs(key string, next version) ([]byte, bool) {
	out, err := m.docs[1].Apply(markdown.Set(key, next.yamlValue()))
	if err != nil {
		return nil, false
	}
	apart, ok := splitMatter(out, m.eol)
	return apart.parts[key], ok
}
