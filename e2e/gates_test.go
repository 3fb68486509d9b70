package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"chant/engine/spec"
)

func readme(t *testing.T) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(src), "\r\n", "\n")
}

// readmeSection is the text under a heading of the second level.
func readmeSection(t *testing.T, heading string) string {
	t.Helper()
	_, section, found := strings.Cut(readme(t), "\n## "+heading+"\n")
	if !found {
		t.Fatalf("README has no section %q", heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	return section
}

// TestReadme_gates compares the table of gates with the law of approval.
func TestReadme_gates(t *testing.T) {
	t.Parallel()
	want := "|---|---|---|\n"
	for _, why := range []string{spec.AwaitsApproval, spec.EditedApproval, spec.AwaitsWorkApproval, spec.RefusedApproval} {
		waived, next := "does not help", "chant approve"
		if spec.Waivable(why) {
			waived = "works it all the same"
		}
		if why == spec.RefusedApproval {
			next = "chant edit"
		}
		want += fmt.Sprintf("| %s | %s | %s |\n", why, waived, next)
	}
	if !strings.Contains(readme(t), want+"\n") {
		t.Errorf("README.md does not hold this table:\n%s", want)
	}
}

// TestReadme_gatesSettings reads the settings that README shows as a project does.
func TestReadme_gatesSettings(t *testing.T) {
	t.Parallel()
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(readmeSection(t, "Gates"), -1)
	if len(blocks) == 0 {
		t.Fatal("the section shows no settings")
	}
	p := newProject(t)
	for _, block := range blocks {
		if err := os.WriteFile(filepath.Join(p.dir, ".chant", "config.md"), []byte("---\n"+block[1]+"---\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if out := p.chant("lint", "--json"); !strings.Contains(out, `"diagnostics": []`) {
			t.Errorf("%s\n%s", out, block[1])
		}
	}
}
