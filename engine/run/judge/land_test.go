package judge_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/enginetest"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/runtest"
	"chant/engine/run/train"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// completed is a run whose agent has done its work, and whose spec is completed on its branch.
func completed(t *testing.T, files map[string]string) *runtest.Run {
	t.Helper()
	r := runtest.Start(t, runtest.Plain)
	files["done.txt"] = "yes\n"
	r.Agent(files)
	return r.Completed()
}

// TestLand brings code and status to the target in one commit of two parents, and removes branch and worktree.
func TestLand(t *testing.T) {
	t.Parallel()
	r := completed(t, map[string]string{"a/b.txt": "b\n"})
	main, tip, tree := r.Git("rev-parse", "main"), r.Git("rev-parse", r.Job.Branch), r.Trees.Tree
	assert.NoError(t, r.Lands())
	assert.Equal(t, r.Lander.Landing+" "+main+" "+tip, r.Git("rev-list", "--parents", "-n", "1", "main"))
	assert.Equal(t, "chant("+runtest.ID+"): Do it", r.Git("log", "-1", "--format=%s", "main"))
	for name, want := range map[string]string{"done.txt": "yes\n", "a/b.txt": "b\n"} {
		assert.Equal(t, want, r.Target(name), "%s: target", name)
		assert.Equal(t, want, enginetest.Read(t, r.Dir, name), "%s: the checkout", name)
	}
	got := r.Target(runtest.Own)
	assert.Contains(t, got, "status: completed", "the target's spec is")
	assert.Contains(t, got, "verification", "the target's spec is")
	assert.Equal(t, "", r.Git("status", "--porcelain"), "status of the checkout:")
	assert.Error(t, enginetest.TryGit(t, r.Dir, "rev-parse", "-q", "--verify", r.Job.Branch), "the branch is still there")
	_, err := os.Lstat(tree)
	assert.Error(t, err, "the worktree is still there")
	note, err := criteria.ReadNote([]byte(r.Git("notes", "--ref=chant", "show", "main")))
	assert.NoError(t, err, "the evidence of the landing")
	assert.True(t, note.Verified, "the evidence of the landing is %+v, %v", note, err)
	assert.True(t, note.Attestation != nil, "the evidence of the landing is %+v, %v", note, err)
}

// TestLand_priority waits with the priority that the run began with, and not with one that its agent has written into its copy.
func TestLand_priority(t *testing.T) {
	t.Parallel()
	for given, written := range map[string]string{"": "priority: critical\n", "priority: low\n": "priority: 0\n", "priority: high\n": ""} {
		text := func(key string) string { return strings.Replace(runtest.Plain, "---\n#", key+"---\n#", 1) }
		r := runtest.Start(t, text(given))
		own, err := r.OwnSpec(t.Context())
		assert.NoError(t, err)
		want, _ := own.Fields.Priority.Level()
		now := strings.Replace(enginetest.Read(t, r.Trees.Tree, runtest.Own), given, "", 1)
		r.Agent(map[string]string{"done.txt": "yes\n", runtest.Own: strings.Replace(now, "---\n#", written+"---\n#", 1)})
		r.Completed()
		got := -1
		r.Lander.LinedUp = func() {
			cars, err := train.Of(filepath.Join(r.Dir, ".git", "chant", "locks"), r.Job.Target).Cars()
			assert.NoError(t, err)
			assert.Equal(t, 1, len(cars))
			got = cars[0].Priority
		}
		assert.NoError(t, r.Lands())
		assert.Equal(t, want, got, "begun with %q, written %q", given, written)
	}
}

// TestLand_beside lands beside what a person has in the checkout: neither is touched.
func TestLand_beside(t *testing.T) {
	t.Parallel()
	r := completed(t, map[string]string{})
	enginetest.Commit(t, r.Dir, map[string]string{"mine.txt": "one\n", "staged.txt": "one\n"})
	enginetest.Write(t, r.Dir, "mine.txt", "two\n")
	enginetest.Write(t, r.Dir, "staged.txt", "two\n")
	r.Git("add", "staged.txt")
	enginetest.Write(t, r.Dir, "new.txt", "three\n")
	before := r.Git("status", "--porcelain")
	assert.NoError(t, r.Lands())
	assert.Equal(t, before, r.Git("status", "--porcelain"))
	assert.NotEqual(t, "", r.Target("done.txt"), "the landing has the wrong files")
	assert.Equal(t, "one\n", r.Target("mine.txt"), "the landing has the wrong files")
}

