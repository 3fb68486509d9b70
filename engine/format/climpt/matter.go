package climpt

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"chant/markdown"
)

// matter is the front matter of a prompt.
type matter struct {
	C1, C2, C3  string
	Title       string
	Description string
	Usage       string
	Options     *Options
	UV          []map[string]string `yaml:"uv"`
}

// knownKeys are the keys of the front matter of prompts, climpt's (C3L 0.5) and chant's.
func knownKeys() []string {
	return []string{"c1", "c2", "c3", "title", "description", "usage", "c3l_version", "options", "uv", "name", "purpose", "extends"}
}

// FromPrompt describes the command of a prompt file by its front matter. at is the name that the path of the file gives
// it, which counts. Without a description it has the title or the first heading. The warnings have the place of what is
// ignored. Error: *markdown.SyntaxError with path and line.
func FromPrompt(path string, at Name, src []byte) (c Command, warnings []string, err error) {
	if !utf8.Valid(src) {
		return c, nil, &markdown.SyntaxError{Path: path, Line: lineOfBad(src), Msg: "the prompt is not a text in UTF-8"}
	}
	doc, err := markdown.Parse(path, src)
	if err != nil {
		return c, nil, err
	}
	var m matter
	if err := doc.Decode(&m); err != nil {
		return c, nil, err
	}
	warn := func(key, format string, args ...any) {
		warnings = append(warnings, fmt.Sprintf("%s:%d: ", path, max(1, doc.KeyLine(key)))+fmt.Sprintf(format, args...))
	}
	for _, w := range []struct{ key, text, path string }{{"c1", m.C1, at.C1}, {"c2", m.C2, at.C2}, {"c3", m.C3, at.C3}} {
		// The path of the file counts, since that is how the command is found.
		if w.text != "" && w.text != w.path {
			warn(w.key, "%s is %q, but the file is that of %q", w.key, clip(w.text), at)
		}
	}
	keys, err := doc.Keys()
	if err != nil {
		return c, nil, err
	}
	for _, key := range keys {
		if !slices.Contains(knownKeys(), key) {
			warn(key, "unknown key %q is ignored", clip(key))
		}
	}
	c = Command{Name: at, Title: m.Title, Description: m.Description, Usage: m.Usage, Options: m.Options}
	if c.Title == "" {
		c.Title = doc.Title()
	}
	if c.Description == "" {
		c.Description = c.Title
	}
	for _, each := range m.UV {
		for _, name := range keysOf(each) {
			if err := CheckVariable(name); err != nil {
				warn("uv", "%s", err)
				continue
			}
			c.Variables = append(c.Variables, Variable{name, each[name]})
		}
	}
	return c, warnings, nil
}

// lineOfBad is the line with the first bytes that are not UTF-8.
func lineOfBad(src []byte) int {
	line := 1
	for text := range bytes.Lines(src) {
		if !utf8.Valid(text) {
			break
		}
		line++
	}
	return line
}

// keysOf are the keys of a map in order.
func keysOf[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// FileName is the name of the prompt file of an edition and an adaptation; "" is the default of either.
func FileName(edition, adaptation string) string {
	if edition == "" {
		edition = Default
	}
	if adaptation == "" {
		return "f_" + edition + ".md"
	}
	return "f_" + edition + "_" + adaptation + ".md"
}

// FileNames are the prompt files that are looked for, in order: the edition with the adaptation, the edition, and the
// same of the default edition.
func FileNames(edition, adaptation string) []string {
	names := []string{FileName(edition, adaptation), FileName(edition, ""), FileName(Default, adaptation), FileName(Default, "")}
	var out []string
	for _, name := range names {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// VariantOf reads edition and adaptation from the name of a prompt file; false for other files.
func VariantOf(name string) (edition, adaptation string, ok bool) {
	stem, isMarkdown := strings.CutSuffix(name, ".md")
	stem, isPrompt := strings.CutPrefix(stem, "f_")
	if !isMarkdown || !isPrompt || stem == "" {
		return "", "", false
	}
	edition, adaptation, _ = strings.Cut(stem, "_")
	return edition, adaptation, true
}
