package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
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
	p := newWalledProject(t)
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
		"agent":  {"resolve:begin agent:note resolve:done " + shared, []string{"--auto", "--provider", "resolver"}},
	} {
		for _, point := range strings.Fields(tt.points) {
			t.Run(name+"/"+point, func(t *testing.T) {
				t.Parallel()
				oneOf(t, 5)
				p := behind(t, name == "agent")
				args := append([]string{"merge", clashID}, tt.args...)
				out, errs, code := p.try([]string{killAt + "=" + point}, args...)
				assert.Equal(t, -1, code, "chant was not killed at %s: exit %s %s", point, out, errs)
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

// TestCrash_catchingUpThenWatch kills a merge while it brings the branch up to date. A
// watch that comes by, or work, takes back what was under way, starts no agent of the
// spec's own and names the merge as the way on.
func TestCrash_catchingUpThenWatch(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		points string
		args   []string
	}{
		"rebase": {"rebase:begin", []string{"--rebase"}},
		"agent":  {"resolve:begin agent:note", []string{"--auto", "--provider", "resolver"}},
	} {
		for _, point := range strings.Fields(tt.points) {
			for _, first := range []string{"watch --once", "watch --once --work", "work " + clashID, "diagnose " + clashID} {
				for _, status := range []string{"completed", "needs_attention"} {
					t.Run(name+"/"+point+"/"+first+"/"+status, func(t *testing.T) {
						t.Parallel()
						oneOf(t, 5)
						p := behind(t, name == "agent")
						if status == "needs_attention" {
							p.flag()
						}
						args := append([]string{"merge", clashID}, tt.args...)
						out, errs, code := p.try([]string{killAt + "=" + point}, args...)
						assert.Equal(t, -1, code, "chant was not killed at %s: exit %s %s", point, out, errs)
						p.leadsTo(first, status, "chant "+strings.Join(args, " "))
						p.chant(args...)
						p.landedWhole()
					})
				}
			}
		}
	}
}

// TestCrash_caughtUpThenWatch kills a merge behind the agent that resolved: a watch goes
// on with it to the landing.
func TestCrash_caughtUpThenWatch(t *testing.T) {
	t.Parallel()
	for _, point := range []string{"collect:begin", "verify:done", "complete:begin", "complete:done"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 3)
			p := behind(t, true)
			p.flag()
			out, errs, code := p.try([]string{killAt + "=" + point}, "merge", clashID, "--auto", "--provider", "resolver")
			assert.Equal(t, -1, code, "chant was not killed at %s: exit %s %s", point, out, errs)
			p.chant("watch", "--once")
			p.landedWhole()
		})
	}
}

// flag has a merge say that a person has to look.
func (p *project) flag() {
	p.t.Helper()
	tree := filepath.Join(p.dir, ".chant", "worktrees", clashID)
	file := filepath.Join(tree, ".chant", "specs", clashID+".md")
	text, err := os.ReadFile(file)
	if err != nil {
		p.t.Fatal(err)
	}
	flagged := strings.Replace(string(text), "status: completed", "status: needs_attention\nreason: \"it does not merge with main\"\nreason_code: conflict", 1)
	if err := os.WriteFile(file, []byte(flagged), 0o644); err != nil {
		p.t.Fatal(err)
	}
	p.git("-C", tree, "commit", "-q", "-a", "-m", "chant("+clashID+"): flag")
}

// leadsTo runs a command after a crash: the spec is as it was, its tree is clean, and
// everything that speaks of it names the way on.
func (p *project) leadsTo(first, status, next string) {
	p.t.Helper()
	out, errs, code := p.try(nil, strings.Fields(first)...)
	if strings.HasPrefix(first, "work") && (code != 5 || !strings.Contains(errs, next)) {
		p.t.Errorf("%s: exit %d, not led to %q\n%s%s", first, code, next, out, errs)
	}
	if strings.HasPrefix(first, "watch") && code != 0 {
		p.t.Errorf("%s: exit %d\n%s%s", first, code, out, errs)
	}
	branch := "chant/" + clashID
	if text := p.git("show", branch+":.chant/specs/"+clashID+".md"); !strings.Contains(text, "status: "+status+"\n") {
		p.t.Errorf("after %s the spec is no longer %s:\n%s", first, status, text)
	}
	if log := p.git("log", "--format=%s", "main.."+branch); strings.Count(log, "): start") != 1 || strings.Contains(log, "): pause") {
		p.t.Errorf("after %s on the branch:\n%s", first, log)
	}
	for _, about := range []string{"diagnose " + clashID, "status"} {
		if out := p.chant(strings.Fields(about)...); !strings.Contains(out, next) {
			p.t.Errorf("after %s, %s does not name %q:\n%s", first, about, next, out)
		}
	}
	if strings.HasPrefix(first, "diagnose") {
		return // it changes nothing
	}
	tree := filepath.Join(p.dir, ".chant", "worktrees", clashID)
	if left := p.git("-C", tree, "status", "--porcelain"); left != "" {
		p.t.Errorf("after %s in the worktree:\n%s", first, left)
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
