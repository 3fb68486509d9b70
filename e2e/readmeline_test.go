package e2e

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// readmeLine gives a shell the one line of README or the manual that begins with a text.
func readmeLine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: readme BEGINNING")
	}
	pages, err := filepath.Glob(filepath.Join(root, "cmd", "guide", "*.md"))
	ts.Check(err)
	var found []string
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		src, err := os.ReadFile(page)
		ts.Check(err)
		for line := range strings.Lines(string(src)) {
			if strings.HasPrefix(line, args[0]) {
				found = append(found, strings.TrimSpace(line))
			}
		}
	}
	if len(found) != 1 {
		ts.Fatalf("%d lines begin with %q", len(found), args[0])
	}
	ts.Check(ts.Exec("sh", "-e", "-c", found[0]))
}
