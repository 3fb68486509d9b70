package e2e

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"chant/providers/cli"

	"github.com/alecthomas/assert/v2"
)

func contributing(t *testing.T) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	assert.NoError(t, err)
	return strings.ReplaceAll(string(src), "\r\n", "\n")
}

// TestContributing_map compares the map of domains in CONTRIBUTING.md with the list that imports are checked by.
func TestContributing_map(t *testing.T) {
	t.Parallel()
	var got []string
	for _, row := range regexp.MustCompile("(?m)^\\| ((?:`[a-z0-9/]+` ?)+)\\| \\S.* \\|$").FindAllStringSubmatch(contributing(t), -1) {
		got = append(got, strings.Fields(strings.ReplaceAll(row[1], "`", ""))...)
	}
	assert.Equal(t, rule("domains"), got, "the map has the domains")
}

// TestContributing_names checks that the files and tests that CONTRIBUTING.md names are there.
func TestContributing_names(t *testing.T) {
	t.Parallel()
	text := contributing(t)
	tests := map[string]bool{}
	for dir, files := range goFiles(t) {
		for _, name := range files {
			if !strings.HasSuffix(name, "_test.go") {
				continue
			}
			src, err := os.ReadFile(filepath.Join(root, dir, name))
			assert.NoError(t, err)
			for _, found := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(src, -1) {
				tests[string(found[1])] = true
			}
		}
	}
	named := regexp.MustCompile(`\bTest[A-Z]\w+`).FindAllString(text, -1)
	assert.True(t, len(named) >= 10, "%d tests are named, %d exist", len(named), len(tests))
	assert.True(t, len(tests) >= 500, "%d tests are named, %d exist", len(named), len(tests))
	for _, name := range named {
		assert.True(t, tests[name], "there is no test %s", name)
	}
	for _, found := range regexp.MustCompile("`([\\w./-]+/[\\w./-]+)`").FindAllStringSubmatch(text, -1) {
		name := found[1]
		if strings.ContainsAny(name, "<") || regexp.MustCompile(`[A-Z]{4,}`).MatchString(path.Base(name)) || strings.Contains(name, "TOPIC") {
			continue // a pattern such as cmd/VERB.go
		}
		_, err := fs.Stat(os.DirFS(root), name)
		assert.NoError(t, err, "there is no file %s", name)
	}
}

// TestGuide_providers checks that the manual names every provider that needs no configuration.
func TestGuide_providers(t *testing.T) {
	t.Parallel()
	_, rest, found := strings.Cut(guidePage(t, "agents"), "`--provider` selects the agent: ")
	list, _, _ := strings.Cut(rest, "one file describes")
	assert.True(t, found, "the manual has no list of providers")
	for _, name := range cli.Names() {
		assert.SliceContains(t, words(list), name, "the manual lacks the provider")
	}
}
