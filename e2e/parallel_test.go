package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"chant/gitops/lockfile"

	"github.com/alecthomas/assert/v2"
)

// parallelSpec is a spec whose agent commits one file and has it checked.
func parallelSpec(title, file string) string {
	return fmt.Sprintf("---\nstatus: pending\n---\n# %s\n\n## Script\n\n```sh\necho \"$CHANT_SPEC_ID\" >> \"$HOME/starts\"\necho \"$CHANT_SPEC_ID\" > %s\ngit add .\ngit commit -q -m \"write %s\"\n```\n\n"+
		"## Acceptance Criteria\n\n- [ ] it is there `$ test -s %s`\n", title, file, file, file)
}

func parallelID(n int) string { return fmt.Sprintf("2026-01-02-%03d-abc", n+1) }

// addAll commits many specs at once.
func (p *project) addAll(specs map[string]string) {
	p.t.Helper()
	for id, text := range specs {
		if err := os.WriteFile(filepath.Join(p.dir, ".chant", "specs", id+".md"), []byte(text), 0o644); err != nil {
			p.t.Fatal(err)
		}
	}
	p.git("add", ".chant")
	p.git("commit", "-q", "-m", "specs")
}

// manyResult is the part of a result that these tests read.
type manyResult struct {
	Ended     string
	Completed []struct{ ID string }
	Failed    []struct{ ID, Status, Code, Reason, Hint string }
	Waiting   []struct{ ID, For string }
	Skipped   []struct{ ID, Why string }
	Paused    []struct{ ID string }
	Held      []struct{ ID, Behind string }
	Ready     []string
	Starts    int
}

// resultOf reads the last line of a stream of JSON.
func resultOf(t *testing.T, stdout string) manyResult {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	for _, line := range lines[:len(lines)-1] {
		var ev struct{ Time, Kind string }
		assert.NoError(t, json.Unmarshal([]byte(line), &ev), "line %q of the stream is not an event", line)
		assert.NotEqual(t, "", ev.Kind, "line %q of the stream is not an event", line)
		assert.NotEqual(t, "", ev.Time, "line %q of the stream is not an event", line)
	}
	var r manyResult
	assert.NoError(t, json.Unmarshal([]byte(lines[len(lines)-1]), &r), "the stream does not end with a result: %s", lines[len(lines)-1])
	assert.NotEqual(t, "", r.Ended, "the stream does not end with a result: %s", lines[len(lines)-1])
	return r
}

// starts is how often each spec's agent was started.
func (p *project) starts() map[string]int {
	p.t.Helper()
	src, err := os.ReadFile(filepath.Join(filepath.Dir(p.dir), "starts"))
	if err != nil {
		p.t.Fatal(err)
	}
	out := map[string]int{}
	for id := range strings.FieldsSeq(string(src)) {
		out[id]++
	}
	return out
}

// atRest checks that no run has left a trace but in history: no worktree, branch,
// process or held lock, a clean home and a sound repository.
func (p *project) atRest() {
	p.t.Helper()
	for what, out := range map[string]string{
		"branches": p.git("branch", "--list", "chant/*"),
		"status":   p.git("status", "--porcelain"),
		"fsck":     p.git("fsck", "--no-dangling", "--no-progress"),
		"cleanup":  strings.TrimPrefix(p.chant("cleanup", "--dry-run"), "Nothing to clean up\n"),
	} {
		if strings.TrimSpace(out) != "" {
			p.t.Errorf("%s left: %s", what, out)
		}
	}
	if trees := p.git("worktree", "list"); strings.Count(trees, "\n") > 0 {
		p.t.Errorf("worktrees left:\n%s", trees)
	}
	p.noLocks()
	p.noProcesses()
}

// noLocks checks that no process holds a lock of the project.
func (p *project) noLocks() {
	p.t.Helper()
	folder := filepath.Join(p.dir, ".git", "chant", "locks")
	var locks []string
	for _, pattern := range []string{"*.lock", "landing/*/*.lock", "landing/*/*.place", "landing/*/*.json"} {
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			p.t.Fatal(err)
		}
		locks = append(locks, found...)
	}
	for _, path := range locks {
		if filepath.Ext(path) == ".json" {
			p.t.Errorf("%s is left of a landing", path)
		}
		if holder, held := lockfile.HeldBy(path); held {
			p.t.Errorf("lock %s is held by %+v", path, holder)
		}
	}
}

