package cmd

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"chant/cmd/console"

	"github.com/spf13/cobra"
)

// TestCommands_areDescribed checks that every command that people see has a story or another end-to-end
// test, and a line in README or in a page of the manual.
func TestCommands_areDescribed(t *testing.T) {
	t.Parallel()
	stories := texts(t, "../e2e", ".txtar", "_test.go")
	manual := texts(t, "guide", ".md") + texts(t, "../README.md", ".md")
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			walk(sub)
		}
		if c.Hidden || !c.Runnable() || !c.HasParent() {
			return
		}
		// `chant hooks install` in a text, `"hooks", "install"` in a Go test
		words := strings.Fields(c.CommandPath())
		shell, quoted := strings.Join(words, `\s+`), `"`+strings.Join(words[1:], `", *"`)+`"`
		plain := "exec " + c.CommandPath() + " " // most are found by this, which is a thousand times as fast
		if !strings.Contains(stories, plain) && !regexp.MustCompile(`\b`+shell+`\b|`+quoted).MatchString(stories) {
			t.Errorf("no story of e2e/testdata/script and no test of e2e runs %q", c.CommandPath())
		}
		if !regexp.MustCompile(`\b` + shell + `\b`).MatchString(manual) {
			t.Errorf("neither README nor a page of cmd/guide describes %q", c.CommandPath())
		}
	}
	walk(newRoot(&console.App{}))
}

// texts joins the files below a path whose names end in one of these.
func texts(t *testing.T, top string, ends ...string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(top, func(name string, entry fs.DirEntry, err error) error {
		for _, end := range ends {
			if err == nil && !entry.IsDir() && strings.HasSuffix(name, end) {
				text, err := os.ReadFile(name)
				all.Write(text)
				return err
			}
		}
		return err
	})
	if err != nil || all.Len() == 0 {
		t.Fatalf("%s: %d bytes, %v", top, all.Len(), err)
	}
	return all.String()
}
