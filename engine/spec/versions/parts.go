package versions

import (
	"bytes"
	"slices"

	"chant/markdown"
)

// assemble puts the merge together of the parts that belong to each key. head is nil where
// the parts together say something else than each for itself.
func (m *headMerge) assemble(parts [3]matter) (head []byte, conflicts []string, err error) {
	var plain, marked [][]byte
	add := func(part, theirs []byte, ok bool, name string) {
		plain = append(plain, part)
		if !ok {
			if !slices.Contains(conflicts, name) {
				conflicts = append(conflicts, name)
			}
			part = marks(part, theirs, m.eol)
		}
		marked = append(marked, part)
	}
	for _, k := range m.keys {
		three := [3][]byte{parts[0].parts[k], parts[1].parts[k], parts[2].parts[k]}
		part, ok, err := m.part(k, three)
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			m.next[k] = m.fields[k].ours
			part = three[1]
		}
		add(part, three[2], ok, k)
	}
	tail, ok, err := m.lines([3][]byte{parts[0].tail, parts[1].tail, parts[2].tail})
	if err != nil {
		return nil, nil, err
	}
	if !ok {
		tail = parts[1].tail
	}
	add(tail, parts[2].tail, ok, wholeMatter)
	text := bytes.Join(plain, nil)
	if !m.reads(text) {
		return nil, nil, nil
	}
	if m.marked {
		text = bytes.Join(marked, nil)
	}
	return withMatter(m.framing(), text), conflicts, nil
}

// part is what the merge holds of a key; ok is false where that would lose what one side
// has written, or where the key is a conflict already.
func (m *headMerge) part(key string, three [3][]byte) (part []byte, ok bool, err error) {
	if slices.Contains(m.conflicts, key) {
		return nil, false, nil
	}
	if one, ok := oneSided(three); ok {
		return one, true, nil
	}
	merged, clean, err := m.lines(three)
	if err != nil {
		return nil, false, err
	}
	next, ways := m.next[key], [][]byte{}
	if clean {
		ways = append(ways, merged)
	}
	if next.value == nil && next.node == nil {
		ways = append(ways, nil)
	} else if set, ok := m.set(key, next); ok {
		ways = append(ways, set)
	}
	for _, way := range append(ways, three[2]) {
		v, reads := versionIn(way, key)
		if (reads || len(way) == 0) && v.is(next) && keepsComments(way, three) && (ruled(key) || keepsSpelling(m.fields[key], v)) {
			return way, true, nil
		}
	}
	return nil, false, nil
}

// set is the part of a key in ours once it says something else there.
func (m *headMerge) set(key string, next version) ([]byte, bool) {
	out, err := m.docs[1].Apply(markdown.Set(key, next.written()))
	if err != nil {
		return nil, false
	}
	apart, ok := matterOf(out, m.eol)
	return apart.parts[key], ok
}
