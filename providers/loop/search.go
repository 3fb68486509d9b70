package loop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"chant/text"
)

// Bounds of a search.
const (
	maxFound = 200
	maxShown = 300 // bytes of one line
)

type searchInput struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path"`
	Files   string `json:"files"`
}

func (f files) searchTool() Tool {
	return Tool{
		Name: "search", Description: "Find lines by a regular expression (RE2)",
		Schema: json.RawMessage(`{"type":"object","properties":{"pattern":{"type":"string"},"path":{"type":"string","description":"folder or file, default the top"},` +
			`"files":{"type":"string","description":"only files that fit, such as *.go"}},"required":["pattern"]}`),
		Call: typedCall(f.search),
	}
}

// errEnough ends a search that has found all it may show.
var errEnough = errors.New("enough")

func (f files) search(ctx context.Context, in searchInput) (string, error) {
	wanted, err := regexp.Compile(in.Pattern)
	if err != nil {
		return "", fmt.Errorf("invalid regular expression: %s. Put a backslash before . ( ) [ ] { } + * ? | ^ $ to match them literally", err)
	}
	s := found{wanted: wanted, room: f.said - 200}
	err = f.tree.eachFile(ctx, in.Path, in.Files, func(at string) error {
		src, _, err := f.tree.read(at)
		// A NUL in the beginning means that it is not a text.
		if err != nil || bytes.IndexByte(src[:min(len(src), 8<<10)], 0) >= 0 {
			s.skipped++
			return nil
		}
		return s.searchIn(at, src)
	})
	if err != nil && !errors.Is(err, errEnough) {
		return "", err
	}
	return s.text(), nil
}

// found is the result of a search.
type found struct {
	wanted  *regexp.Regexp
	room    int
	out     strings.Builder
	lines   int
	skipped int
	cut     bool
}

func (s *found) searchIn(at string, src []byte) error {
	number := 0
	for line := range bytes.Lines(src) {
		number++
		line = bytes.TrimRight(line, "\r\n")
		if !s.wanted.Match(line) {
			continue
		}
		text := fmt.Sprintf("%s:%d: %s\n", at, number, text.ClipBytes(strings.ToValidUTF8(string(line), "?"), maxShown))
		if s.lines == maxFound || s.out.Len()+len(text) > s.room {
			s.cut = true
			return errEnough
		}
		s.lines++
		s.out.WriteString(text)
	}
	return nil
}

func (s *found) text() string {
	if s.lines == 0 {
		s.out.WriteString("[nothing found]\n")
	}
	if s.cut {
		s.out.WriteString("[there is more; narrow the search by path, files or pattern]\n")
	}
	if s.skipped > 0 {
		fmt.Fprintf(&s.out, "[files left out, as no text or too large: %d]\n", s.skipped)
	}
	return strings.TrimSuffix(s.out.String(), "\n")
}
