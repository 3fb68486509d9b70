package markdown

import (
	"bytes"
	"slices"
	"sync"
)

// Document is one immutable parsed file. Edits return a new one.
type Document struct {
	path   string
	src    []byte
	fenced bool // whether there is a front matter
	matter span // between the fences
	body   int  // where the body begins

	matterOnce sync.Once
	root       mapping
	rootErr    error

	bodyOnce sync.Once
	outline  outline
}

// span is a range of bytes, the end excluded.
type span struct{ start, end int }

// Parse splits src into front matter and body; it keeps a copy. It decodes no YAML and does not look into the
// body. The path is only used in messages.
//
// A front matter begins at a first line "---" (after an optional byte order mark) and ends at the next line
// "---"; spaces and tabs may follow the dashes, nothing may precede them. A missing end is a
// [*SyntaxError]. A file without front matter is all body.
func Parse(path string, src []byte) (*Document, error) {
	return parse(path, slices.Clone(src))
}

// parse is [Parse] without the copy, for bytes that no other code refers to.
func parse(path string, src []byte) (*Document, error) {
	// Such bytes would parse as something else than their writer sees.
	if fault := encodingError(src); fault != "" {
		return nil, &SyntaxError{Path: path, Line: 1, Msg: fault}
	}
	d := &Document{path: path, src: src}
	d.body = len(byteOrderMark(src))
	if !opensMatter(src) {
		return d, nil
	}
	first := lineEnd(src, d.body)
	for at := first; at < len(src); {
		end := lineEnd(src, at)
		if isFence(src[at:end]) {
			d.fenced, d.matter, d.body = true, span{first, at}, end
			return d, nil
		}
		at = end
	}
	return nil, &SyntaxError{Path: path, Line: 1, Msg: `front matter has no closing line "---"`}
}

// Path returns the name given to [Parse].
func (d *Document) Path() string { return d.path }

// Bytes returns exactly the file.
func (d *Document) Bytes() []byte { return d.view(span{0, len(d.src)}) }

// HasFrontMatter reports whether the file begins with a front matter, an empty one included.
func (d *Document) HasFrontMatter() bool { return d.fenced }

// FrontMatter returns the text between the fences, nil without front matter.
func (d *Document) FrontMatter() []byte {
	if !d.fenced {
		return nil
	}
	return d.view(d.matter)
}

// Body returns what follows the closing fence line; without front matter all of the file but a byte order
// mark.
func (d *Document) Body() []byte { return d.view(span{d.body, len(d.src)}) }

// WithBody returns the document with another body. The front matter stays byte for byte. A body that would
// itself read as front matter gets an empty front matter before it.
func (d *Document) WithBody(body []byte) *Document {
	head := d.src[:d.body]
	eol := d.eol()
	if d.fenced {
		// The closing fence may be the last line, without a line end.
		if len(body) > 0 && !bytes.HasSuffix(head, []byte("\n")) {
			head = slices.Concat(head, []byte(eol))
		}
	} else if opensMatter(slices.Concat(head, body)) {
		head = slices.Concat(head, []byte("---"+eol+"---"+eol))
	}
	src := slices.Concat(head, body)
	if next, err := parse(d.path, src); err == nil {
		return next
	}
	// A head that parsed once ends at its own closing fence, so this is not reached; a document that is all
	// body is still the honest answer.
	return &Document{path: d.path, src: src}
}

// view returns bytes of the file, capped so that an append by the caller cannot reach what follows.
func (d *Document) view(s span) []byte { return d.src[s.start:s.end:s.end] }

// eol returns the line ending of the file, judged by its first line.
func (d *Document) eol() string {
	if i := bytes.IndexByte(d.src, '\n'); i > 0 && d.src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// Title returns the text of the first level-1 heading that has one, with "#" before it or "=" below it, with its inline
// markup, or "".
func (d *Document) Title() string {
	// Lists of thousands of files need nothing else of the body, and nearly all of these begin with their title: that
	// needs no syntax tree.
	for rest := d.Body(); len(rest) > 0; {
		line := rest[:lineEnd(rest, 0)]
		if rest = rest[len(line):]; isBlank(line) {
			continue
		}
		if title := atxText(bytes.Trim(line, " \t\r\n")); title != "" && indentOf(line) <= 3 {
			return title
		}
		break
	}
	for _, h := range d.Headings() {
		if h.Level == 1 && h.Text != "" {
			return h.Text
		}
	}
	return ""
}

// opensFence returns the run of a line that opens a fenced code block, nil if it opens none.
func opensFence(text []byte) []byte {
	if len(text) < 3 || text[0] != '`' && text[0] != '~' {
		return nil
	}
	rest := bytes.TrimLeft(text, string(text[:1]))
	run := text[:len(text)-len(rest)]
	// Markdown does not let a fence of backticks have another one on its line.
	if len(run) < 3 || run[0] == '`' && bytes.IndexByte(rest, '`') >= 0 {
		return nil
	}
	return run
}

// atxText returns the text of a level-1 heading without its closing run, "" if the line is none.
func atxText(text []byte) string {
	rest, ok := bytes.CutPrefix(text, []byte("#"))
	if !ok || len(rest) == 0 || rest[0] != ' ' && rest[0] != '\t' {
		return ""
	}
	rest = bytes.Trim(rest, " \t")
	open := bytes.TrimRight(rest, "#")
	if len(open) == 0 {
		return ""
	}
	if len(open) < len(rest) && (open[len(open)-1] == ' ' || open[len(open)-1] == '\t') {
		rest = bytes.TrimRight(open, " \t")
	}
	return string(rest)
}
