package loop

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"chant/text"
)

// linesRead is the default number of lines to read.
const linesRead = 1000

type readInput struct {
	Path   string `json:"path"`
	Offset number `json:"offset"`
	Limit  number `json:"limit"`
}

func (f files) readTool() Tool {
	return Tool{
		Name: "read_file", Description: "Read a text file, whole or some of its lines",
		Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},` +
			`"offset":{"type":"integer","description":"first line, from 1"},"limit":{"type":"integer","description":"number of lines"}},"required":["path"]}`),
		Call: typedCall(f.read),
	}
}

func (f files) read(_ context.Context, in readInput) (string, error) {
	src, _, err := f.tree.read(in.Path)
	if err != nil {
		return "", err
	}
	if bytes.IndexByte(src, 0) >= 0 {
		return "", fmt.Errorf("%q is not a text file; it has %d bytes", in.Path, len(src))
	}
	lines := strings.SplitAfter(string(src), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	from, most := max(1, int(in.Offset)), int(in.Limit)
	if most <= 0 {
		most = linesRead
	}
	switch {
	case len(lines) == 0:
		return "[the file is empty]", nil
	case from > len(lines):
		return "", fmt.Errorf("%q has only %d lines", in.Path, len(lines))
	}
	return f.excerpt(lines, from, most), nil
}

// excerpt joins as many of the lines as there is room for, and says how to get the others.
func (f files) excerpt(lines []string, from, most int) string {
	const note = 100
	var b strings.Builder
	at := from - 1
	for ; at < len(lines) && at < from-1+most; at++ {
		// The first line is always taken, however long it is: a model that gets nothing would ask again.
		if at > from-1 && b.Len()+len(lines[at]) > f.said-note {
			break
		}
		b.WriteString(lines[at])
	}
	part := text.Ends(strings.ToValidUTF8(b.String(), "?"), f.said-note)
	if at < len(lines) || from > 1 {
		part = strings.TrimSuffix(part, "\n") + fmt.Sprintf("\n[lines %d to %d of %d", from, at, len(lines))
		if at < len(lines) {
			part += fmt.Sprintf("; go on with offset %d", at+1)
		}
		part += "]"
	}
	return part
}
