package versions

import (
	"reflect"
	"slices"

	"chant/markdown"
)

// wholeMatter is the name of a conflict that concerns the front matter as a whole.
const wholeMatter = "front matter"

// headMerge merges the front matter of base, ours and theirs.
type headMerge struct {
	docs   [3]*markdown.Document
	eol    string // of ours
	text   MergeBody
	marked bool

	keys      []string
	fields    map[string]threeWays
	next      map[string]version // the merged version of each key; ours at a conflict
	conflicts []string
}

// mergeHeads merges the parts above the bodies. If git's merge of the lines has the same values as the merge of the
// keys, its bytes are used.
func mergeHeads(docs [3]*markdown.Document, text MergeBody, marked bool) ([]byte, []string, error) {
	// The bytes of one side keep everything, comments and the order of keys included.
	if one, ok := oneSided([3][]byte{headOf(docs[0]), headOf(docs[1]), headOf(docs[2])}); ok {
		return one, nil, nil
	}
	m := &headMerge{docs: docs, eol: lineEnd(headOf(docs[1])), text: text, marked: marked, next: map[string]version{}}
	var err error
	if m.fields, err = versionsOf(docs); err != nil {
		return nil, nil, err
	}
	if m.keys, err = keysOf(docs); err != nil {
		return nil, nil, err
	}
	parts, ok := m.splitMatters()
	for _, k := range m.keys {
		if err := m.mergeKey(k, parts); err != nil {
			return nil, nil, err
		}
	}
	if len(m.conflicts) == 0 {
		whole, clean, err := m.mergeLines(m.matters())
		// The lines contain the comments and the spelling of both sides.
		if err != nil || clean && m.matchesKeys(whole) {
			return withMatter(m.framing(), whole), nil, err
		}
	}
	if ok {
		head, conflicts, err := m.assemble(parts)
		if err != nil || head != nil {
			return head, conflicts, err
		}
	}
	return m.writeKeys()
}

// framing returns the document whose front-matter fences the result has.
func (m *headMerge) framing() *markdown.Document {
	// One side may have added the first front matter.
	if !m.docs[1].HasFrontMatter() && m.docs[2].HasFrontMatter() {
		return m.docs[2]
	}
	return m.docs[1]
}

// matters returns the three front matters with the line ends of ours.
func (m *headMerge) matters() (out [3][]byte) {
	for i, doc := range m.docs {
		out[i] = withLineEnds(doc.FrontMatter(), m.eol)
	}
	return out
}

// splitMatters splits the three front matters into keys; ok is false if one of them cannot be split.
func (m *headMerge) splitMatters() (parts [3]matter, ok bool) {
	ok = true
	for i, doc := range m.docs {
		var whole bool
		parts[i], whole = splitMatter(doc, m.eol)
		ok = ok && whole
	}
	return parts, ok
}

// mergeLines merges three texts, by git if both sides changed them; clean is false if they conflict.
func (m *headMerge) mergeLines(src [3][]byte) (merged []byte, clean bool, err error) {
	if one, ok := oneSided(src); ok {
		return one, true, nil
	}
	merged, clash, err := m.text(src[0], src[1], src[2])
	return merged, err == nil && !clash, err
}

// mergeKey decides the merged version of a key. If the key cannot be joined, but both sides changed different lines of
// its value, git's merge of the lines is used.
func (m *headMerge) mergeKey(key string, parts [3]matter) error {
	next, _, ok := m.fields[key].merge(joinerOf(key, m.fields["status"]))
	// These two are decided as a whole; lines of both sides would make a decision that no side made.
	if !ok && key != "approval" && key != "status" {
		text, clean, err := m.mergeLines([3][]byte{parts[0].parts[key], parts[1].parts[key], parts[2].parts[key]})
		if err != nil {
			return err
		}
		if v, reads := versionIn(text, key); clean && reads {
			next, ok = v, true
		}
	}
	if !ok {
		// The result needs some version, and ours is the one on which the merge is made.
		m.conflicts, next = append(m.conflicts, key), m.fields[key].ours
	}
	m.next[key] = next
	return nil
}

// matchesKeys reports whether a front matter has the values that the merge of the keys has.
func (m *headMerge) matchesKeys(text []byte) bool {
	doc, err := asMatter(text)
	if err != nil {
		return false
	}
	got := map[string]any{}
	if err := doc.Decode(&got); err != nil {
		return false
	}
	want := map[string]any{}
	for k, v := range m.next {
		// A key that the merge removes has neither.
		if v.node != nil || v.value != nil {
			want[k] = v.value
		}
	}
	return reflect.DeepEqual(got, want)
}

// asMatter parses a text as front matter.
func asMatter(text []byte) (*markdown.Document, error) {
	return markdown.Parse("", slices.Concat([]byte("---\n"), text, []byte("---\n")))
}

// versionIn returns the version of a key in a text; ok is false unless the text has this key only.
func versionIn(text []byte, key string) (v version, ok bool) {
	doc, err := asMatter(text)
	if err != nil {
		return version{}, false
	}
	keys, err := doc.Keys()
	// More keys would mean that the merge of the lines has mixed in another one.
	if err != nil || !slices.Equal(keys, []string{key}) {
		return version{}, false
	}
	v, err = versionOf(doc, key)
	return v, err == nil
}

// writeKeys writes the merge into ours key by key, for front matters that cannot be split. If a comment would be lost,
// the whole front matter is a conflict.
func (m *headMerge) writeKeys() ([]byte, []string, error) {
	var edits []markdown.Edit
	for _, k := range m.keys {
		switch next := m.next[k]; {
		case next.equals(m.fields[k].ours):
		case next.value == nil:
			edits = append(edits, markdown.Unset(k))
		default:
			edits = append(edits, markdown.Set(k, next.yamlValue()))
		}
	}
	out, err := m.docs[1].Apply(edits...)
	if err != nil {
		return nil, nil, err
	}
	text := m.matters()
	if len(m.conflicts) == 0 && keepsComments(out.FrontMatter(), text) {
		return headOf(out), nil, nil
	}
	// Marks around single keys are not possible, because keys share lines.
	if m.marked {
		return withMatter(m.framing(), conflictMarks(text[1], text[2], m.eol)), append(m.conflicts, wholeMatter), nil
	}
	if len(m.conflicts) == 0 {
		return headOf(out), []string{wholeMatter}, nil
	}
	return headOf(out), m.conflicts, nil
}
