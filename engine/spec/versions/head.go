package versions

import (
	"reflect"
	"slices"

	"chant/markdown"
)

// wholeMatter is named as a conflict where the keys of a front matter cannot be told apart.
const wholeMatter = "front matter"

// headMerge merges the front matter of base, ours and theirs.
type headMerge struct {
	docs   [3]*markdown.Document
	eol    string // of ours
	text   MergeBody
	marked bool

	keys      []string
	fields    map[string]threeWays
	next      map[string]version // of each key; ours at a conflict
	conflicts []string
}

// mergeHeads merges what stands above the bodies. Where git's merge of the lines says what
// the merge of the keys says, its bytes are taken: they hold the comments and the spelling
// of both sides.
func mergeHeads(docs [3]*markdown.Document, text MergeBody, marked bool) ([]byte, []string, error) {
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
	parts, ok := m.apart()
	for _, k := range m.keys {
		if err := m.settle(k, parts); err != nil {
			return nil, nil, err
		}
	}
	if len(m.conflicts) == 0 {
		whole, clean, err := m.lines(m.matters())
		if err != nil || clean && m.reads(whole) {
			return withMatter(m.framing(), whole), nil, err
		}
	}
	if ok {
		head, conflicts, err := m.assemble(parts)
		if err != nil || head != nil {
			return head, conflicts, err
		}
	}
	return m.edit()
}

// framing is the document whose fences stay.
func (m *headMerge) framing() *markdown.Document {
	if !m.docs[1].HasFrontMatter() && m.docs[2].HasFrontMatter() {
		return m.docs[2]
	}
	return m.docs[1]
}

// matters are the three front matters in the line endings of ours.
func (m *headMerge) matters() (out [3][]byte) {
	for i, doc := range m.docs {
		out[i] = inEnds(doc.FrontMatter(), m.eol)
	}
	return out
}

// apart takes the three front matters apart; ok is false where one cannot be.
func (m *headMerge) apart() (parts [3]matter, ok bool) {
	ok = true
	for i, doc := range m.docs {
		var whole bool
		parts[i], whole = matterOf(doc, m.eol)
		ok = ok && whole
	}
	return parts, ok
}

// lines merges three texts, by git where both sides changed them; clean is false where
// it leaves marks.
func (m *headMerge) lines(src [3][]byte) (merged []byte, clean bool, err error) {
	if one, ok := oneSided(src); ok {
		return one, true, nil
	}
	merged, clash, err := m.text(src[0], src[1], src[2])
	return merged, err == nil && !clash, err
}

// settle decides what a key says. A list or a text of many lines that both sides changed
// in different places is what git makes of it.
func (m *headMerge) settle(key string, parts [3]matter) error {
	next, _, ok := m.fields[key].merged(joining(key, m.fields["status"]))
	if !ok && key != "approval" && key != "status" {
		text, clean, err := m.lines([3][]byte{parts[0].parts[key], parts[1].parts[key], parts[2].parts[key]})
		if err != nil {
			return err
		}
		if v, reads := versionIn(text, key); clean && reads {
			next, ok = v, true
		}
	}
	if !ok {
		m.conflicts, next = append(m.conflicts, key), m.fields[key].ours
	}
	m.next[key] = next
	return nil
}

// reads reports whether a front matter says what the merge of the keys says.
func (m *headMerge) reads(text []byte) bool {
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
		if v.node != nil || v.value != nil {
			want[k] = v.value
		}
	}
	return reflect.DeepEqual(got, want)
}

// asMatter reads a text as a front matter.
func asMatter(text []byte) (*markdown.Document, error) {
	return markdown.Parse("", slices.Concat([]byte("---\n"), text, []byte("---\n")))
}

// versionIn is what a text alone says of a key; ok is false where it says more, or nothing.
func versionIn(text []byte, key string) (v version, ok bool) {
	doc, err := asMatter(text)
	if err != nil {
		return version{}, false
	}
	keys, err := doc.Keys()
	if err != nil || !slices.Equal(keys, []string{key}) {
		return version{}, false
	}
	v, err = versionOf(doc, key)
	return v, err == nil
}

// edit writes the merge into ours key by key, for front matters that cannot be taken
// apart; it is a conflict of the whole where a comment would be lost.
func (m *headMerge) edit() ([]byte, []string, error) {
	var edits []markdown.Edit
	for _, k := range m.keys {
		switch next := m.next[k]; {
		case next.is(m.fields[k].ours):
		case next.value == nil:
			edits = append(edits, markdown.Unset(k))
		default:
			edits = append(edits, markdown.Set(k, next.written()))
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
	if m.marked {
		return withMatter(m.framing(), marks(text[1], text[2], m.eol)), append(m.conflicts, wholeMatter), nil
	}
	if len(m.conflicts) == 0 {
		return headOf(out), []string{wholeMatter}, nil
	}
	return headOf(out), m.conflicts, nil
}