// noProcesses checks that nothing runs any more that was started for this project:
// agents carry its HOME in their environment. Only Linux shows it.
func (p *project) noProcesses() {
	p.t.Helper()
	environs, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		p.t.Fatal(err)
	}
	mark := "HOME=" + filepath.Dir(p.dir) + "\x00"
	for _, path := range environs {
		if src, err := os.ReadFile(path); err == nil && strings.Contains(string(src)+"\x00", mark) {
			p.t.Errorf("process %s is left", filepath.Base(filepath.Dir(path)))
		}
	}
}

// rounds is how often the long tests repeat, see CHANT_E2E_ROUNDS.
func rounds(t *testing.T) int {
	t.Helper()
	text := os.Getenv("CHANT_E2E_ROUNDS")
	if text == "" {
		return 1
	}
	n, err := strconv.Atoi(text)
	assert.NoError(t, err, "CHANT_E2E_ROUNDS=%q is not a number of rounds", text)
	assert.True(t, n >= 1, "CHANT_E2E_ROUNDS=%q is not a number of rounds", text)
	return n
}

// specsAtOnce replaces how many specs the long tests have.
const specsAtOnce = "CHANT_E2E_SPECS"

// TestParallel works 24 specs (10 for each change) eight at a time: all land, each with one merge commit
// and one start of its agent, and nothing is left.
func TestParallel(t *testing.T) {
	t.Parallel()
	for round := range rounds(t) {
		t.Run(strconv.Itoa(round), func(t *testing.T) {
			n := number(t, specsAtOnce, sizeOf(10, 24))
			p := newWalledProject(t, "starts")
			specs := map[string]string{}
			for i := range n {
				specs[parallelID(i)] = parallelSpec("Spec "+strconv.Itoa(i), "$CHANT_SPEC_ID.txt")
			}
			p.addAll(specs)
			before := p.git("rev-parse", "main")
			out, errs, code := p.try(nil, "work", "--parallel", "8", "--json")
			r := resultOf(t, out)
			assert.Equal(t, 0, code, "exit %+v %s", r.Failed, errs)
			assert.Equal(t, n, len(r.Completed), "exit %+v %s", r.Failed, errs)
			assert.Equal(t, "finished", r.Ended, "exit %+v %s", r.Failed, errs)
			assert.Equal(t, n, r.Starts, "exit %+v %s", r.Failed, errs)
			assert.Equal(t, strconv.Itoa(n), p.git("rev-list", "--first-parent", "--merges", "--count", before+"..main"))
			assert.Equal(t, strconv.Itoa(n), p.git("rev-list", "--first-parent", "--count", before+"..main"))
			for id, times := range p.starts() {
				assert.Equal(t, 1, times, "the agent of %s was started", id)
			}
			for id := range specs {
				p.git("cat-file", "-e", "main:"+id+".txt")
			}
			p.atRest()
		})
	}
}

