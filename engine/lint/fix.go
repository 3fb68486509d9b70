package lint

import (
	"bytes"
	"fmt"
	"slices"

	"chant/engine/spec"
	"chant/markdown"
)

// Fix mends what can be mended without a doubt and without loss, and says what it did:
// a computed status becomes the one it reads as, a key gets the spelling it can only
// have, a list loses its repetitions, and a box that does not count gets the form that
// does. What has an answer from a person, or is done, keeps its boxes.
func Fix(s *spec.Spec, settings Settings) (*markdown.Document, []string, error) {
	doc, did := s.Doc, []string(nil)
	for _, mend := range []func(*spec.Spec, *markdown.Document, Settings) (*markdown.Document, []string, error){
		fixStatus, fixKeys, fixItems, fixBoxes,
	} {
		next, what, err := mend(s, doc, settings)
		if err != nil {
			return nil, nil, err
		}
		if len(what) > 0 {
			doc, did = next, append(did, what...)
		}
	}
	return doc, did, nil
}

func fixStatus(s *spec.Spec, doc *markdown.Document, settings Settings) (*markdown.Document, []string, error) {
	word := s.Fields.Status
	if word == "" || word == string(s.Status) || settings.Of("status") == Off {
		return doc, nil, nil
	}
	next, err := doc.Apply(markdown.Set("status", string(s.Status)))
	return next, []string{fmt.Sprintf("status %s is now %s", word, s.Status)}, err
}

func fixItems(s *spec.Spec, doc *markdown.Document, settings Settings) (*markdown.Document, []string, error) {
	if settings.Of("duplicate_item") == Off {
		return doc, nil, nil
	}
	var did []string
	for _, list := range lists(s.Fields) {
		if repeated(list.values) == "" || commented(doc, list.key) {
			continue // what a person says of an item is not ours to drop
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
		doc, did = next, append(did, list.key+" names nothing twice")
	}
	return doc, did, nil
}

// commented reports whether something that may be a comment stands among the lines of a
// key's value.
func commented(doc *markdown.Document, key string) bool {
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

// fixKeys gives keys the spelling that they can only have.
func fixKeys(s *spec.Spec, doc *markdown.Document, settings Settings) (*markdown.Document, []string, error) {
	if settings.Of("unknown_key") == Off {
		return doc, nil, nil
	}
	var did []string
	known := knownKeys(settings)
	have, err := doc.Keys()
	for _, key := range have {
		meant := respelled(key, have, known)
		if slices.Contains(known, key) || meant == "" {
			continue
		}
		if next := renamed(doc, key, meant); next != nil && readsAs(s, next) {
			doc, did = next, append(did, fmt.Sprintf("key %s is now %s", key, meant))
			have = append(have, meant)
		}
	}
	return doc, did, err
}

// renamed is the document with another word for a key, nothing else changed; nil when
// the key does not stand at the beginning of its line.
func renamed(doc *markdown.Document, key, word string) *markdown.Document {
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
	if keys, err := next.Keys(); err != nil || !slices.Contains(keys, word) {
		return nil
	}
	return next
}

// readsAs reports whether a document still reads as the same spec in the same status.
func readsAs(s *spec.Spec, doc *markdown.Document) bool {
	next, err := spec.FromDocument(s.ID, doc)
	return err == nil && next.Status == s.Status
}
