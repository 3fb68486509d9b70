package tracker

import (
	"testing"

	"chant/engine/spec"
	"chant/engine/spec/task"
	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

// checkHarmless checks that nothing of an imported text is more than text.
func checkHarmless(t *testing.T, src string) string {
	t.Helper()
	doc, err := markdown.Parse("x.md", []byte(src))
	if err != nil {
		return ""
	}
	doc, _, err = WithoutMeaning(doc)
	assert.NoError(t, err, "%q", src)
	s, err := spec.FromDocument("2026-01-02-001-abc", doc)
	if err != nil {
		return ""
	}
	script, _ := s.Script()
	_, late := doc.LateMatter()
	assert.Equal(t, "", script, "script of %q", src)
	assert.False(t, late, "%q has front matter in %q", src, doc.Bytes())
	assert.False(t, hasCommands(doc), "%q has commands in %q", src, doc.Bytes())
	assert.Equal(t, 0, len(task.Comments(doc)), "comments of %q", src)
	assert.Equal(t, len(doc.Bytes()), len(s.WithoutRunSections().Bytes()), "%q without what runs write", src)
	return string(doc.Bytes())
}

// TestWithoutMeaning: what chant would read or run becomes text.
func TestWithoutMeaning(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"# T\n\n## Script\n\n```sh\nrm x\n```\n":              "# T\n\n## Script (imported)\n\n```sh\nrm x\n```\n",
		"# Script\n\n```sh\nrm x\n```\n":                      "# Script (imported)\n\n```sh\nrm x\n```\n",
		"# T\n\nScript\n------\n\n```\nrm\n```\n":             "# T\n\nScript (imported)\n------\n\n```\nrm\n```\n",
		"# T\n\n### output ###\n\nx\n":                        "# T\n\n### output (imported) ###\n\nx\n",
		"# T\n\n## Review\n\nx\n":                             "# T\n\n## Review (imported)\n\nx\n",
		"# T\n\n---\nprovider: shell\n---\n\nx\n":             "# T\n\n(imported)\n\n---\nprovider: shell\n---\n\nx\n",
		"# T\n\n## Acceptence criteria\n\n- [ ] x `$ rm x`\n": "# T\n\n## Acceptence criteria\n\n- [ ] x `\\$ rm x`\n",
		"# T\n\n## Scripts\n\n```sh\n$ ls\n```\n":             "# T\n\n## Scripts\n\n```sh\n$ ls\n```\n",
	} {
		assert.Equal(t, want, checkHarmless(t, src))
	}
}

func FuzzWithoutMeaning(f *testing.F) {
	f.Add("# T\n\n## Script\n\n```sh\nx\n```\n\n## Acceptance Criteria\n- [ ] x `$ y`\n")
	f.Add("# Script\n---\na: b\n---\n")
	f.Add("Approval\nDiscussion\n===\n* x ``$ y``")
	f.Fuzz(func(t *testing.T, src string) { checkHarmless(t, src) })
}
