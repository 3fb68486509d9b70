package enginetest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/author"
	"chant/engine/author/review"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/view"
	"chant/engine/work"
	"chant/engine/work/queue"

	"github.com/alecthomas/assert/v2"
)

// gated is a project with one spec that requires approval. Its agent creates a file and then runs the script that
// meanwhile wrote, which acts as a person in home.
type gated struct {
	t   *testing.T
	p   *engine.Project
	dir string
	id  string
}

const gatedID = "2026-01-02-001-abc"

func newGated(t *testing.T, config string) *gated {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts")
	}
	_, dir := Project(t)
	g := &gated{t: t, dir: dir, id: gatedID}
	Write(t, dir, ".chant/config.md", "---\ndefaults: {provider: shell, main_branch: main}\nsandbox: off\n"+config+"---\n")
	Write(t, dir, ".chant/specs/"+gatedID+".md", fmt.Sprintf(`---
status: pending
labels: [security]
approval: {required: true, status: pending}
---
# Gated

Make it.

## Script

`+"```sh"+`
echo x >> made.txt
echo "What I did." >> "$CHANT_SPEC_FILE"
HOME_REPO=%q; export HOME_REPO
if [ -f "$HOME_REPO/.git/meanwhile.sh" ]; then sh "$HOME_REPO/.git/meanwhile.sh"; fi
`+"```"+`

## Acceptance Criteria

- [ ] It is there `+"`$ test -f made.txt`"+`
`, dir))
	g.git("add", ".")
	g.git("commit", "-q", "-m", "spec")
	g.reopen()
	return g
}

// reopen reads the settings again.
func (g *gated) reopen() {
	g.t.Helper()
	var env []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "CHANT_RUN_ID=") {
			env = append(env, kv)
		}
	}
	p, err := engine.Open(g.dir, engine.Options{Environ: env})
	if err != nil {
		g.t.Fatal(err)
	}
	g.p = p
}

func (g *gated) git(args ...string) string {
	g.t.Helper()
	return Git(g.t, g.dir, args...)
}

func (g *gated) approve() review.RulingResult {
	g.t.Helper()
	r, err := review.Approve(g.t.Context(), g.p, review.ApproveInput{ID: g.id})
	if err != nil {
		g.t.Fatal(err)
	}
	return r
}

// meanwhile writes the script of what a person does in home while the agent works.
func (g *gated) meanwhile(script string) {
	g.t.Helper()
	Write(g.t, g.dir, ".git/meanwhile.sh", "set -e\ncd \"$HOME_REPO\"\nunset GIT_CEILING_DIRECTORIES\nS=.chant/specs/"+gatedID+".md\n"+script+"\n")
}

// landed reports whether the target has the agent's file.
func (g *gated) landed() bool {
	g.t.Helper()
	return strings.Contains(g.git("ls-tree", "-r", "--name-only", "main"), "made.txt")
}

func (g *gated) blockedWith(err error, want string) {
	g.t.Helper()
	if CodeOf(g.t, err) != engine.Blocked || !strings.Contains(err.Error(), want) {
		g.t.Errorf("%v, want %q", err, want)
	}
}

// landingPath is one way to land a run.
type landingPath struct {
	name string
	take func(ctx context.Context, p *engine.Project) error
}

// firstFailure returns the error of WorkAll, or of the first run that failed.
func firstFailure(r queue.WorkAllResult, err error) error {
	if err == nil && len(r.Failed) > 0 {
		return engine.Fail(r.Failed[0].Code, r.Failed[0].Next, "%s", r.Failed[0].Reason)
	}
	return err
}

