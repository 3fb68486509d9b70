package template

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// Template is a spec template.
type Template struct {
	Name        string // of its file, without the extension
	Path        string // of its file; relative to the top of the project if it is the project's
	Own         bool   // the project's, otherwise the user's
	Description string // "" if the file has none
	Variables   []Variable
	Source      []byte // the file

	stated string // the name in the front matter
	fields []field
	body   string // with the line ends of Unix
	doc    *markdown.Document
}

// Variable is a variable that a template declares.
type Variable struct {
	Name        string  `yaml:"name" json:"name"`
	Description string  `yaml:"description" json:"description,omitempty"`
	Required    bool    `yaml:"required" json:"required"`
	Default     *string `yaml:"default" json:"default,omitempty"` // nil without one
}

// Needed reports whether no spec can be added without a value for the variable.
func (v Variable) Needed() bool { return v.Required && v.Default == nil }

// field is a key of the front matter that the spec gets.
type field struct {
	key   string
	value yaml.Node
}

// Parse reads a template. The path is for messages. Error: *markdown.SyntaxError with path and line for a front matter
// that is broken or has a value that no new spec may have.
func Parse(name, path string, src []byte) (Template, error) {
	t := Template{Name: name, Path: path, Source: src}
	doc, err := markdown.Parse(path, src)
	if err != nil {
		return t, err
	}
	t.doc = doc
	t.body = strings.ReplaceAll(strings.TrimLeft(string(doc.Body()), "\r\n\ufeff"), "\r\n", "\n")
	if !utf8.Valid(src) {
		return t, t.errorAt(1, "it is not UTF-8 text")
	}
	if err := t.readMatter(); err != nil {
		return t, err
	}
	return t, t.check()
}

// readMatter reads the front matter.
func (t *Template) readMatter() error {
	keys, err := t.doc.Keys()
	if err != nil {
		return t.explainError(err)
	}
	for _, key := range keys {
		f := field{key: key}
		if _, err := t.doc.Get(key, &f.value); err != nil {
			return err
		}
		// YAML reads {{name}} without quotes as a mapping, with an error that does not name the reason.
		if line := bareBraces(&f.value); line > 0 {
			return t.errorAt(line+1, "%s: put quotes around a value that begins with braces", key) // +1: the fence
		}
		switch key {
		case "name":
			_, err = t.doc.Get(key, &t.stated)
		case "description":
			_, err = t.doc.Get(key, &t.Description)
		case "variables":
			_, err = t.doc.Get(key, &t.Variables)
		default:
			// Into any, which checks aliases and duplicate keys.
			var whole any
			_, err = t.doc.Get(key, &whole)
			t.fields = append(t.fields, f)
		}
		if err != nil {
			return t.explainError(err)
		}
	}
	return nil
}

// bareBraces is the line of the YAML on which {{name}} is not in quotes, which makes it a mapping; 0 without one.
func bareBraces(n *yaml.Node) int {
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && child.Kind == yaml.MappingNode {
			return child.Line
		}
		if line := bareBraces(child); line > 0 {
			return line
		}
	}
	return 0
}

// explainError adds to an error about YAML what is probably the reason: a variable that is not in quotes.
func (t *Template) explainError(err error) error {
	syntax, ok := errors.AsType[*markdown.SyntaxError](err)
	if !ok {
		return err
	}
	lines := bytes.Split(t.Source, []byte("\n"))
	if syntax.Line < 1 || syntax.Line > len(lines) || !unquoted().Match(lines[syntax.Line-1]) {
		return err
	}
	return t.errorAt(syntax.Line, "%s; put quotes around a value that begins with braces", syntax.Msg)
}

// unquoted matches a value of YAML that begins with two braces.
var unquoted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[:\-,\[]\s*\{\{`) })

// errorAt returns an error about a line of the file.
func (t *Template) errorAt(line int, format string, args ...any) error {
	return &markdown.SyntaxError{Path: t.Path, Line: line, Msg: fmt.Sprintf(format, args...)}
}
