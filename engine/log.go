package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"chant/engine/store"
	"chant/gitops"
)

// LogInput says which part of a log to read.
type LogInput struct {
	ID     string `json:"id" jsonschema:"Spec ID (full or partial)"`
	Lines  int    `json:"lines,omitempty" jsonschema:"Number of lines to return (default: 100)"`
	Offset *int64 `json:"offset,omitempty" jsonschema:"Return what follows this byte offset, as an earlier reply gave it"`
	Since  string `json:"since,omitempty" jsonschema:"Only lines after this time (RFC 3339)"`
	Run    int    `json:"run,omitempty" jsonschema:"Only this attempt"`
}

// LogResult is a part of a log. Reading on from ByteOffset gives every byte
// exactly once.
type LogResult struct {
	ID         string `json:"id"`
	Content    string `json:"content"`
	ByteOffset int64  `json:"byte_offset"`
	LineCount  int    `json:"line_count"`
	HasMore    bool   `json:"has_more"`
	Running    bool   `json:"running"`
}

// from is the offset to read from.
func (in LogInput) from() int64 {
	if in.Offset == nil {
		return 0
	}
	return max(0, *in.Offset)
}

// Log returns the last lines of a spec's log or, with an offset, the first lines
// behind it. Errors: NotFound when the spec was never worked here, Usage for a
// time that cannot be read.
func (e *Engine) Log(ctx context.Context, in LogInput) (LogResult, error) {
	s, err := e.findAny(ctx, in.ID)
	if err != nil {
		return LogResult{}, wrap(err, in.ID)
	}
	if in.Lines <= 0 {
		in.Lines = 100
	}
	result := LogResult{ID: s.ID}
	_, result.Running = gitops.HeldBy(e.store.LockPath(s.ID))
	src, err := readFrom(e.store.LogPath(s.ID), in.from())
	if errors.Is(err, fs.ErrNotExist) {
		return result, fail(NotFound, "chant work "+s.ID, "spec %q has no log: it was not worked here", s.ID)
	}
	if err != nil {
		return result, wrap(err, s.ID)
	}
	result, err = result.fill(src, in)
	return done(result, err, s.ID)
}

// readFrom reads the whole lines of a file behind an offset. A last line without
// its end is still being written and left for the next time.
func readFrom(path string, offset int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		return nil, err
	}
	src, err := io.ReadAll(f)
	return src[:bytes.LastIndexByte(src, '\n')+1], err
}

// fill chooses among the lines of src, which begins at the offset asked for.
func (r LogResult) fill(src []byte, in LogInput) (LogResult, error) {
	since := time.Time{}
	if in.Since != "" {
		var err error
		if since, err = time.Parse(time.RFC3339, in.Since); err != nil {
			return r, fail(Usage, "chant log --help", "time %q is not in RFC 3339 form", in.Since)
		}
	}
	lines := bytes.SplitAfter(src, []byte("\n"))
	lines = lines[:len(lines)-1]
	if in.Run > 0 {
		lines = ofAttempt(lines, in.Run)
	}
	from, to := 0, len(lines)
	if in.Offset != nil {
		to = min(to, in.Lines)
	} else {
		from = max(0, to-in.Lines)
	}
	r.HasMore = to < len(lines)
	r.ByteOffset = in.from() + int64(len(src))
	for _, rest := range lines[to:] {
		r.ByteOffset -= int64(len(rest))
	}
	var out strings.Builder
	for _, line := range lines[from:to] {
		if !since.IsZero() && !after(line, since) {
			continue
		}
		out.Write(line)
		r.LineCount++
	}
	r.Content = out.String()
	return r, nil
}

// after reports whether a log line was written after t.
func after(line []byte, t time.Time) bool {
	stamp, _, _ := bytes.Cut(line, []byte(" "))
	at, err := time.Parse(time.RFC3339, string(stamp))
	return err == nil && at.After(t)
}

// ofAttempt keeps the lines of one attempt.
func ofAttempt(lines [][]byte, attempt int) [][]byte {
	var out [][]byte
	inside := false
	for _, line := range lines {
		_, text, _ := strings.Cut(string(line), " ")
		if strings.HasPrefix(text, store.LogHeader) {
			inside = strings.HasPrefix(text, fmt.Sprintf("%s%d:", store.LogHeader, attempt))
		}
		if inside {
			out = append(out, line)
		}
	}
	return out
}
