package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// The manual's tables of keys are those of the code. UPDATE=1 writes them.
func TestGuide_specKeys(t *testing.T) {
	t.Parallel()
	page := guidePage(t, "specs")
	block := regexp.MustCompile(`(?s)(<!-- keys: (\w+) -->\n).*?(<!-- end -->\n)`)
	seen := map[spec.Writer]bool{}
	want := block.ReplaceAllStringFunc(page, func(found string) string {
		m := block.FindStringSubmatch(found)
		seen[spec.Writer(m[2])] = true
		return m[1] + spec.KeyManual(spec.Writer(m[2])) + m[3]
	})
	for _, by := range []spec.Writer{spec.ByPerson, spec.ByChant, spec.ByOlder} {
		assert.True(t, seen[by], "the page has no place for the keys of %q", by)
	}
	if page == want {
		return
	}
	assert.Equal(t, "1", os.Getenv("UPDATE"), "the page of specs is outdated: UPDATE=1 go test ./e2e -run TestGuide_specKeys writes it")
	assert.NoError(t, os.WriteFile(filepath.Join(root, "cmd", "guide", "specs.md"), []byte(want), 0o644))
}

// The manual's examples lint without a finding and work: the spec, the driver and its member.
func TestGuide_specExamples(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.write("docs/style.md", "Be friendly.\n")
	p.write(".chant/specs/2026-01-02-001-abc.md", "---\nprovider: shell\ntarget_files: [hello.sh]\n---\n# Write a first greeting\n\n## Acceptance Criteria\n\n"+
		"- [ ] It says hello `$ sh hello.sh | grep -q hello`\n\n## Script\n\n```sh\necho 'echo hello' > hello.sh\n```\n")
	var ids []string
	for _, m := range regexp.MustCompile("(?s)````markdown (\\S+)\n(.*?)````\n").FindAllStringSubmatch(guidePage(t, "specs"), -1) {
		p.write(m[1], m[2])
		ids = append(ids, strings.TrimSuffix(filepath.Base(m[1]), ".md"))
	}
	assert.Equal(t, 3, len(ids), "the page has the examples %q, want three", ids)
	p.git("add", ".")
	p.git("commit", "-q", "-m", "specs")
	assert.Contains(t, p.chant("lint"), "4 specs: 4 passed, 0 with warnings, 0 with errors", "lint has findings:")
	out := p.chant("work", "--all")
	for _, id := range ids {
		assert.True(t, p.completed(id), "%s did not land:\n%s", id, out)
	}
	p.chant("verify", "--all", "--no-write")
}
