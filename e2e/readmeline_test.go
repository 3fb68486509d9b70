package e2e

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// readmeLine gives a shell the one line of README that begins with a text.
func readmeLine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: readme BEGINNING")
	}
	src, err := os.ReadFile(filepath.Join(root, "README.md"))
	ts.Check(err)
	var found []string
	for line := range strings.Lines(string(src)) {
		if strings.HasPrefix(line, args[0]) {
			found = append(found, strings.TrimSpace(line))
		}
	}
	if len(found) != 1 {
		ts.Fatalf("%d lines of README begin with %q", len(found), args[0])
	}
	ts.Check(ts.Exec("sh", "-e", "-c", found[0]))
}
