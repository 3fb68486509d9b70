package store

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine/spec"
	"chant/markdown"
)

// state is everything a person sees of a repository: status, differences, index.
func (p *project) state() string {
	p.t.Helper()
	return p.git("status", "--porcelain=v2", "-z", "--untracked-files=all") + p.git("diff") + p.git("diff", "--cached") + p.git("stash", "list")
}

// mess leaves staged, unstaged and untracked work of a person.
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
	want := strings.Replace(text("pending"), "pending # so", "cancelled # so\nreason: dull", 1)
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
	p.put(SpecPath(idA), text("pending")+"\nMore words.\n")
	p.git("add", "-A")
	p.transition(move(idA, spec.Cancel))
	if got := p.git("show", "HEAD:"+SpecPath(idA)); got != strings.TrimSpace(text("cancelled")+"\nMore words.") {
		t.Errorf("%q", got)
	}
	if got := p.git("status", "--porcelain"); got != "" {
		t.Errorf("git sees %q", got)
	}
}

func TestTransition_onABranchWithoutTree(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	p.runBranch(idA, text("in_progress"))
	p.mess()
	before, head := p.state(), p.git("rev-parse", "HEAD")
	out := p.transition(move(idA, spec.Complete))
	branch := "chant/" + idA
	if p.git("rev-parse", branch) != out.Commit || p.git("show", branch+":"+SpecPath(idA)) != strings.TrimSpace(text("completed")) || p.names(branch) != "M\t"+SpecPath(idA) {
		t.Errorf("%s\n%s", p.names(branch), p.git("show", branch+":"+SpecPath(idA)))
	}
	if out.Spec.Branch != branch || out.Spec.Landed || out.Spec.Status != spec.Completed {
		t.Errorf("%+v", out.Spec)
	}
	if p.git("rev-parse", "HEAD") != head || p.state() != before || p.file(SpecPath(idA)) != text("pending") {
		t.Error("home was touched")
	}
}

func TestTransition_onABranchWithTree(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	p.runBranch(idA, text("in_progress"))
	tree := filepath.Join(p.home, ".chant", "worktrees", idA)
	if _, err := p.Local(Worktrees, idA); err != nil {
		t.Fatal(err)
	}
	p.git("worktree", "add", "-q", tree, "chant/"+idA)
	put(t, filepath.Join(tree, SpecPath(idA)), text("in_progress")+"\nThe agent wrote this.\n")
	put(t, filepath.Join(tree, "main.go"), "package agent\n")
	put(t, filepath.Join(tree, "new.go"), "package agent\n")
	gitIn(t, tree, "add", "new.go")
	before := p.state()
	out := p.transition(move(idA, spec.Pause))
	want := text("paused") + "\nThe agent wrote this.\n"
	if got := get(t, filepath.Join(tree, SpecPath(idA))); got != want || p.git("show", out.Commit+":"+SpecPath(idA))+"\n" != want {
		t.Errorf("%q", got)
	}
	if got := gitIn(t, tree, "status", "--porcelain"); got != " M main.go\nA  new.go" || p.names("chant/"+idA) != "M\t"+SpecPath(idA) {
		t.Errorf("in the tree %q, in the commit %q", got, p.names("chant/"+idA))
	}
	if p.state() != before || p.file(SpecPath(idA)) != text("pending") {
		t.Error("home was touched")
	}
}

