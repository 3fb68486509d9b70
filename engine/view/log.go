package view

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"strings"
	"time"
	"unicode/utf8"

	"chant/engine"
	"chant/engine/next"
	"chant/engine/spec"
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

// maxContent bounds the content of one reply, in bytes.
const maxContent = 1 << 20

// Log returns the last lines of a spec's log or, with an offset, the first lines
// behind it, at most 1 MiB of them; reading on gives the rest. A line that is
// longer comes in parts. Errors: NotFound when the spec was never worked here,
// Usage for a time that cannot be read or an offset that no reply gave.
func Log(ctx context.Context, p *engine.Project, in LogInput) (LogResult, error) {
	s, err := engine.FindAny(ctx, p, in.ID)
	if err != nil {
		return LogResult{}, engine.Wrap(err, in.ID)
	}
	if in.Lines <= 0 {
		in.Lines = 100
	}
	result := LogResult{ID: s.ID}
	_, result.Running = p.Store.Holder(s.ID)
	lines, err := readLog(p.Store.LogPath(s.ID), in, result.Running)
	if errors.Is(err, fs.ErrNotExist) {
		return result, engine.Fail(engine.NotFound, next.Work.On(s.ID), "spec %q has no log: it was not worked here", s.ID)
	}
	if err == nil {
		result, err = result.fill(lines, in)
	}
	return engine.Done(result, err, s.ID)
}

// fill chooses among the lines from the offset asked for on.
func (r LogResult) fill(all logLines, in LogInput) (LogResult, error) {
	since := time.Time{}
	if in.Since != "" {
		var err error
		if since, err = time.Parse(time.RFC3339, in.Since); err != nil {
			return r, engine.Fail(engine.Usage, next.Log.Help(), "time %q is not in RFC 3339 form", spec.Echo(in.Since))
		}
	}
	lines := all.lines
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
		if !since.IsZero() && !after(line.text, since) {
			continue
		}
		part := line.text[:fitting(line.text, maxContent-out.Len())]
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

// fitting is how much of a line there is room for: all of it or nothing, unless it
// is longer than any reply; then as many whole characters as fit.
func fitting(line []byte, room int) int {
	switch {
	case len(line) <= room:
		return len(line)
	case len(line) <= maxContent:
		return 0
	}
	for back := range min(utf8.UTFMax, room) {
		if utf8.RuneStart(line[room-back]) {
			return room - back
		}
	}
	return room
}

// after reports whether a log line was written after t. The rest of a line that an
// earlier reply has begun has no time of its own and goes with that.
func after(line []byte, t time.Time) bool {
	stamp, _, _ := bytes.Cut(line, []byte(" "))
	at, err := time.Parse(time.RFC3339, string(stamp))
	return err != nil || at.After(t)
}
