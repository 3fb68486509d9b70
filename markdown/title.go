package markdown

import "bytes"

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
