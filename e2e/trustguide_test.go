package e2e

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestTrustGuide_hasTests: each row of the tables about trust names the tests that show it to be true, and they exist.
func TestTrustGuide_hasTests(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range function.FindAllStringSubmatch(string(text), -1) {
			tests[m[1]] = true
		}
		return err
	})
	assert.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(root, "cmd", "guide", "trust.md"))
	assert.NoError(t, err)
	named := regexp.MustCompile(`<!-- (Test\w+(?:, Test\w+)*) -->`)
	rows := 0
	for table := range strings.SplitSeq(string(text), "\n\n") {
		if !strings.HasPrefix(table, "|") {
			continue
		}
		for _, row := range strings.Split(strings.TrimSpace(table), "\n")[2:] {
			rows++
			m := named.FindStringSubmatch(row)
			if m == nil {
				t.Errorf("no test is named in %s", row)
				continue
			}
			for name := range strings.SplitSeq(m[1], ", ") {
				assert.True(t, tests[name], "there is no test %s", name)
			}
		}
	}
	assert.True(t, rows >= 20, "the guide has %d rows", rows)
}
