package providers

import (
	"fmt"
	"strings"
)

// tailSize is how much of an output is kept for people, in bytes.
const tailSize = 4 << 10

// lineDecoder serves CLIs without a protocol: each line is an Output event and
// exit code 0 is success.
type lineDecoder struct {
	tail tail
	said lastLine // stdout
	err  lastLine // stderr
}

// finalSize is how much of an output is kept as an agent's final words, in bytes: there
// may be data in them.
const finalSize = 64 << 10

func newLineDecoder() Decoder { return &lineDecoder{tail: tail{keep: finalSize}} }

func (d *lineDecoder) Line(line []byte) []Event {
	text := printable(line)
	d.tail.write([]byte(text + "\n"))
	d.said.note(text)
	return []Event{{Kind: Output, Text: text}}
}

func (d *lineDecoder) stderr(line string) { d.err.note(line) }

func (d *lineDecoder) Finish(exit Exit) Verdict {
	v := Verdict{OK: exit.Code == 0, Text: d.tail.text()}
	if !v.OK {
		words := d.err
		if words == "" {
			words = d.said
		}
		v.Reason = words.after(exit.String())
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

// lastLine remembers the last line that says anything: for most CLIs that is
// the error.
type lastLine string

func (l *lastLine) note(line string) {
	if line = strings.TrimSpace(line); line != "" {
		*l = lastLine(clip(line, 400))
	}
}

// after appends the line to a description.
func (l lastLine) after(what string) string {
	if l == "" {
		return what
	}
	return what + ": " + string(l)
}

// printable makes text of a line as it came: valid UTF-8, no carriage return
// at its end.
func printable(line []byte) string {
	return strings.ToValidUTF8(strings.TrimSuffix(string(line), "\r"), "\uFFFD")
}

// clip shortens text to at most limit bytes, at a rune's border.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}
