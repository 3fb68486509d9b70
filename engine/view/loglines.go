package view

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"chant/engine"
	"chant/engine/next"
	"chant/engine/store"
)

// logLine is a line of a log and where it begins, in bytes.
type logLine struct {
	at   int64
	text []byte
}

// logLines are those from an offset on, and where they end.
type logLines struct {
	lines []logLine
	end   int64
}

// readLog reads the lines from the offset asked for on, of one attempt if that is
// asked for: then what comes before tells where it begins. While a process is at
// work a last line without its end is still being written, and left for later.
func readLog(path string, in LogInput, running bool) (logLines, error) {
	begin := in.from()
	if in.Run > 0 {
		begin = 0
	}
	src, err := readFrom(path, begin, in.from())
	if err != nil {
		return logLines{}, err
	}
	if running {
		src = src[:bytes.LastIndexByte(src, '\n')+1]
	}
	out := logLines{end: max(in.from(), begin+int64(len(src)))}
	at, inside := begin, in.Run <= 0
	for text := range bytes.Lines(src) {
		if in.Run > 0 {
			inside = ofAttempt(text, in.Run, inside)
		}
		line := logLine{at, text}
		at += int64(len(text))
		if ahead := in.from() - line.at; ahead > 0 { // all of it or its beginning was read before
			line = logLine{line.at + min(ahead, int64(len(text))), text[min(ahead, int64(len(text))):]}
		}
		if inside && len(line.text) > 0 {
			out.lines = append(out.lines, line)
		}
	}
	return out, nil
}

// readFrom reads a file from a place on; offset must lie in it.
func readFrom(path string, begin, offset int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if offset > info.Size() {
		return nil, engine.Fail(engine.Usage, next.Log.Help(), "offset %d lies beyond the end of the log, which has %d bytes", offset, info.Size())
	}
	if _, err := f.Seek(begin, io.SeekStart); err != nil {
		return nil, err
	}
	return io.ReadAll(f)
}

// ofAttempt reports whether a line belongs to an attempt; inside, whether the line
// before it does.
func ofAttempt(line []byte, attempt int, inside bool) bool {
	_, text, _ := strings.Cut(string(line), " ")
	if !strings.HasPrefix(text, store.LogHeader) {
		return inside
	}
	return strings.HasPrefix(text, fmt.Sprintf("%s%d:", store.LogHeader, attempt))
}