func landingPaths() []landingPath {
	noMerge := func(ctx context.Context, p *engine.Project) error {
		_, err := work.Work(ctx, p, work.WorkInput{ID: gatedID, Options: work.Options{NoMerge: true}})
		return err
	}
	then := func(next func(ctx context.Context, p *engine.Project) error) func(context.Context, *engine.Project) error {
		return func(ctx context.Context, p *engine.Project) error {
			if err := noMerge(ctx, p); err != nil {
				return err
			}
			return next(ctx, p)
		}
	}
	return []landingPath{
		{"work", func(ctx context.Context, p *engine.Project) error {
			_, err := work.Work(ctx, p, work.WorkInput{ID: gatedID})
			return err
		}},
		{"work all", func(ctx context.Context, p *engine.Project) error {
			return firstFailure(queue.WorkAll(ctx, p, queue.WorkAllInput{All: true, Parallel: 2}))
		}},
		{"watch", func(ctx context.Context, p *engine.Project) error {
			r, err := queue.Watch(ctx, p, queue.WatchInput{Work: true, Once: true})
			return firstFailure(r.WorkAllResult, err)
		}},
		{"merge", then(func(ctx context.Context, p *engine.Project) error {
			_, err := work.Merge(ctx, p, work.MergeInput{ID: gatedID})
			return err
		})},
		{"merge --rebase", then(func(ctx context.Context, p *engine.Project) error {
			_, err := work.Merge(ctx, p, work.MergeInput{ID: gatedID, Rebase: true})
			return err
		})},
		{"merge --auto", then(func(ctx context.Context, p *engine.Project) error {
			_, err := work.Merge(ctx, p, work.MergeInput{ID: gatedID, Agent: true, Provider: "resolver"})
			return err
		})},
		{"finalize", then(func(ctx context.Context, p *engine.Project) error {
			if _, err := p.Store.Transition(ctx, flagChange()); err != nil {
				return err
			}
			if _, err := work.Finalize(ctx, p, work.FinalizeInput{ID: gatedID}); err != nil {
				return err
			}
			_, err := work.Merge(ctx, p, work.MergeInput{ID: gatedID})
			return err
		})},
	}
}

// flagChange marks a completed run for a person's attention.
func flagChange() store.Change { return store.Change{ID: gatedID, Event: spec.Flag} }

// TestApproval_everyLandingPath: on every path to landing, a person can withdraw the approval of a run while its agent
// works, in every way. 9B-19, 9B-20.
func TestApproval_everyLandingPath(t *testing.T) {
	t.Parallel()
	commit := "\ngit commit -q -m person -- $S"
	for name, meanwhile := range map[string]struct{ script, want string }{
		"nothing":   {":", ""},
		"edited":    {"sed 's/Make it/Make more of it/' $S > n; cat n > $S; rm n" + commit, spec.Hold{Kind: spec.HeldByEdit}.String()},
		"rejected":  {"sed 's/status: approved/status: rejected/' $S > n; cat n > $S; rm n" + commit, spec.Hold{Kind: spec.HeldByRejection}.String()},
		"withdrawn": {"sed 's/status: approved/status: pending/' $S > n; cat n > $S; rm n" + commit, spec.Hold{Kind: spec.HeldForApproval}.String()},
		"cancelled": {"sed 's/^status: pending/status: cancelled/' $S > n; cat n > $S; rm n" + commit, "was cancelled"},
	} {
		for _, path := range landingPaths() {
			t.Run(path.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				OneOf(t, 2)
				g := newGated(t, "")
				Write(t, g.dir, ".chant/providers/resolver.md", "---\ncommand: 'true'\n---\n")
				r := g.approve()
				assert.Equal(t, "", r.Waits)
				assert.Equal(t, "spec", r.Of)
				g.meanwhile(meanwhile.script)
				err := path.take(t.Context(), g.p)
				switch {
				case meanwhile.want == "" && (err != nil || !g.landed()):
					t.Errorf("the run's own changes void its approval: %v", err)
				case meanwhile.want != "" && g.landed():
					t.Error("it landed")
				case meanwhile.want != "" && name != "cancelled":
					g.blockedWith(err, meanwhile.want)
				case meanwhile.want != "" && err == nil:
					t.Error("no error says why it did not land")
				}
			})
		}
	}
}