func TestTransition_refused(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "completed", idB, "pending")
	p.put(SpecPath(idC), "---\nstatus: odd\n---\n")
	p.mess()
	before, head := p.state(), p.git("rev-parse", "HEAD")
	failed := errors.New("no")
	for name, c := range map[string]struct {
		ch    Change
		check func(error) bool
	}{
		"by the machine": {move(idA, spec.Start), func(err error) bool {
			e, ok := errors.AsType[*spec.StateError](err)
			return ok && e.From == spec.Completed
		}},
		"no such spec":       {move("nobody", spec.Start), func(err error) bool { _, ok := errors.AsType[*spec.NotFoundError](err); return ok }},
		"unreadable":         {move(idC, spec.Start), func(err error) bool { e, ok := errors.AsType[*markdown.SyntaxError](err); return ok && e.Line == 2 }},
		"by its edit":        {Change{ID: idB, Event: spec.Start, Edit: func(*markdown.Document) (*markdown.Document, error) { return nil, failed }}, func(err error) bool { return errors.Is(err, failed) }},
		"a value of no form": {Change{ID: idB, Event: spec.Start, Edits: []markdown.Edit{markdown.Set("x", func() {})}}, func(err error) bool { return errors.Is(err, markdown.ErrValue) }},
	} {
		out, err := p.Transition(context.Background(), c.ch)
		if !c.check(err) || out.Spec != nil || out.Commit != "" {
			t.Errorf("%s: %+v, %v", name, out, err)
		}
	}
	if p.state() != before || p.git("rev-parse", "HEAD") != head {
		t.Error("a refusal left something behind")
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

func TestTransition_failingCommitPutsBack(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending", idB, "in_progress")
	p.runBranch(idB, text("in_progress"))
	tree := filepath.Join(p.home, ".chant", "worktrees", idB)
	if _, err := p.Local(Worktrees, idB); err != nil {
		t.Fatal(err)
	}
	p.git("worktree", "add", "-q", tree, "chant/"+idB)
	p.git("config", "--unset", "user.name")
	p.git("config", "--unset", "user.email")
	p.git("config", "user.useConfigOnly", "true")
	p.mess()
	before := p.state()
	ctx := context.Background()
	for name, act := range map[string]func() error{
		"at home":     func() error { _, err := p.Transition(ctx, move(idA, spec.Start)); return err },
		"in its tree": func() error { _, err := p.Transition(ctx, move(idB, spec.Pause)); return err },
		"create":      func() error { _, err := p.Create(ctx, idC, []byte(text("pending"))); return err },
		"rename": func() error {
			_, err := p.Rename(ctx, map[string]string{SpecPath(idA): ".chant/archive/x/a.md"}, "move")
			return err
		},
	} {
		if err := act(); err == nil {
			t.Errorf("%s: a commit without an identity", name)
		}
	}
	if got := get(t, filepath.Join(tree, SpecPath(idB))); got != text("in_progress") || gitIn(t, tree, "status", "--porcelain") != "" {
		t.Errorf("its tree holds %q", got)
	}
	if p.state() != before || p.file(SpecPath(idC)) != "(none)" {
		t.Errorf("before\n%s\nafter\n%s", before, p.state())
	}
}

func TestTransition_silent(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.put(".git/info/exclude", "/.chant/\n")
	p.git("rm", "-rq", "--cached", ".chant")
	p.git("commit", "-qm", "out of sight")
	head := p.git("rev-parse", "HEAD")
	ctx := context.Background()
	if tracked, err := p.Tracked(ctx); err != nil || tracked {
		t.Fatalf("tracked %v, %v", tracked, err)
	}
	if commit, err := p.Create(ctx, idA, []byte(text("pending"))); err != nil || commit != "" {
		t.Fatalf("%q, %v", commit, err)
	}
	if out := p.transition(move(idA, spec.Start)); out.Commit != "" || out.Spec.Status != spec.InProgress || p.file(SpecPath(idA)) != text("in_progress") {
		t.Errorf("%+v, %q", out, p.file(SpecPath(idA)))
	}
	if commit, err := p.Rename(ctx, map[string]string{SpecPath(idA): ".chant/archive/a.md"}, "m"); err != nil || commit != "" || p.file(".chant/archive/a.md") != text("in_progress") {
		t.Errorf("%q, %v", commit, err)
	}
	if p.git("rev-parse", "HEAD") != head || p.git("status", "--porcelain") != "" {
		t.Error("git saw something")
	}
}

func TestTracked_normally(t *testing.T) {
	t.Parallel()
	if tracked, err := newProject(t).Tracked(context.Background()); err != nil || !tracked {
		t.Errorf("tracked %v, %v", tracked, err)
	}
}

func TestMessage_text(t *testing.T) {
	t.Parallel()
	for want, m := range map[string]Message{
		"chant(x): add\n\nChant-Spec: x\nChant-Event: add\n":                       {ID: "x", Event: "add"},
		"chant(x): A title\n\nwhy so\n\nChant-Spec: x\nChant-Event: land\n":        {ID: "x", Event: "land", Subject: "A title", Why: "why so\n"},
		"chant(x): start\n\nChant-Spec: x\nChant-Event: start\nChant-Attempt: 3\n": {ID: "x", Event: "start", Attempt: 3},
	} {
		if got := m.String(); got != want {
			t.Errorf("%q\nwant\n%q", got, want)
		}
	}
}
