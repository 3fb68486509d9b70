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
	if got := p.file(SpecPath(idA)); got != want || out.Spec.Status != spec.Cancelled || out.Spec.Branch != "" {
		t.Errorf("%q, %+v", got, out.Spec)
	}
	if p.git("rev-parse", "HEAD") != out.Commit || p.git("rev-parse", "HEAD^") != head || p.git("symbolic-ref", "HEAD") != "refs/heads/trunk" {
		t.Errorf("not one commit on trunk: %s", p.git("log", "--oneline"))
	}
	if got := p.names("HEAD"); got != "M\t"+SpecPath(idA) {
		t.Errorf("the commit holds %q", got)
	}
	message := "chant(" + idA + "): cancel\n\nnobody needs it\n\nChant-Spec: " + idA + "\nChant-Event: cancel\nChant-Attempt: 2\n"
	if got := p.git("log", "-1", "--format=%B"); got+"\n" != message {
		t.Errorf("%q\nwant\n%q", got, message)
	}
	if after := p.state(); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}

func TestTransition_stagedEditOfTheSpec(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	p.put(SpecPath(idA), withStatus("pending")+"\nMore words.\n")
	p.git("add", "-A")
	p.transition(move(idA, spec.Cancel))
	if got := p.git("show", "HEAD:"+SpecPath(idA)); got != strings.TrimSpace(withStatus("cancelled")+"\nMore words.") {
		t.Errorf("%q", got)
	}
	if got := p.git("status", "--porcelain"); got != "" {
		t.Errorf("git sees %q", got)
	}
}

func TestTransition_onABranchWithoutTree(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	p.runBranch(idA, withStatus("in_progress"))
	p.mess()
	before, head := p.state(), p.git("rev-parse", "HEAD")
	out := p.transition(move(idA, spec.Complete))
	branch := "chant/" + idA
	if p.git("rev-parse", branch) != out.Commit || p.git("show", branch+":"+SpecPath(idA)) != strings.TrimSpace(withStatus("completed")) || p.names(branch) != "M\t"+SpecPath(idA) {
		t.Errorf("%s\n%s", p.names(branch), p.git("show", branch+":"+SpecPath(idA)))
	}
	if out.Spec.Branch != branch || out.Spec.Landed || out.Spec.Status != spec.Completed {
		t.Errorf("%+v", out.Spec)
	}
	if p.git("rev-parse", "HEAD") != head || p.state() != before || p.file(SpecPath(idA)) != withStatus("pending") {
		t.Error("home was touched")
	}
}

func TestTransition_onABranchWithTree(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	p.runBranch(idA, withStatus("in_progress"))
	tree := filepath.Join(p.home, ".chant", "worktrees", idA)
	if _, err := p.Local(local.Worktrees, idA); err != nil {
		t.Fatal(err)
	}
	p.git("worktree", "add", "-q", tree, "chant/"+idA)
	put(t, filepath.Join(tree, SpecPath(idA)), withStatus("in_progress")+"\nThe agent wrote this.\n")
	put(t, filepath.Join(tree, "main.go"), "package agent\n")
	put(t, filepath.Join(tree, "new.go"), "package agent\n")
	gitIn(t, tree, "add", "new.go")
	before := p.state()
	out := p.transition(move(idA, spec.Pause))
	want := withStatus("paused") + "\nThe agent wrote this.\n"
	if got := get(t, filepath.Join(tree, SpecPath(idA))); got != want || p.git("show", out.Commit+":"+SpecPath(idA))+"\n" != want {
		t.Errorf("%q", got)
	}
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
	if out.Spec.Status != spec.Completed || out.Spec.Title != "Another title" || out.Spec.Fields.Model != "m" || !out.Spec.Landed {
		t.Errorf("%+v", out.Spec)
	}
	if got := p.git("log", "-1", "--format=%s %(trailers:key=Chant-Event,separator=)"); got != "chant("+idA+"): edit Chant-Event: edit" {
		t.Errorf("%q", got)
	}
	if again := p.transition(ch); again.Commit != "" || p.git("rev-list", "--count", "HEAD") != "2" {
		t.Errorf("nothing changed, yet there is commit %q", again.Commit)
	}
}

func TestTransition_force(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	from := spec.InProgress
	if out := p.transition(Change{ID: idA, Event: spec.Complete, Force: &from}); out.Spec.Status != spec.Completed {
		t.Errorf("%+v", out.Spec)
	}
	if _, err := p.Transition(context.Background(), Change{ID: idA, Event: spec.Reset, Force: new(spec.Pending)}); err == nil {
		t.Error("force goes round the machine")
	}
}

func TestMessage_text(t *testing.T) {
	t.Parallel()
	for want, m := range map[string]message.Commit{
		"chant(x): add\n\nChant-Spec: x\nChant-Event: add\n":                       {ID: "x", Event: "add"},
		"chant(x): A title\n\nwhy so\n\nChant-Spec: x\nChant-Event: land\n":        {ID: "x", Event: "land", Subject: "A title", Why: "why so\n"},
		"chant(x): start\n\nChant-Spec: x\nChant-Event: start\nChant-Attempt: 3\n": {ID: "x", Event: "start", Attempt: 3},
	} {
		if got := m.String(); got != want {
			t.Errorf("%q\nwant\n%q", got, want)
		}
	}
}
