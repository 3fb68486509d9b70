package local

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
)

// LogLine is one line of a log and its time, UTC.
type LogLine struct {
	At   time.Time
	Text string
}

// String returns the line as in the log.
func (l LogLine) String() string { return l.At.Format(logStamp) + " " + l.Text }

// LogCut begins the text of the last line of a log that has reached its limit.
const LogCut = "(log cut at "

// LogTail returns the last lines of a spec's log, reading at most limit bytes from
// its end. A line that begins before that is left out, except that the end of the last
// line is always returned. Without a log there are no lines.
func (l Files) LogTail(id string, limit int64) ([]LogLine, error) {
	f, err := os.Open(l.LogPath(id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("log of %q: %w", id, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("log of %q: %w", id, err)
	}
	src := make([]byte, min(limit, info.Size()))
	n, err := f.ReadAt(src, info.Size()-int64(len(src)))
	// The end of the file may come early: another process may have truncated it.
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("log of %q: %w", id, err)
	}
	return logLines(string(src[:n]), int64(n) == info.Size(), info.ModTime()), nil
}

// logLines splits text into lines; whole says that the text begins with a whole line.
func logLines(text string, whole bool, written time.Time) []LogLine {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return nil
	}
	var out []LogLine
	for line := range strings.SplitSeq(text, "\n") {
		stamp, rest, _ := strings.Cut(line, " ")
		at, err := time.Parse(time.RFC3339, stamp)
		// A line without a time is the end of one that was cut off, or was written by hand.
		if err != nil {
			at, rest = written, line
		}
		out = append(out, LogLine{at.UTC(), rest})
	}
	// The first line begins before the part that was read; alone, its end is still better than nothing.
	if !whole && len(out) > 1 {
		out = out[1:]
	}
	return out
}