// TestParallel_sameFile lets all agents commit to one file: the first lands, the
// others end as conflicts with their branch and worktree kept, and what touches other
// files lands beside them (9A 12, 9A 33, 9A 36, 9A 41).
func TestParallel_sameFile(t *testing.T) {
	t.Parallel()
	for round := range rounds(t) {
		t.Run(strconv.Itoa(round), func(t *testing.T) {
			const n = 10
			p := newWalledProject(t, "starts")
			specs := map[string]string{}
			for i := range n {
				file := "shared.txt"
				if i%2 == 1 {
					file = "$CHANT_SPEC_ID.txt"
				}
				text := parallelSpec("Spec "+strconv.Itoa(i), file)
				if i%2 == 0 { // none ends before all that share the file have started
					text = strings.Replace(text, "git add .", "while [ $(grep -c -e 1-abc -e 3-abc -e 5-abc -e 7-abc -e 9-abc \"$HOME/starts\") -lt 5 ]; do sleep 0.02; done\ngit add .", 1)
				}
				specs[parallelID(i)] = text
			}
			p.addAll(specs)
			out, errs, code := p.try(nil, "work", "--parallel", "10", "--json")
			r := resultOf(t, out)
			assert.Equal(t, 7, code, "exit %+v %s", r.Failed, errs)
			assert.Equal(t, n/2+1, len(r.Completed), "exit %+v %s", r.Failed, errs)
			assert.Equal(t, n/2-1, len(r.Failed), "exit %+v %s", r.Failed, errs)
			for _, f := range r.Failed {
				assert.Equal(t, "needs_attention", f.Status)
				assert.Equal(t, "conflict", f.Code)
				assert.Contains(t, f.Reason, "shared.txt")
				assert.NotEqual(t, "", f.Hint)
				assert.Equal(t, f.ID, p.git("show", "chant/"+f.ID+":shared.txt"))
				text, err := os.ReadFile(filepath.Join(p.dir, ".chant", "worktrees", f.ID, "shared.txt"))
				assert.NoError(t, err, "the worktree of %q", text)
				assert.Equal(t, f.ID, strings.TrimSpace(string(text)), "the worktree of %q", text)
			}
			if head := p.git("symbolic-ref", "--short", "HEAD"); head != "main" || p.git("status", "--porcelain") != "" {
				t.Errorf("home is on %q, status %q", head, p.git("status", "--porcelain"))
			}
			p.noLocks()
			p.noProcesses()
		})
	}
}

// TestParallel_threeProcesses starts three of them on one repository at once: no
// spec runs twice and nothing fails for a lock.
func TestParallel_threeProcesses(t *testing.T) {
	t.Parallel()
	forRelease(t, "engine/run and gitops")
	for round := range rounds(t) {
		t.Run(strconv.Itoa(round), func(t *testing.T) {
			n := number(t, specsAtOnce, sizeOf(7, 15))
			p := newWalledProject(t, "starts")
			specs := map[string]string{}
			for i := range n {
				specs[parallelID(i)] = parallelSpec("Spec "+strconv.Itoa(i), "$CHANT_SPEC_ID.txt")
			}
			p.addAll(specs)
			var three [3]*background
			for i := range three {
				three[i] = p.begin("work", "--all", "--parallel", "3", "--json")
			}
			done := map[string]int{}
			for _, b := range three {
				code := b.end()
				r := resultOf(t, b.said(b.out))
				if code != 0 || len(r.Failed) > 0 {
					t.Errorf("exit %d, failed %+v\n%s", code, r.Failed, b.said(b.err))
				}
				for _, c := range r.Completed {
					done[c.ID]++
				}
			}
			for id := range specs {
				assert.Equal(t, 1, p.starts()[id], "%s was started", id)
				assert.Equal(t, 1, done[id], "%s was started", id)
			}
			p.atRest()
		})
	}
}

// TestParallel_killed kills a process that has several runs under way; naming its specs
// continues with them, and loses nothing (9A 7).
func TestParallel_killed(t *testing.T) {
	t.Parallel()
	for _, point := range []string{"branch:done", "agent:note", "complete:done", "land:note", "drop:done"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 6)
			n := sizeOf(4, 6)
			p := newWalledProject(t, "starts")
			specs, ids := map[string]string{}, []string{}
			for i := range n {
				text := parallelSpec("Spec "+strconv.Itoa(i), "$CHANT_SPEC_ID.txt")
				specs[parallelID(i)] = strings.Replace(text, "git commit", "git diff --cached --quiet || git commit", 1)
				ids = append(ids, parallelID(i))
			}
			p.addAll(specs)
			if out, errs, code := p.try([]string{killAt + "=" + point}, "work", "--parallel", "3"); code != -1 {
				t.Fatalf("chant was not killed at %s: exit %d\n%s%s", point, code, out, errs)
			}
			out, errs, code := p.try(nil, append([]string{"work", "--parallel", "3", "--json"}, ids...)...)
			for _, skipped := range resultOf(t, out).Skipped { // landed before the kill
				assert.Equal(t, "it is completed", skipped.Why, "%+v", skipped)
			}
			assert.Equal(t, 0, code, "work after a kill at %s: exit %s", point, errs)
			p.chant("cleanup", "--yes")
			for _, id := range ids {
				p.git("cat-file", "-e", "main:"+id+".txt")
			}
			p.atRest()
		})
	}
}