// TestLand_inTheWay refuses to land where a person's own edits are in the way, and changes nothing.
func TestLand_inTheWay(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(r *runtest.Run){
		"untracked": func(r *runtest.Run) { enginetest.Write(r.T, r.Dir, "done.txt", "mine\n") },
		"staged": func(r *runtest.Run) {
			enginetest.Write(r.T, r.Dir, "done.txt", "mine\n")
			r.Git("add", "done.txt")
		},
		"a folder": func(r *runtest.Run) { enginetest.Write(r.T, r.Dir, "done.txt/inner", "mine\n") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := completed(t, map[string]string{})
			edit(r)
			main, status, files := r.Git("rev-parse", "main"), r.Git("status", "--porcelain", "-uall"), enginetest.Snapshot(t, r.Dir)
			r.Fails(r.Lands(), spec.ReasonInTheWay, "could not land", "done.txt")
			assert.Equal(t, main, r.Git("rev-parse", "main"))
			assert.Equal(t, status, r.Git("status", "--porcelain", "-uall"))
			for file, text := range enginetest.Snapshot(t, r.Dir) {
				if was, there := files[file]; there && was != text && !strings.Contains(file, string(filepath.Separator)+".chant"+string(filepath.Separator)) {
					t.Errorf("%s has changed", file)
				}
			}
			assert.Equal(t, spec.Completed, r.Status())
		})
	}
}

// TestLand_moved lands on a target that has moved since the branch began.
func TestLand_moved(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		target map[string]string
		kind   spec.ReasonCode // "" lands
		words  string
	}{
		"elsewhere":               {map[string]string{"other.txt": "x\n"}, "", ""},
		"the same change":         {map[string]string{"done.txt": "yes\n"}, "", ""},
		"another change":          {map[string]string{"done.txt": "no\n"}, spec.ReasonConflict, "conflict in done.txt"},
		"breaks a criterion":      {map[string]string{"gate.txt": "closed\n"}, spec.ReasonMergedTree, "on the merged tree"},
		"another spec":            {map[string]string{".chant/specs/2026-01-03-001-zzz.md": "# Z\n"}, "", ""},
		"a label in the same one": {map[string]string{runtest.Own: strings.Replace(both, "status: pending", "status: pending\nlabels: [x]", 1)}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := runtest.Start(t, both)
			r.Agent(map[string]string{"done.txt": "yes\n"})
			r.Completed()
			enginetest.Commit(t, r.Dir, tc.target)
			err := r.Lands()
			if tc.kind != "" {
				r.Fails(err, tc.kind, tc.words)
				assert.Equal(t, spec.NeedsAttention, r.Status())
				return
			}
			assert.NoError(t, err)
			assert.Contains(t, r.Target(runtest.Own), "status: completed", "the target's spec is")
			for file, text := range tc.target {
				got := r.Target(file)
				assert.False(t, file != runtest.Own && got != text, "%s: the target has %q", file, got)
			}
			if name == "a label in the same one" && !strings.Contains(r.Target(runtest.Own), "labels: [x]") {
				t.Errorf("the label is lost:\n%s", r.Target(runtest.Own))
			}
		})
	}
}

// TestLand_forbidden lands nothing that would change what is protected on the target, although the branch shows no such change
// since it left the target: another branch that it has merged has the older file, or git follows one that was renamed.
func TestLand_forbidden(t *testing.T) {
	t.Parallel()
	older := func(file string) func(*runtest.Run) {
		return func(r *runtest.Run) {
			// The branch of others began before the file was made stricter, and lands while the agent works.
			tree := filepath.Join(t.TempDir(), "others")
			r.Git("worktree", "add", "-q", "-b", "others", tree, "main~2")
			enginetest.Commit(t, tree, map[string]string{"feature.txt": "x\n"})
			r.Git("merge", "-q", "--no-ff", "--no-edit", "others")
			enginetest.Git(t, r.Trees.Tree, "merge", "-q", "--no-edit", "others")
			enginetest.Git(t, r.Trees.Tree, "checkout", "-q", "others", "--", file)
			r.Agent(map[string]string{"done.txt": "yes\n"})
		}
	}
	for name, tc := range map[string]struct {
		file string
		work func(*runtest.Run)
		kind spec.ReasonCode
		want string
	}{
		"an older protected file": {"check.sh", older("check.sh"), spec.ReasonTampered, "check.sh is protected and was changed"},
		"older settings":          {".chant/prompts/p.md", older(".chant/prompts/p.md"), spec.ReasonTampered, ".chant/prompts/p.md was changed"},
		"an older test":           {"a_test.go", older("a_test.go"), spec.ReasonWeakened, "a_test.go"},
		"a renamed file": {"gate.txt", func(r *runtest.Run) {
			r.Agent(map[string]string{"done.txt": "yes\n", "gate.txt": strings.Repeat("a line\n", 9)})
			r.Git("mv", "gate.txt", "check.sh")
			r.Git("commit", "-q", "-m", "rename")
		}, spec.ReasonTampered, "check.sh is protected and was changed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := strings.Repeat("a line\n", 8)
			if tc.kind == spec.ReasonWeakened {
				text = "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tif a() != 1 {\n\t\tt.Fatal()\n\t}\n}\n"
			}
			p, dir := enginetest.Project(t)
			enginetest.Commit(t, dir, map[string]string{tc.file: text})
			enginetest.Commit(t, dir, map[string]string{tc.file: text + strings.ReplaceAll(text[max(0, strings.Index(text, "func")):], "TestA", "TestB")})
			r := runtest.Of(t, p, dir, runtest.Plain, func(s *attempt.Settings) { s.Verify.Protect = []string{"check.sh"} })
			tc.work(r)
			r.Completed()
			main := r.Git("rev-parse", "main")
			err := r.Lands()
			r.Fails(err, tc.kind, tc.want)
			failure, _ := errors.AsType[*journal.Failure](err)
			// Rebased, the branch shows the change as its own, and a person can accept it.
			assert.Equal(t, "chant merge "+runtest.ID+" --rebase", failure.Next.String())
			assert.Equal(t, main, r.Git("rev-parse", "main"))
			assert.Equal(t, spec.NeedsAttention, r.Status())
		})
	}
}