// TestApproval_ofWork: an agent's work waits for a person on every path, and lands after the
// approval of exactly this work. 9B-20, 1.4.
func TestApproval_ofWork(t *testing.T) {
	t.Parallel()
	for _, path := range landingPaths()[:3] {
		t.Run(path.name, func(t *testing.T) {
			t.Parallel()
			g := newGated(t, "approval: {require_approval_for_agent_work: true}\n")
			ctx := t.Context()
			g.approve()
			if err := path.take(ctx, g.p); err != nil || g.landed() {
				t.Fatalf("%v, landed %v", err, g.landed())
			}
			shown, err := view.Show(ctx, g.p, view.ShowInput{ID: g.id})
			assert.NoError(t, err, "%+v", shown.Row)
			assert.Equal(t, "completed", shown.Status, "%+v", shown.Row)
			assert.NotZero(t, shown.Landed, "%+v", shown.Row)
			assert.False(t, *shown.Landed, "%+v, %v", shown.Row, err)
			diagnosed, err := view.Diagnose(ctx, g.p, view.DiagnoseInput{ID: g.id})
			assert.NoError(t, err)
			assert.Contains(t, diagnosed.Diagnosis, (spec.Hold{Kind: spec.HeldForWork}).String())
			assert.Equal(t, "chant approve "+g.id, diagnosed.Suggestion.String())
			status, err := view.Status(ctx, g.p, view.StatusInput{})
			assert.NoError(t, err)
			assert.Equal(t, 1, len(status.Runs))
			assert.Equal(t, (spec.Hold{Kind: spec.HeldForWork}).String(), status.Runs[0].State)
			assert.Equal(t, "chant approve "+g.id, status.Runs[0].Next.String())
			_, err = work.Merge(ctx, g.p, work.MergeInput{ID: g.id})
			g.blockedWith(err, spec.Hold{Kind: spec.HeldForWork}.String())
			r := g.approve()
			assert.Equal(t, "work", r.Of)
			assert.Equal(t, "", r.Waits)
			_, err = work.Merge(ctx, g.p, work.MergeInput{ID: g.id})
			assert.NoError(t, err, "approved work does not land")
			assert.True(t, g.landed(), "approved work does not land: %v", err)
		})
	}
}

// TestApproval_ofWorkIsOfThatWork: another commit, a rejection or a forged approval
// keeps approved work from landing, on every path.
func TestApproval_ofWorkIsOfThatWork(t *testing.T) {
	t.Parallel()
	branch := "chant/" + gatedID
	for name, tt := range map[string]struct {
		do   func(g *gated)
		want string
	}{
		"another commit": {func(g *gated) {
			tree := filepath.Join(g.dir, ".chant", "worktrees", gatedID)
			Write(g.t, tree, "more.txt", "x")
			g.git("-C", tree, "add", "more.txt")
			g.git("-C", tree, "commit", "-q", "-m", "more")
		}, "was changed after its work was approved"},
		"edited": {func(g *gated) {
			src, err := author.Source(g.t.Context(), g.p, gatedID)
			if err == nil {
				_, err = author.Edit(g.t.Context(), g.p, author.EditInput{ID: gatedID, Old: src.Text, New: []byte(strings.Replace(string(src.Text), "Make it", "Make more", 1))})
			}
			if err != nil {
				g.t.Fatal(err)
			}
		}, spec.Hold{Kind: spec.HeldByEdit}.String()},
		"rejected": {func(g *gated) {
			if _, err := review.Reject(g.t.Context(), g.p, review.RejectInput{ID: gatedID, Reason: "no"}); err != nil {
				g.t.Fatal(err)
			}
		}, spec.Hold{Kind: spec.HeldByRejection}.String()},
		"forged": {func(g *gated) {
			if err := forge(g, "Somebody <else@example.com>"); err != nil {
				g.t.Fatal(err)
			}
		}, "journal knows nothing"},
	} {
		for _, rebase := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " rebase ", rebase), func(t *testing.T) {
				t.Parallel()
				OneOf(t, 2)
				g := newGated(t, "approval: {require_approval_for_agent_work: true}\n")
				ctx := t.Context()
				g.approve()
				if _, err := work.Work(ctx, g.p, work.WorkInput{ID: g.id}); err != nil {
					t.Fatal(err)
				}
				g.approve()
				tt.do(g)
				_, err := work.Merge(ctx, g.p, work.MergeInput{ID: g.id, Rebase: rebase})
				if g.landed() {
					t.Fatalf("it landed (%v)\n%s", err, g.git("log", "--oneline", branch))
				}
				if !rebase {
					g.blockedWith(err, tt.want)
				}
			})
		}
	}
}

