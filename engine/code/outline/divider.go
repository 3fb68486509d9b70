package outline

import (
	"bytes"
	"strings"

	"chant/engine/code/chunk"
)

// paragraphs is about how many bytes a piece of text without headings has.
const paragraphs = 2000

// divider makes chunks of a text, in order.
type divider struct {
	src    []byte
	chunks []chunk.Chunk
	at     int // bytes before it have been counted
	lines  int // line breaks among them
}

// add adds the bytes between from and to, unless they are blank: as one chunk, or as several if they are too long. titles
// are those of the headings around.
func (d *divider) add(from, to int, kind chunk.Kind, title string, titles ...string) {
	for from < to {
		end := to
		if to-from > chunk.MostBytes {
			end = from + pieceOf(d.src[from:to], chunk.MostBytes)
		}
		d.piece(from, end, chunk.Chunk{Kind: kind, Symbols: symbol(title), Breadcrumb: breadcrumb(titles)})
		from = end
	}
}

// windows adds the bytes between from and to in pieces of a few paragraphs.
func (d *divider) windows(from, to int, kind chunk.Kind) {
	for from < to {
		end := from + pieceOf(d.src[from:to], paragraphs)
		d.piece(from, end, chunk.Chunk{Kind: kind})
		from = end
	}
}

func (d *divider) piece(from, end int, c chunk.Chunk) {
	if len(bytes.TrimSpace(d.src[from:end])) == 0 {
		return
	}
	c.Start, c.End, c.StartLine = from, end, d.line(from)
	c.EndLine = max(c.StartLine, d.line(end-1))
	d.chunks = append(d.chunks, c)
}

// line returns the number of the line of a byte, which does not lie before one that was asked for earlier by much.
func (d *divider) line(at int) int {
	if at < d.at {
		d.at, d.lines = 0, 0
	}
	d.lines += bytes.Count(d.src[d.at:at], []byte{'\n'})
	d.at = at
	return d.lines + 1
}

// pieceOf returns the length of a piece of at most most bytes: up to the last blank line, else the last line, else
// the last space or character.
func pieceOf(src []byte, most int) int {
	if len(src) <= most {
		return len(src)
	}
	head := src[:most]
	if at := bytes.LastIndex(head, []byte("\n\n")); at > most/4 {
		return at + 2
	}
	if at := bytes.LastIndexByte(head, '\n'); at > 0 {
		return at + 1
	}
	if at := bytes.LastIndexByte(head, ' '); at > 0 {
		return at + 1
	}
	for most > 1 && src[most]&0xC0 == 0x80 { // within a character
		most--
	}
	return most
}

func symbol(title string) []string {
	if title == "" {
		return nil
	}
	return []string{title}
}

// breadcrumb joins the titles around a section and its own, if there are several.
func breadcrumb(titles []string) string {
	if len(titles) < 2 {
		return ""
	}
	return strings.Join(titles, " > ")
}