// both is a spec whose second criterion the target can break.
const both = "---\nstatus: pending\n---\n# Do it\n\n## Acceptance Criteria\n\n- [ ] It is done `$ test -f done.txt`\n- [ ] The gate is open `$ ! test -f gate.txt`\n"

// TestLand_byHand sees that a person has landed the branch already.
func TestLand_byHand(t *testing.T) {
	t.Parallel()
	for name, merge := range map[string][]string{
		"merged":   {"merge", "-q", "--no-ff", "--no-edit"},
		"forward":  {"merge", "-q", "--ff-only"},
		"squashed": {"merge", "-q", "--squash"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := completed(t, map[string]string{})
			r.Git(append(merge, r.Job.Branch)...)
			if name == "squashed" {
				r.Git("commit", "-q", "-m", "squashed")
			}
			main := r.Git("rev-parse", "main")
			assert.NoError(t, r.Lands())
			now := r.Git("rev-parse", "main")
			assert.Equal(t, main, now)
			assert.True(t, r.Lander.Landed, "main is at %s, was %s; landed %v by %q", now, main, r.Lander.Landed, r.Lander.Landing)
			assert.Equal(t, "", r.Lander.Landing)
		})
	}
}

// TestLand_takenBack does not land again what a person has merged and taken back.
func TestLand_takenBack(t *testing.T) {
	t.Parallel()
	r := completed(t, map[string]string{})
	r.Git("merge", "-q", "--no-ff", "--no-edit", r.Job.Branch)
	r.Git("revert", "--no-edit", "-m", "1", "HEAD")
	r.Fails(r.Lands(), spec.ReasonWithdrawn, "was merged into", "taken back there")
}

// TestLand_notCheckedOut moves a target by its ref alone where no checkout has it.
func TestLand_notCheckedOut(t *testing.T) {
	t.Parallel()
	r := completed(t, map[string]string{})
	r.Git("switch", "-q", "-c", "elsewhere")
	before := enginetest.Snapshot(t, r.Dir)
	assert.NoError(t, r.Lands())
	assert.NotEqual(t, "", r.Target("done.txt"), "the target has not moved")
	got := r.Git("rev-parse", "elsewhere")
	assert.NotEqual(t, r.Git("rev-parse", "main"), got, "the branch of the checkout has moved")
	for file := range enginetest.Snapshot(t, r.Dir) {
		_, there := before[file]
		assert.False(t, !there && filepath.Base(file) == "done.txt", "%s was written into a checkout of another branch", file)
	}
}

// TestLand_linkedCheckout brings the files of a linked worktree of the target along.
func TestLand_linkedCheckout(t *testing.T) {
	t.Parallel()
	r := completed(t, map[string]string{})
	r.Git("switch", "-q", "-c", "elsewhere")
	linked := filepath.Join(t.TempDir(), "linked tree")
	r.Git("worktree", "add", "-q", linked, "main")
	assert.NoError(t, r.Lands())
	assert.Equal(t, "yes\n", enginetest.Read(t, linked, "done.txt"), "the linked worktree")
	assert.Equal(t, "", enginetest.Git(t, linked, "status", "--porcelain"), "its status is")
}

// TestLand_stepwise stops a landing after each of its records: begun again it ends the same, with one merge commit.
func TestLand_stepwise(t *testing.T) {
	t.Parallel()
	for _, at := range []journal.State{journal.Begin, journal.Note, journal.Done} {
		t.Run(string(at), func(t *testing.T) {
			t.Parallel()
			r := completed(t, map[string]string{})
			stop := errors.New("stopped here")
			r.OnStep = func(step journal.Step, state journal.State) {
				if step == journal.Land && state == at {
					panic(stop)
				}
			}
			func() {
				defer func() {
					if err := recover(); err != stop {
						panic(err)
					}
				}()
				_ = r.Lands()
			}()
			again := runtest.New(t, r.P, r.Dir, journal.Job{Attempt: 1})
			assert.NoError(t, again.Lands())
			assert.Equal(t, "1", r.Git("rev-list", "--count", "--merges", "main"))
			if r.Target("done.txt") == "" || r.Git("status", "--porcelain") != "" {
				t.Errorf("target %q, status\n%s", r.Target("done.txt"), r.Git("status", "--porcelain"))
			}
		})
	}
}
