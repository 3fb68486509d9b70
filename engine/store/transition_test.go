package store

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/spec"
	"chant/engine/store/local"
	"chant/engine/store/message"
	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

// state is everything a person sees of a repository: status, differences, index.
func (p *project) state() string {
	p.t.Helper()
	return p.git("status", "--porcelain=v2", "-z", "--untracked-files=all") + p.git("diff") + p.git("diff", "--cached") + p.git("stash", "list")
}

// mess leaves staged, unstaged and untracked edits of a person.
func (p *project) mess() {
	p.t.Helper()
	p.put("main.go", "package main\n// staged\n")
	p.put("new.go", "package main\n")
	p.git("add", "main.go", "new.go")
	p.put("main.go", "package main\n// staged\n// and more\n")
	p.put("untracked.txt", "mine\n")
}

// names lists the paths that a commit changes.
func (p *project) names(commit string) string {
	p.t.Helper()
	return p.git("show", "--format=", "--name-status", "--no-renames", commit)
}

func move(id string, ev spec.Event) Change { return Change{ID: id, Event: ev} }

func (p *project) transition(ch Change) Outcome {
	p.t.Helper()
	out, err := p.Transition(context.Background(), ch)
	if err != nil {
		p.t.Fatal(err)
	}
	return out
}

func TestTransition_atHome(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending", idB, "pending")
	p.mess()
	before, head := p.state(), p.git("rev-parse", "HEAD")
	out := p.transition(Change{ID: idA, Event: spec.Cancel, Attempt: 2, Why: "  nobody needs it \n", Edits: []markdown.Edit{markdown.Set("reason", "dull")}})
	want := strings.Replace(withStatus("pending"), "pending # so", "cancelled # so\nreason: dull", 1)
	assert.Equal(t, want, p.file(SpecPath(idA)))
	assert.Equal(t, spec.Cancelled, out.Spec.Status)
	assert.Equal(t, "", out.Spec.Branch)
	assert.Equal(t, out.Commit, p.git("rev-parse", "HEAD"))
	assert.Equal(t, head, p.git("rev-parse", "HEAD^"))
	assert.Equal(t, "refs/heads/trunk", p.git("symbolic-ref", "HEAD"))
	got := p.names("HEAD")
	assert.Equal(t, "M\t"+SpecPath(idA), got)
	message := "chant(" + idA + "): cancel\n\nnobody needs it\n\nChant-Spec: " + idA + "\nChant-Event: cancel\nChant-Attempt: 2\n"
	assert.Equal(t, message, p.git("log", "-1", "--format=%B")+"\n")
	assert.Equal(t, before, p.state())
}

func TestTransition_stagedEditOfTheSpec(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	p.put(SpecPath(idA), withStatus("pending")+"\nMore words.\n")
	p.git("add", "-A")
	p.transition(move(idA, spec.Cancel))
	got := p.git("show", "HEAD:"+SpecPath(idA))
	assert.Equal(t, strings.TrimSpace(withStatus("cancelled")+"\nMore words."), got)
	assert.Equal(t, "", p.git("status", "--porcelain"))
}

func TestTransition_onABranchWithoutTree(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	p.runBranch(idA, withStatus("in_progress"))
	p.mess()
	before, head := p.state(), p.git("rev-parse", "HEAD")
	out := p.transition(move(idA, spec.Complete))
	branch := "chant/" + idA
	assert.Equal(t, out.Commit, p.git("rev-parse", branch))
	assert.Equal(t, strings.TrimSpace(withStatus("completed")), p.git("show", branch+":"+SpecPath(idA)))
	assert.Equal(t, "M\t"+SpecPath(idA), p.names(branch))
	assert.Equal(t, branch, out.Spec.Branch)
	assert.False(t, out.Spec.Landed, "%+v", out.Spec)
	assert.Equal(t, spec.Completed, out.Spec.Status)
	assert.Equal(t, head, p.git("rev-parse", "HEAD"), "home was touched")
	assert.Equal(t, before, p.state(), "home was touched")
	assert.Equal(t, withStatus("pending"), p.file(SpecPath(idA)), "home was touched")
}

func TestTransition_onABranchWithTree(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	p.runBranch(idA, withStatus("in_progress"))
	tree := filepath.Join(p.home, ".chant", "worktrees", idA)
	_, err := p.Local(local.Worktrees, idA)
	assert.NoError(t, err)
	p.git("worktree", "add", "-q", tree, "chant/"+idA)
	put(t, filepath.Join(tree, SpecPath(idA)), withStatus("in_progress")+"\nThe agent wrote this.\n")
	put(t, filepath.Join(tree, "main.go"), "package agent\n")
	put(t, filepath.Join(tree, "new.go"), "package agent\n")
	gitIn(t, tree, "add", "new.go")
	before := p.state()
	out := p.transition(move(idA, spec.Pause))
	want := withStatus("paused") + "\nThe agent wrote this.\n"
	got := get(t, filepath.Join(tree, SpecPath(idA)))
	assert.Equal(t, want, got)
	assert.Equal(t, want, p.git("show", out.Commit+":"+SpecPath(idA))+"\n")
	if got := gitIn(t, tree, "status", "--porcelain"); got != " M main.go\nA  new.go" || p.names("chant/"+idA) != "M\t"+SpecPath(idA) {
		t.Errorf("in the tree %q, in the commit %q", got, p.names("chant/"+idA))
	}
	if p.state() != before || p.file(SpecPath(idA)) != withStatus("pending") {
		t.Error("home was touched")
	}
}

func TestTransition_withoutEvent(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "completed")
	ch := Change{ID: idA, Word: "edit", Edits: []markdown.Edit{markdown.Set("model", "m")}, Edit: func(d *markdown.Document) (*markdown.Document, error) {
		return d.WithBody([]byte("# Another title\n")), nil
	}}
	out := p.transition(ch)
	assert.Equal(t, spec.Completed, out.Spec.Status)
	assert.Equal(t, "Another title", out.Spec.Title)
	assert.Equal(t, "m", out.Spec.Fields.Model)
	assert.True(t, out.Spec.Landed, "%+v", out.Spec)
	assert.Equal(t, "chant("+idA+"): edit Chant-Event: edit", p.git("log", "-1", "--format=%s %(trailers:key=Chant-Event,separator=)"))
	again := p.transition(ch)
	assert.Equal(t, "", again.Commit, "nothing changed, yet there is commit")
	assert.Equal(t, "2", p.git("rev-list", "--count", "HEAD"), "nothing changed, yet there is commit")
}

func TestTransition_force(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	from := spec.InProgress
	out := p.transition(Change{ID: idA, Event: spec.Complete, Force: &from})
	assert.Equal(t, spec.Completed, out.Spec.Status, "%+v", out.Spec)
	_, err := p.Transition(context.Background(), Change{ID: idA, Event: spec.Reset, Force: new(spec.Pending)})
	assert.Error(t, err, "force goes round the machine")
}

func TestMessage_text(t *testing.T) {
	t.Parallel()
	for want, m := range map[string]message.Commit{
		"chant(x): add\n\nChant-Spec: x\nChant-Event: add\n":                       {ID: "x", Event: "add"},
		"chant(x): A title\n\nwhy so\n\nChant-Spec: x\nChant-Event: land\n":        {ID: "x", Event: "land", Subject: "A title", Why: "why so\n"},
		"chant(x): start\n\nChant-Spec: x\nChant-Event: start\nChant-Attempt: 3\n": {ID: "x", Event: "start", Attempt: 3},
	} {
		assert.Equal(t, want, m.String())
	}
}
