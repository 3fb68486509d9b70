package node

import (
	"bytes"
	"errors"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"time"
)

// maxTail is how much of the end of a log is compared with what the fleet has, in bytes: more than the fleet keeps.
const maxTail = 16 << 20

// maxLine limits a line whose end has not come, in bytes.
const maxLine = 1 << 20

// maxCopy limits a log in this clone, in bytes. A machine could write without end.
const maxCopy = 256 << 20

// logCopy is the log of a spec in this clone, to which the log in the fleet is added.
type logCopy struct {
	path  string
	seed  maphash.Seed
	known map[uint64]int // lines that the file had, and how often; nil once the fleet has sent what it had before
	begun bool           // something has come
	part  []byte         // a line whose end has not come
	cut   []byte         // the last line of the file, if it has no end
	size  int64          // of the file
}

// openCopy reads what the log at a path has. The file need not exist.
func openCopy(path string) (*logCopy, error) {
	c := &logCopy{path: path, seed: maphash.MakeSeed(), known: map[uint64]int{}}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	c.size = info.Size()
	// The fleet keeps less than this of a log, so older lines cannot come again.
	tail, err := io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-maxTail), maxTail))
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(tail) {
		if line[len(line)-1] != '\n' {
			c.cut = bytes.Clone(line)
			continue
		}
		c.known[maphash.Bytes(c.seed, line)]++
	}
	return c, nil
}

// add adds a piece of the fleet's log. A piece may end within a line, which is written when it is whole.
func (c *logCopy) add(piece []byte) error {
	c.part = append(c.part, piece...)
	end := bytes.LastIndexByte(c.part, '\n') + 1
	// A line without an end must not grow in memory.
	if end == 0 && len(c.part) < maxLine {
		return nil
	}
	if end == 0 {
		end = len(c.part)
	}
	whole := c.part[:end]
	c.part = bytes.Clone(c.part[end:])
	var out []byte
	for line := range bytes.Lines(whole) {
		if !c.has(line) {
			out = append(out, line...)
		}
	}
	return c.write(out)
}

// has reports whether a line is in the file already, and so must not be written. The fleet keeps only the last pieces of
// a log, so that the first one may begin within a line, which is left out.
func (c *logCopy) has(line []byte) bool {
	first := !c.begun
	c.begun = true
	// The fleet keeps only the last pieces, so the first one may begin within a line.
	if first && !isStamped(line) {
		return true
	}
	key := maphash.Bytes(c.seed, line)
	// Counted, since a log can have the same line several times in one millisecond.
	if c.known[key] == 0 {
		return false
	}
	c.known[key]--
	return true
}

// isStamped reports whether a line begins with a time.
func isStamped(line []byte) bool {
	stamp, _, _ := bytes.Cut(line, []byte(" "))
	_, err := time.Parse(time.RFC3339, string(bytes.TrimSpace(stamp)))
	return err == nil
}

// caughtUp means that the fleet has sent all that was there when it was asked: what follows is new.
func (c *logCopy) caughtUp() { c.known, c.begun = nil, true }

// end writes the line whose end has not come.
func (c *logCopy) end() error {
	rest := c.part
	c.part = nil
	// Before the fleet has sent everything, the rest of the line may be in the file already.
	if len(rest) == 0 || bytes.HasPrefix(c.cut, rest) || c.known != nil {
		return nil
	}
	return c.write(rest)
}

// write appends to the file. A last line without an end, which a process has left that was killed, becomes whole if the
// text begins with it.
func (c *logCopy) write(out []byte) error {
	if len(out) == 0 || c.size >= maxCopy {
		return nil
	}
	if c.cut != nil {
		// A process that was killed has left the beginning of this line.
		if rest, same := bytes.CutPrefix(out, c.cut); same {
			out = rest
		} else {
			out = append([]byte("\n"), out...)
		}
	}
	f, err := os.OpenFile(c.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	n, err := f.Write(out)
	c.size += int64(n)
	// Only after the write: a failed one leaves the cut line as it was.
	if err = errors.Join(err, f.Close()); err == nil {
		c.cut = nil
	}
	return err
}
