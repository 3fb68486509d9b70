package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"chant/engine/spec"
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
		if !seen[by] {
			t.Errorf("the page has no place for the keys of %q", by)
		}
	}
	if page == want {
		return
	}
	if os.Getenv("UPDATE") != "1" {
		t.Fatal("the page of specs is outdated: UPDATE=1 go test ./e2e -run TestGuide_specKeys writes it")
	}
	if err := os.WriteFile(filepath.Join(root, "cmd", "guide", "specs.md"), []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
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
	if len(ids) != 3 {
		t.Fatalf("the page has the examples %q, want three", ids)
	}
	p.git("add", ".")
	p.git("commit", "-q", "-m", "specs")
	if out := p.chant("lint"); !strings.Contains(out, "4 specs: 4 passed, 0 with warnings, 0 with errors") {
		t.Errorf("lint has findings:\n%s", out)
	}
	out := p.chant("work", "--all")
	for _, id := range ids {
		if !p.completed(id) {
			t.Errorf("%s did not land:\n%s", id, out)
		}
	}
	p.chant("verify", "--all", "--no-write")
}