// forge writes an approval to the branch without the operation Approve.
func forge(g *gated, by string) error {
	tree := filepath.Join(g.dir, ".chant", "worktrees", gatedID, ".chant", "specs", gatedID+".md")
	src, err := os.ReadFile(tree)
	if err != nil {
		return err
	}
	forged := strings.Replace(string(src), "Ada <ada@example.com>", by, 1)
	if err := os.WriteFile(tree, []byte(forged), 0o644); err != nil {
		return err
	}
	g.git("-C", filepath.Dir(tree), "commit", "-q", "-a", "-m", "approve")
	return nil
}

// TestApproval_whereHomeIs: a spec that was approved on another branch than the target
// lands, and a rejection on that branch prevents it.
func TestApproval_whereHomeIs(t *testing.T) {
	t.Parallel()
	for _, reject := range []bool{false, true} {
		g := newGated(t, "")
		g.git("switch", "-q", "-c", "elsewhere")
		g.reopen()
		g.approve()
		if _, err := work.Work(t.Context(), g.p, work.WorkInput{ID: g.id, Options: work.Options{NoMerge: true}}); err != nil {
			t.Fatal(err)
		}
		if reject {
			src, err := os.ReadFile(filepath.Join(g.dir, ".chant", "specs", g.id+".md"))
			assert.NoError(t, err)
			Write(t, g.dir, ".chant/specs/"+g.id+".md", strings.Replace(string(src), "status: approved", "status: rejected", 1))
			g.git("commit", "-q", "-a", "-m", "on second thought")
		}
		_, err := work.Merge(t.Context(), g.p, work.MergeInput{ID: g.id})
		if g.landed() == reject {
			t.Errorf("rejected %v, landed %v: %v", reject, g.landed(), err)
		}
	}
}

// TestApproval_byHand: a spec that was worked on without a run cannot be completed without approval.
func TestApproval_byHand(t *testing.T) {
	t.Parallel()
	g := newGated(t, "")
	path := ".chant/specs/" + g.id + ".md"
	src, err := os.ReadFile(filepath.Join(g.dir, filepath.FromSlash(path)))
	assert.NoError(t, err)
	Write(t, g.dir, path, strings.Replace(string(src), "status: pending\nlabels", "status: in_progress\nlabels", 1))
	Write(t, g.dir, "made.txt", "x")
	g.git("add", ".")
	g.git("commit", "-q", "-m", "by hand")
	_, err = work.Finalize(t.Context(), g.p, work.FinalizeInput{ID: g.id})
	g.blockedWith(err, spec.Hold{Kind: spec.HeldForApproval}.String())
	_, err = author.Update(t.Context(), g.p, author.UpdateInput{ID: g.id, Status: "completed"})
	g.blockedWith(err, spec.Hold{Kind: spec.HeldForApproval}.String())
	g.approve()
	r, err := work.Finalize(t.Context(), g.p, work.FinalizeInput{ID: g.id})
	assert.NoError(t, err)
	assert.Equal(t, spec.Completed, r.Status)
	_, err = review.Approve(t.Context(), g.p, review.ApproveInput{ID: g.id})
	assert.Equal(t, engine.State, CodeOf(t, err), "a landed spec is approved")
}
