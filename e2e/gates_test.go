package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

func readme(t *testing.T) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(root, "README.md"))
	assert.NoError(t, err)
	text := regexp.MustCompile(` *<!-- Test.*? -->`).ReplaceAllString(string(src), "") // the names of tests are not shown
	return strings.ReplaceAll(text, "\r\n", "\n")
}

// guidePage is a page of the manual, as `chant guide` prints it.
func guidePage(t *testing.T, topic string) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(root, "cmd", "guide", topic+".md"))
	assert.NoError(t, err)
	text := regexp.MustCompile(` *<!-- Test.*? -->`).ReplaceAllString(string(src), "") // the names of tests are not shown
	return strings.ReplaceAll(text, "\r\n", "\n")
}

// TestReadme_topics checks that the pages of the manual that README names are there, and
// that it names all.
func TestReadme_topics(t *testing.T) {
	t.Parallel()
	var named []string
	for _, found := range regexp.MustCompile("`chant guide ([a-z]+)`").FindAllStringSubmatch(readme(t), -1) {
		if !slices.Contains(named, found[1]) {
			named = append(named, found[1])
		}
	}
	slices.Sort(named)
	r := execute(t, t.TempDir(), os.Environ(), chantBinary(t), "guide")
	var topics []string
	for line := range strings.Lines(r.out) {
		topics = append(topics, strings.Fields(line)[0])
	}
	assert.Equal(t, 0, r.code)
	assert.NotEqual(t, 0, len(topics))
	assert.Equal(t, topics, named)
	for _, topic := range topics {
		r := execute(t, t.TempDir(), os.Environ(), chantBinary(t), "guide", topic)
		// The table of flags is made of the commands.
		text, _, _ := strings.Cut(guidePage(t, topic), "{{flags}}")
		assert.HasPrefix(t, r.out, text, "guide %s", topic)
		assert.Equal(t, 0, r.code, "guide %d", len(r.out))
	}
	assert.Equal(t, 3, execute(t, t.TempDir(), os.Environ(), chantBinary(t), "guide", "nothing").code, "an unknown topic")
}

// TestGuide_gatesTable compares the table of gates with the rules of approval.
func TestGuide_gatesTable(t *testing.T) {
	t.Parallel()
	want := "|---|---|---|\n"
	for _, kind := range []spec.HoldKind{spec.HeldForApproval, spec.HeldByEdit, spec.HeldForWork, spec.HeldByRejection} {
		hold := spec.Hold{Kind: kind}
		waived, next := "does not help", "chant approve"
		if hold.Waivable() {
			waived = "runs it anyway"
		}
		if kind == spec.HeldByRejection {
			next = "chant edit"
		}
		want += fmt.Sprintf("| %s | %s | %s |\n", hold, waived, next)
	}
	assert.Contains(t, guidePage(t, "gates"), want, "the manual does not hold this table:\n%s", want)
}

// TestGuide_gatesSettings reads the settings that the manual shows as a project does.
func TestGuide_gatesSettings(t *testing.T) {
	t.Parallel()
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(guidePage(t, "gates"), -1)
	assert.NotEqual(t, 0, len(blocks), "the page shows no settings")
	p := newProject(t)
	for _, block := range blocks {
		assert.NoError(t, os.WriteFile(filepath.Join(p.dir, ".chant", "config.md"), []byte("---\n"+block[1]+"---\n"), 0o644))
		assert.Contains(t, p.chant("lint", "--json"), `"diagnostics": []`, "%s", block[1])
	}
}
