package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// clashSpec writes a word into a file that all of them write.
func clashSpec(title, word string) string {
	return "---\nstatus: pending\n---\n# " + title + "\n\n## Script\n\n```sh\necho " + word + " > clash.txt\n```\n\n" +
		"## Acceptance Criteria\n\n- [ ] it is there `$ grep " + word + " clash.txt`\n"
}

const (
	clashID  = "2026-01-02-002-bbb"
	resolver = "---\ncommand: sh\nargs: [\"-c\", \"sed -i.bak -e '/^[<=>]\\\\{7\\\\}/d' clash.txt && rm clash.txt.bak\"]\n---\n"
)

// write puts a file into the project.
func (p *project) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// behind is a project with a completed run that has not landed and whose target
// has moved, with or without a conflict.
func behind(t *testing.T, conflict bool) *project {
	p := newProject(t)
	p.write(".chant/providers/resolver.md", resolver)
	p.addFile(clashID, clashSpec("Two", "two"))
	p.git("add", ".")
	p.git("commit", "-q", "-m", "resolver")
	p.chant("work", clashID, "--no-merge")
	name := "aside.txt"
	if conflict {
		name = "clash.txt"
	}
	p.write(name, "one\n")
	p.git("add", name)
	p.git("commit", "-q", "-m", "meanwhile")
	return p
}

// TestCrash_catchingUp kills a merge that brings the branch up to date first, at
// every record of it, and does it again.
func TestCrash_catchingUp(t *testing.T) {
	t.Parallel()
	shared := "open:note collect:begin collect:done verify:begin verify:done complete:begin complete:done land:begin land:note land:done clean:begin drop:done clean:done"
	for name, tt := range map[string]struct {
		points string
		args   []string
	}{
		"rebase": {"rebase:begin trust:done rebase:done " + shared, []string{"--rebase"}},
		"agent":  {"resolve:begin agent:note resolve:done " + shared, []string{"--agent", "--provider", "resolver"}},
	} {
		for _, point := range strings.Fields(tt.points) {
			t.Run(name+"/"+point, func(t *testing.T) {
				t.Parallel()
				p := behind(t, name == "agent")
				args := append([]string{"merge", clashID}, tt.args...)
				if out, errs, code := p.try([]string{killAt + "=" + point}, args...); code != -1 {
					t.Fatalf("chant was not killed at %s: exit %d\n%s%s", point, code, out, errs)
				}
				again := args
				if strings.Contains(p.git("show", "main:.chant/specs/"+clashID+".md"), "status: completed") {
					again = []string{"cleanup", "--yes"}
				}
				p.chant(again...)
				p.landedWhole()
			})
		}
	}
}

// landedWhole checks that both words are on the target and nothing is left over.
func (p *project) landedWhole() {
	p.t.Helper()
	tree := p.git("grep", "-h", "-e", "one", "-e", "two", "main", "--", "*.txt")
	if !strings.Contains(tree, "one") || !strings.Contains(tree, "two") || strings.Contains(tree, "<<<<") {
		p.t.Errorf("on main: %q", tree)
	}
	if !strings.Contains(p.git("show", "main:.chant/specs/"+clashID+".md"), "status: completed") {
		p.t.Error("the spec is not completed on main")
	}
	for what, left := range map[string]string{
		"changes": p.git("status", "--porcelain"), "branches": p.git("branch", "--list", "chant/*"),
	} {
		if left != "" {
			p.t.Errorf("%s left: %s", what, left)
		}
	}
	if trees := p.git("worktree", "list"); strings.Contains(trees, "\n") {
		p.t.Errorf("worktrees left:\n%s", trees)
	}
	p.git("fsck", "--strict")
}
