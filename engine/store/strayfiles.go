package store

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"strings"

	"chant/engine/spec"
)

// StrayFiles lists what a person will have meant as a spec in the folder of specs at home and what is not read as one: files
// in folders below it, and those whose name ends in another way of Markdown. Links are not followed. Paths are slash-separated, from home.
func (s *Store) StrayFiles() []string {
	var out []string
	entries, err := os.ReadDir(filepath.Join(s.home, filepath.FromSlash(SpecsDir)))
	if err != nil {
		// Without the folder there is nothing; that it cannot be read is reported where specs are listed.
		return nil
	}
	for _, e := range entries {
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			// One level is enough to notice it. Deeper ones are in the way of nothing else.
			below, err := os.ReadDir(filepath.Join(s.home, filepath.FromSlash(SpecsDir), e.Name()))
			for _, b := range below {
				name := path.Join(SpecsDir, e.Name(), b.Name())
				if err == nil && b.Type().IsRegular() && isMarkdown(b.Name()) && s.looksLikeSpec(name) {
					out = append(out, name)
				}
			}
		case e.Type().IsRegular() && isMarkdown(e.Name()) && !strings.HasSuffix(e.Name(), ".md"):
			out = append(out, path.Join(SpecsDir, e.Name()))
		}
	}
	return out
}

// looksLikeSpec reports whether a file begins with front matter or has a heading of criteria: others are notes.
func (s *Store) looksLikeSpec(name string) bool {
	src, err := os.ReadFile(filepath.Join(s.home, filepath.FromSlash(name)))
	return err == nil && (bytes.HasPrefix(src, []byte("---\n")) || bytes.Contains(src, []byte("## "+spec.CriteriaHeading)))
}

// isMarkdown reports whether the name of a file is one of Markdown, in any case.
func isMarkdown(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".md" || ext == ".markdown"
}
