package prompt

import (
	"bytes"
	"cmp"
	"regexp"
	"strings"
	"sync"

	"chant/markdown"
)

// Prompt is the content of a prompt file.
type Prompt struct {
	Name        string
	Title       string // the following are as the front matter has them, "" without the key
	Description string // also from the older key purpose
	C1, C2, C3  string // its name as a command
	Extends     string // the name of another prompt, "" for none
	Shipped     bool   // part of the program, otherwise of the project
	Source      []byte // the file

	doc  *markdown.Document
	body string
	from int // the line of the file on which body begins
}

// marker is the place in a prompt for the text of the prompt that it extends.
var marker = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{\{>\s*parent\s*\}\}`)
})

// Parse reads a prompt. The path is for messages. Errors: *markdown.SyntaxError with
// path and line for a broken front matter, and for a prompt that extends another
// without the marker or has the marker without extending one.
func Parse(name, path string, src []byte) (Prompt, error) {
	doc, err := markdown.Parse(path, src)
	if err != nil {
		return Prompt{}, err
	}
	var fields struct {
		Title       string `yaml:"title"`
		Description string `yaml:"description"`
		Purpose     string `yaml:"purpose"`
		C1          string `yaml:"c1"`
		C2          string `yaml:"c2"`
		C3          string `yaml:"c3"`
		Extends     string `yaml:"extends"`
	}
	if err := doc.Decode(&fields); err != nil {
		return Prompt{}, err
	}
	p := Prompt{
		Name: name, Title: fields.Title, Description: cmp.Or(fields.Description, fields.Purpose),
		C1: fields.C1, C2: fields.C2, C3: fields.C3, Extends: fields.Extends, Source: src, doc: doc,
	}
	raw := string(doc.Body())
	p.body = strings.TrimLeft(raw, "\r\n")
	p.from = lineAt(doc.Bytes(), len(doc.Bytes())-len(p.body))
	return p, p.check()
}

// check refuses a marker without `extends`, and the reverse.
func (p Prompt) check() error {
	found := marker().FindAllStringIndex(p.body, -1)
	switch {
	case p.Extends != "" && len(found) == 0:
		return p.errorAt(p.doc.KeyLine("extends"), "extends "+quote(p.Extends)+", but has no {{> parent}} where that goes")
	case p.Extends == "" && len(found) > 0:
		return p.errorAt(p.lineOf(found[0][0]), "{{> parent}} is in a prompt that extends none")
	case len(found) > 1:
		return p.errorAt(p.lineOf(found[1][0]), "{{> parent}} is used a second time")
	}
	return nil
}

// errorAt returns an error about a line of the prompt's file.
func (p Prompt) errorAt(line int, msg string) error {
	return &markdown.SyntaxError{Path: p.doc.Path(), Line: line, Msg: msg}
}

// lineOf is the line of the file at an offset of the body.
func (p Prompt) lineOf(offset int) int {
	return p.from + strings.Count(p.body[:offset], "\n")
}

// lineAt is the line at an offset, from 1.
func lineAt(src []byte, offset int) int { return 1 + bytes.Count(src[:offset], []byte("\n")) }
