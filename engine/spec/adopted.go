package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"chant/markdown"
)

// Adopted is what a spec takes from the folder that its key `source` names: a feature of spec-kit, or a change of
// OpenSpec. Its text is read where it is and never copied into the spec.
type Adopted struct {
	Dir      string      // of the folder, from the top of the repository; not that of the key if the folder was archived
	Kind     string      // of the tool whose folder it is, such as "openspec"
	Files    []string    // of the folder, from the top, in order
	Criteria []Criterion // in order; Number and, of those without a box, Checked are set by File.Criteria
	Tasks    int         // how many of the criteria are tasks
	Digest   string      // of its text, with all boxes unticked
	Moved    bool        // Dir is not the folder that the key names
	Problem  string      // why the folder cannot be read, "" if it can
}

// Adopt gives the spec what was read from the folder of its key `source`.
func (s *Spec) Adopt(a *Adopted) { s.content.adopted = a }

// Adopted returns what the spec takes from the folder of its key `source`; nil without the key.
func (s *Spec) Adopted() *Adopted { return s.content.adopted }

// Has reports whether a file is below the folder.
func (a *Adopted) Has(file string) bool { return a != nil && strings.HasPrefix(file, a.Dir+"/") }

// OnlyChecks reports whether there is nothing to do but to check what others have done.
func (a *Adopted) OnlyChecks() bool { return a != nil && a.Tasks == 0 }

// Text identifies the text of the folder, apart from its boxes; "" without a folder.
func (a *Adopted) Text() string {
	if a == nil {
		return ""
	}
	return a.Digest
}

// InSource reports whether the criterion has its box in a file of an adopted folder.
func (c Criterion) InSource() bool { return c.File != "" && !c.Boxless }

// Criteria lists the acceptance criteria of the spec: those in its own file, and those of the folder of `source`.
func (f *File) Criteria() []Criterion {
	all := Criteria(f.Doc)
	if f.content.adopted != nil {
		all = f.content.adopted.join(all, f.Fields.Met)
	}
	for i, c := range all {
		// The front matter may hold the text on several lines.
		// A box that was ticked since is what decides where no command does.
		all[i].Failed = (c.Runs() || !c.Checked) && slices.ContainsFunc(f.Fields.Failures, func(text string) bool { return OneLine(text) == OneLine(c.Text) })
	}
	return all
}

// join appends the criteria of the folder to those of the spec's own file.
func (a *Adopted) join(own []Criterion, met []string) []Criterion {
	// Appending to the caller's slice could overwrite what follows it there.
	out := slices.Clip(own)
	for _, c := range a.Criteria {
		c.Number = len(out) + 1
		if c.Boxless {
			// An older entry of `met` may be the key of the criterion and not its id.
			c.Checked = slices.Contains(met, c.ID) || c.Key != "" && slices.Contains(met, c.Key)
		}
		out = append(out, c)
	}
	return out
}

// AdoptedID returns the id of a criterion of an adopted folder: the hash of the file, as seen from the folder, and the
// text. It remains the same when the folder moves.
func AdoptedID(file, text string) string { return TextID(file + ": " + text) }

// NumberRepeated makes the ids of criteria distinct that have the same text in the same file.
func NumberRepeated(all []Criterion) {
	seen := map[string]int{}
	for i := range all {
		id := all[i].ID
		if seen[id]++; seen[id] > 1 {
			all[i].ID = fmt.Sprintf("%s-%d", id, seen[id])
		}
	}
}

// Tick ticks or unticks criteria by id and returns the document. Boxes in files of the folder of `source` are not in the
// document; their ids are ignored. It returns an error if the spec lacks one of the ids.
func (f *File) Tick(boxes map[string]bool) (*markdown.Document, error) {
	if f.content.adopted == nil {
		return Check(f.Doc, boxes)
	}
	own := map[string]bool{}
	met, changed := slices.Clone(f.Fields.Met), false
	for id, ticked := range boxes {
		own[id] = ticked
	}
	for _, c := range f.Criteria() {
		ticked, given := boxes[c.ID]
		if !given || c.File == "" {
			continue
		}
		delete(own, c.ID)
		// A box in a file of the folder is ticked in that file, by its owner.
		if !c.Boxless || ticked == c.Checked {
			continue
		}
		// Both forms go, so that no older entry remains after the criterion was unticked.
		met, changed = slices.DeleteFunc(met, func(m string) bool { return m == c.ID || m == c.Key }), true
		if ticked {
			met = append(met, c.ID)
		}
	}
	doc, err := Check(f.Doc, own)
	if err != nil || !changed {
		return doc, err
	}
	slices.Sort(met)
	// An empty list would remain as a key that records nothing.
	if len(met) == 0 {
		return doc.Apply(markdown.Unset("met"))
	}
	return doc.Apply(markdown.Set("met", []string(met)))
}

// ContentHash is ContentHash of the spec's text together with the text of the folder of `source`.
func (f *File) ContentHash() string { return f.content.hash() }

// hashWith returns the hash of a text together with that of the folder.
func (a *Adopted) hashWith(hash string) string {
	if a == nil {
		return hash
	}
	sum := sha256.New()
	// Writing to a hash cannot fail.
	io.WriteString(sum, hash+" "+a.Digest) //nolint:errcheck
	return hex.EncodeToString(sum.Sum(nil))
}
