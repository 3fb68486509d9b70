package view

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"chant/engine"
	"chant/engine/local"
	"chant/engine/next"
)

// logLine is a line of a log and the offset of its beginning, in bytes.
type logLine struct {
	at   int64
	text []byte
}

// logLines are the lines of a log after an offset, and the offset of their end.
type logLines struct {
	lines []logLine
	end   int64
}

// readLog reads the lines after the offset in the input, or those of one attempt: then
// it also reads what precedes the offset, to find where the attempt begins. While a
// process works, an incomplete last line is still being written and is left out.
func readLog(path string, in LogInput, running bool) (logLines, error) {
	begin := in.start()
	if in.Run > 0 {
		begin = 0
	}
	src, err := readFrom(path, begin, in.start())
	if err != nil {
		return logLines{}, err
	}
	if running {
		src = src[:bytes.LastIndexByte(src, '\n')+1]
	}
	out := logLines{end: max(in.start(), begin+int64(len(src)))}
	at, inside := begin, in.Run <= 0
	for text := range bytes.Lines(src) {
		if in.Run > 0 {
			inside = belongsToAttempt(text, in.Run, inside)
		}
		line := logLine{at, text}
		at += int64(len(text))
		if ahead := in.start() - line.at; ahead > 0 { // the line or its beginning precedes the offset
			line = logLine{line.at + min(ahead, int64(len(text))), text[min(ahead, int64(len(text))):]}
		}
		if inside && len(line.text) > 0 {
			out.lines = append(out.lines, line)
		}
	}
	return out, nil
}

// readFrom reads a file from begin to its end; offset must not exceed its size.
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

// belongsToAttempt reports whether a line belongs to an attempt; inside says whether the
// line before it does.
func belongsToAttempt(line []byte, attempt int, inside bool) bool {
	_, text, _ := strings.Cut(string(line), " ")
	if !strings.HasPrefix(text, local.LogHeader) {
		return inside
	}
	return strings.HasPrefix(text, fmt.Sprintf("%s%d:", local.LogHeader, attempt))
}
