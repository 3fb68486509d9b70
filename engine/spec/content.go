package spec

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// Content is what is known of the text of a spec without the text.
type Content struct {
	Criteria int    // how many criteria it has, -1 if they have not been counted
	Hash     string // ContentHash of it, "" if it has not been computed
	Digest   string // of all of its bytes
}

// content is the text of a spec, or what is known of it.
type content struct {
	doc     *markdown.Document // nil if only facts are known
	known   Content
	adopted *Adopted // what the text takes from another folder, nil if nothing
}

// criteria returns the number of criteria.
func (c content) criteria() int {
	if c.doc == nil {
		return c.known.Criteria
	}
	return c.count()
}

// count counts the criteria of a text that is known.
func (c content) count() int {
	if c.adopted == nil {
		return len(Criteria(c.doc))
	}
	return len(Criteria(c.doc)) + len(c.adopted.Criteria)
}

// hash returns the hash of the text and of what it takes from another folder.
func (c content) hash() string {
	if c.doc == nil {
		return c.known.Hash
	}
	return c.adopted.hashWith(ContentHash(c.doc))
}

// Facts points to what an index stores of a spec: all that can be computed from its text alone.
type Facts struct {
	Title   *string
	Fields  *Fields
	Content *Content
}

// Facts returns what an index stores of a spec. Counting its criteria parses the body.
func (s *Spec) Facts(count bool) Facts {
	known := s.known(count)
	// An index stores what the pointers lead to and fills them in when it reads.
	return Facts{&s.Title, &s.Fields, &known}
}

// FromFacts returns the spec that was read from a file, with the facts that read fills in. Errors: that of read, and that
// of ParseStatus.
func FromFacts(id, path string, read func(Facts) error) (*Spec, error) {
	s := &Spec{ID: id, Path: path}
	if err := read(Facts{&s.Title, &s.Fields, &s.content.known}); err != nil {
		return nil, err
	}
	return s, s.derive()
}

// Forget drops the document and keeps what is known of it.
func (s *Spec) Forget(count bool) { s.content = content{known: s.known(count)} }

// known returns what is known of the text. The hash is computed if the approval of the spec is compared with it.
func (s *Spec) known(count bool) Content {
	doc := s.content.doc
	if doc == nil {
		return s.content.known
	}
	sum := sha256.Sum256(doc.Bytes())
	// Half of the hash is enough to notice a change and keeps the index small.
	known := Content{Criteria: -1, Digest: hex.EncodeToString(sum[:16])}
	// Hashing parses the body, and without an approval no hash is compared.
	if a := s.Fields.Approval; a != nil && a.Hash != "" {
		known.Hash = s.content.hash()
	}
	if count {
		known.Criteria = s.content.count()
	}
	return known
}

// Counted reports whether it is known how many criteria the spec has.
func (s *Spec) Counted() bool { return s.content.doc != nil || s.content.known.Criteria >= 0 }

// Digest returns a digest of all bytes of the file.
func (s *Spec) Digest() string { return s.known(false).Digest }

// Files returns the specs with their documents, without those of which only facts are known.
func Files(specs []*Spec) []*File {
	var out []*File
	for _, s := range specs {
		if f := s.File(); f != nil {
			out = append(out, f)
		}
	}
	return out
}

// File returns the spec with its document, nil if only facts are known.
func (s *Spec) File() *File {
	if s.content.doc == nil {
		return nil
	}
	return &File{*s, s.content.doc}
}

// contentKeys lists the front-matter keys that shape the work. An approval covers their values; all other keys record
// the progress of the spec or describe it.
func contentKeys() []string { return keyNames(func(k Key) bool { return k.Shapes }) }

// ContentHash returns the hash of what a person approves: the keys that shape the work, and the title and body without
// the discussion, apart from criteria and the script in it. Ticked boxes and line ends do not change it.
func ContentHash(doc *markdown.Document) string {
	sum := sha256.New()
	for _, key := range contentKeys() {
		var value any
		// A key without a value is the same text as no key.
		if found, err := doc.Get(key, &value); err != nil || !found || value == nil {
			continue
		}
		// Marshal writes the keys of maps in order.
		text, err := yaml.Marshal(value)
		if err != nil {
			// A value that YAML can read but not write must still change the hash.
			text = fmt.Append(nil, value)
		}
		// The length keeps the end of one value from looking like the beginning of the next. Writing to a hash cannot fail.
		fmt.Fprintf(sum, "%s %d\n%s", key, len(text), text)
	}
	// A run ticks boxes, and that must not void the approval.
	plain := Untick(doc)
	// Criteria and the script count even in the discussion, because chant would use them from there.
	for _, c := range Criteria(plain) {
		fmt.Fprintf(sum, "criterion %q\n", c.Text)
	}
	if script, ok := plain.CodeBlock(ScriptHeading); ok {
		fmt.Fprintf(sum, "script %q\n", UnixLineEnds(script))
	}
	// Remarks are added after the approval, and held-out criteria are moved to a file of their own.
	body := UnixLineEnds(plain.DropSections(DiscussionHeading, HeldOutHeading).Body())
	fmt.Fprintf(sum, "body %s", bytes.TrimSpace(body))
	return hex.EncodeToString(sum.Sum(nil))
}

// Untick returns the document with every box in its sections unticked.
func Untick(doc *markdown.Document) *markdown.Document {
	// The bytes belong to the document.
	src, changed := slices.Clone(doc.Bytes()), false
	for _, h := range doc.Headings() {
		for _, task := range doc.Tasks(h.Text) {
			if src[task.Offset] != ' ' {
				src[task.Offset], changed = ' ', true
			}
		}
	}
	if !changed {
		return doc
	}
	plain, err := markdown.Parse(doc.Path(), src)
	if err != nil {
		// Cannot happen: only bytes of the body were changed.
		return doc
	}
	return plain
}

// UnixLineEnds returns a text with the line ends of Unix.
func UnixLineEnds(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }
