package view

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"chant/engine"
	"chant/engine/run/advice"
	"chant/engine/spec/next"
	"chant/engine/store/local"
)

// LogInput says which part of a log to read.
type LogInput struct {
	ID     string `json:"id" jsonschema:"Spec ID (full or partial)"`
	Lines  int    `json:"lines,omitempty" jsonschema:"Number of lines to return (default: 100)"`
	Offset *int64 `json:"offset,omitempty" jsonschema:"Return what follows this byte offset, as an earlier reply returned it"`
	Since  string `json:"since,omitempty" jsonschema:"Only lines after this time, such as 90m or 2026-11-26T10:00:00Z"`
	Run    int    `json:"run,omitempty" jsonschema:"Only this attempt"`
}

// LastAttempt as LogInput.Run is the last attempt that the log has.
const LastAttempt = -1

// LogResult is a part of a log. A reader that continues at ByteOffset gets every
// byte exactly once.
type LogResult struct {
	ID         string `json:"id"`
	Content    string `json:"content"`
	ByteOffset int64  `json:"byte_offset"`
	LineCount  int    `json:"line_count"`
	HasMore    bool   `json:"has_more"`
	Running    bool   `json:"running"` // here, or on another machine of the fleet
}

// start returns the offset to read from.
func (in LogInput) start() int64 {
	if in.Offset == nil {
		return 0
	}
	return max(0, *in.Offset)
}

// maxContent is the maximum size of the content of one reply, in bytes.
const maxContent = 1 << 20

// Log returns the last lines of a spec's log or, with an offset, the first lines
// after it, at most 1 MiB; further calls return the rest. A longer line is returned
// in parts. Errors: NotFound when the spec was never worked here, Usage for an
// invalid time or an offset after the end of the log.
func Log(ctx context.Context, p *engine.Project, in LogInput) (LogResult, error) {
	s, err := engine.FindAny(ctx, p, in.ID)
	if err != nil {
		return LogResult{}, engine.Wrap(err, in.ID)
	}
	if in.Lines <= 0 {
		in.Lines = 100
	}
	result := LogResult{ID: s.ID}
	there := false
	if _, result.Running = p.Store.Holder(s.ID); !result.Running {
		there = advice.ReadElsewhere(ctx, p, &s.Spec).RunThere(s.ID) == advice.Running
		result.Running = there
	}
	lines, err := readLog(p.Store.LogPath(s.ID), in, result.Running)
	if there && errors.Is(err, fs.ErrNotExist) {
		// A machine that has just begun has sent nothing of its log yet.
		return result, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return result, engine.Fail(engine.NotFound, next.Work.On(s.ID), "spec %q has no log: it was not worked here", s.ID)
	}
	if err == nil {
		result, err = result.choose(p, lines, in)
	}
	return engine.Done(result, err, s.ID)
}

// choose fills in the lines that the input asks for, among those after the offset.
func (r LogResult) choose(p *engine.Project, all logLines, in LogInput) (LogResult, error) {
	since, err := engine.ReadTime(p, in.Since, next.Log.Help())
	if err != nil {
		return r, err
	}
	lines := all.lines
	// Without an offset, the last lines; with one, the first after it, so that no line is skipped.
	if in.Offset == nil {
		lines = lines[max(0, len(lines)-in.Lines):]
	}
	r.ByteOffset = all.end
	var out strings.Builder
	for i, line := range lines {
		if i == in.Lines {
			r.ByteOffset = line.at
			break
		}
		if !since.IsZero() && !isAfter(line.text, since) {
			continue
		}
		// A line that is longer than any reply comes in parts; the next call continues within it.
		part := line.text[:fittingLength(line.text, maxContent-out.Len())]
		out.Write(part)
		if len(part) < len(line.text) {
			r.ByteOffset = line.at + int64(len(part))
			break
		}
		r.LineCount++
	}
	r.Content, r.HasMore = out.String(), r.ByteOffset < all.end
	return r, nil
}

// fittingLength returns how many bytes of a line fit: all or none, or, of a line that is
// longer than any reply, as many whole characters as fit.
func fittingLength(line []byte, room int) int {
	switch {
	case len(line) <= room:
		return len(line)
	case len(line) <= maxContent:
		return 0
	}
	// Not in the middle of a character, which JSON could not contain.
	for back := range min(utf8.UTFMax, room) {
		if utf8.RuneStart(line[room-back]) {
			return room - back
		}
	}
	return room
}

// isAfter reports whether a log line was written after t. The rest of a line whose
// beginning was in an earlier reply has no time and counts as after t.
func isAfter(line []byte, t time.Time) bool {
	stamp, _, _ := bytes.Cut(line, []byte(" "))
	at, err := time.Parse(time.RFC3339, string(stamp))
	// The rest of a line whose beginning was in an earlier reply has no time.
	return err != nil || at.After(t)
}

// LogSize returns the size of a spec's log in bytes, 0 if it has none yet. Errors:
// NotFound and Usage for an id that names no spec.
func LogSize(ctx context.Context, p *engine.Project, text string) (int64, error) {
	id, err := engine.Find(ctx, p, text)
	if err != nil {
		return 0, engine.Wrap(err, text)
	}
	info, err := os.Stat(p.Store.LogPath(id))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, engine.Wrap(err, id)
	}
	return info.Size(), nil
}

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

// readLog reads the lines after the offset in the input, or those of one attempt. While a process works, an incomplete last line is left out.
func readLog(path string, in LogInput, running bool) (logLines, error) {
	begin := in.start()
	if in.Run != 0 {
		// To find where the attempt begins, what precedes the offset is read, too.
		begin = 0
	}
	src, err := readFrom(path, begin, in.start())
	if err != nil {
		return logLines{}, err
	}
	if running {
		// An incomplete last line is still being written.
		src = src[:bytes.LastIndexByte(src, '\n')+1]
	}
	out := logLines{end: max(in.start(), begin+int64(len(src)))}
	if in.Run == LastAttempt {
		in.Run = lastAttemptIn(src)
	}
	at, inside := begin, in.Run <= 0
	for text := range bytes.Lines(src) {
		if in.Run > 0 {
			inside = belongsToAttempt(text, in.Run, inside)
		}
		line := logLine{at, text}
		at += int64(len(text))
		// The line or its beginning precedes the offset.
		if ahead := in.start() - line.at; ahead > 0 {
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

// lastAttemptIn returns the number of the last attempt in a log, 0 if it names none.
func lastAttemptIn(log []byte) int {
	last := 0
	for line := range bytes.Lines(log) {
		_, text, _ := strings.Cut(string(line), " ")
		rest, begins := strings.CutPrefix(text, local.LogHeader)
		number, _, _ := strings.Cut(rest, ":")
		if n, err := strconv.Atoi(number); begins && err == nil {
			last = n
		}
	}
	return last
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
