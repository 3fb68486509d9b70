package providers

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"chant/providers/secret"
	"chant/text"
)

// tailSize is the number of bytes kept from the end of an output for people.
const tailSize = 4 << 10

// lineDecoder serves CLIs without a protocol: each line is an Output event and
// exit code 0 is success. It takes out secrets itself, since it keeps the end of it all.
type lineDecoder struct {
	secrets *secret.Redactor
	tail    tail
	said    LastLine // stdout
	err     LastLine // stderr
}

// finalSize is how much of an output is kept as an agent's final words, in bytes: there
// may be data in them.
const finalSize = 64 << 10

// Lines returns the decoder of a CLI without a protocol.
func Lines() Decoder { return &lineDecoder{tail: tail{keep: finalSize}} }

func (d *lineDecoder) Line(line []byte) []Event {
	text := text.Line(d.secrets.Bytes(line))
	d.tail.write([]byte(text + "\n"))
	d.said.Note(text)
	return []Event{{Kind: Output, Text: text}}
}

// Stderr implements StderrListener.
func (d *lineDecoder) Stderr(line string) []Event {
	d.err.Note(line)
	return nil
}

func (d *lineDecoder) Finish(exit Exit) Verdict {
	v := Verdict{OK: exit.Code == 0, Text: d.tail.text()}
	if !v.OK {
		v.Reason = d.err.Or(d.said).After(exit.String())
	}
	return v
}

// String describes the end for people.
func (e Exit) String() string {
	if e.Signal != "" {
		return fmt.Sprintf("ended by signal %q", e.Signal)
	}
	return fmt.Sprintf("exit code %d", e.Code)
}

// LastLine remembers the last line that says anything: for most CLIs that is
// the error.
type LastLine string

// Note takes a line; one without a word is passed over.
func (l *LastLine) Note(line string) {
	if line = strings.TrimSpace(line); line != "" {
		*l = LastLine(line)
	}
}

// Or is l, or other when l has nothing to say.
func (l LastLine) Or(other LastLine) LastLine {
	if l == "" {
		return other
	}
	return l
}

// After appends the line to a description.
func (l LastLine) After(what string) string {
	if l == "" {
		return what
	}
	return what + ": " + string(l)
}

// tail keeps the end of an output. Its zero value is ready.
type tail struct {
	buf  []byte
	cut  bool // something before buf was dropped
	keep int  // how much, in bytes; 0 = tailSize
}

func (t *tail) size() int { return cmp.Or(t.keep, tailSize) }

func (t *tail) write(p []byte) {
	t.buf = append(t.buf, p...)
	// Trimmed at twice the size, so that many small writes copy little.
	if len(t.buf) > 2*t.size() {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-t.size():]...)
		t.cut = true
	}
}

// text returns the last bytes, as many as are kept, as valid UTF-8. A cut text
// begins at a line, or at a rune when that would lose more than half.
func (t *tail) text() string {
	kept, cut := t.buf, t.cut
	if len(kept) > t.size() {
		kept, cut = kept[len(kept)-t.size():], true
	}
	if cut {
		kept = fromBorder(kept)
	}
	// Not U+FFFD, whose three bytes could make the text longer than allowed.
	return string(bytes.ToValidUTF8(kept, []byte("?")))
}

func fromBorder(p []byte) []byte {
	if i := bytes.IndexByte(p, '\n'); i >= 0 && i < len(p)/2 {
		return p[i+1:]
	}
	for i := 0; i < len(p) && i < utf8.UTFMax; i++ {
		if utf8.RuneStart(p[i]) {
			return p[i:]
		}
	}
	return p
}
