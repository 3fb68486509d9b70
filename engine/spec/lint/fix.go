package lint

import (
	"bytes"
	"fmt"
	"slices"

	"chant/engine/spec"
	"chant/markdown"
)

// Fix corrects what can be corrected with certainty and without loss, and describes what it did: a computed status
// becomes the status that it is read as, a misspelled key gets its only possible spelling, duplicates are removed from
// lists, and front matter, headings and boxes that do not count are written so that they do. Boxes of completed and
// cancelled specs are not changed.
func Fix(s *spec.File, settings Settings) (*markdown.Document, []string, error) {
	doc, did := s.Doc, []string(nil)
	for _, fix := range []func(*spec.File, *markdown.Document, Settings) (*markdown.Document, []string, error){
		fixLateMatter, fixStatus, fixKeys, fixDuplicateItems, fixUnread, fixBoxes,
	} {
		next, what, err := fix(s, doc, settings)
		if err != nil {
			return nil, nil, err
		}
		if len(what) > 0 {
			doc, did = next, append(did, what...)
		}
	}
	return doc, did, nil
}

func fixStatus(s *spec.File, doc *markdown.Document, settings Settings) (*markdown.Document, []string, error) {
	word := s.Fields.Status
	if word == "" || word == string(s.Status) || settings.SeverityOf("status") == Off {
		return doc, nil, nil
	}
	next, err := doc.Apply(markdown.Set("status", string(s.Status)))
	return next, []string{fmt.Sprintf("status %s is now %s", word, s.Status)}, err
}

func fixDuplicateItems(s *spec.File, doc *markdown.Document, settings Settings) (*markdown.Document, []string, error) {
	if settings.SeverityOf("duplicate_item") == Off {
		return doc, nil, nil
	}
	var did []string
	for _, list := range listsOf(s.Fields) {
		if firstRepeated(list.values) == "" || hasComment(doc, list.key) {
			// A person's comment on an item would be lost.
			continue
		}
		var once []string
		for _, v := range list.values {
			if !slices.Contains(once, v) {
				once = append(once, v)
			}
		}
		next, err := doc.Apply(markdown.Set(list.key, once))
		if err != nil {
			return nil, nil, err
		}
		doc, did = next, append(did, "duplicates were removed from "+list.key)
	}
	return doc, did, nil
}

// hasComment reports whether the lines of a key's value contain a "#", which may begin a comment.
func hasComment(doc *markdown.Document, key string) bool {
	// The value may have several lines, up to the next key.
	lines := bytes.Split(doc.Bytes(), []byte("\n"))
	for at := doc.KeyLine(key) - 1; at >= 0 && at < len(lines); at++ {
		if at >= doc.KeyLine(key) && len(lines[at]) > 0 && !bytes.ContainsAny(lines[at][:1], " \t-#\r]") || bytes.HasPrefix(lines[at], []byte("---")) {
			return false
		}
		if bytes.Contains(lines[at], []byte("#")) {
			return true
		}
	}
	return false
}

// fixKeys corrects misspelled keys that have only one possible spelling.
func fixKeys(s *spec.File, doc *markdown.Document, settings Settings) (*markdown.Document, []string, error) {
	if settings.SeverityOf("unknown_key") == Off {
		return doc, nil, nil
	}
	var did []string
	known := knownKeys(settings)
	have, err := doc.Keys()
	for _, key := range have {
		meant := correctedKey(key, have, known)
		if slices.Contains(known, key) || meant == "" {
			continue
		}
		// The renamed key can make another value count, and a different status must not follow from a fix.
		if next := renameKey(doc, key, meant); next != nil && readsAsSame(s, next) {
			doc, did = next, append(did, fmt.Sprintf("key %s is now %s", key, meant))
			// A second key must not get the same name.
			have = append(have, meant)
		}
	}
	return doc, did, err
}

// renameKey returns the document with another name for a key. It returns nil if the key is not at the beginning of its
// line, or if the result cannot be read.
func renameKey(doc *markdown.Document, key, word string) *markdown.Document {
	lines := bytes.SplitAfter(doc.Bytes(), []byte("\n"))
	at := doc.KeyLine(key) - 1
	rest, ok := bytes.CutPrefix(lines[at], []byte(key+":"))
	if at < 1 || !ok {
		return nil
	}
	lines[at] = slices.Concat([]byte(word+":"), rest)
	next, err := markdown.Parse(doc.Path(), bytes.Join(lines, nil))
	if err != nil {
		return nil
	}
	// The line can be part of a text of several lines and not a key.
	if keys, err := next.Keys(); err != nil || !slices.Contains(keys, word) {
		return nil
	}
	return next
}

// readsAsSame reports whether a document can be read as a spec with the same status.
func readsAsSame(s *spec.File, doc *markdown.Document) bool {
	next, err := spec.FromDocument(s.ID, doc)
	return err == nil && next.Status == s.Status
}
