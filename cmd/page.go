package cmd

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"chant/cmd/console"
	"chant/text"
)

// page is the output of results for a person.
type page struct {
	io.Writer
	mark func(string) string
	here string // the folder in which the command was given
}

// placeText returns a place in a worktree as a terminal and an editor can open it from here.
func (p page) placeText(root, path string, line int) string {
	if shown, err := filepath.Rel(p.here, filepath.Join(root, filepath.FromSlash(path))); err == nil && root != "" {
		path = shown
	}
	return p.mark(fmt.Sprintf("%s:%d", text.Quote(path), line))
}

// excerpt prints the first lines of a text.
func (p page) excerpt(content string, lines int) {
	all := strings.Split(strings.TrimRight(content, "\n"), "\n")
	for _, line := range all[:min(lines, len(all))] {
		fmt.Fprintf(p, "    %s\n", text.Quote(strings.ReplaceAll(strings.TrimSuffix(line, "\r"), "\t", "    ")))
	}
	if rest := len(all) - lines; rest > 0 && lines > 0 {
		fmt.Fprintf(p, "    ... %s more\n", console.Plural(rest, "line"))
	}
}
