package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"chant/engine/spec"
	"chant/gitops"
	"chant/markdown"
)

func TestOpen_notInitialized(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	gitIn(t, dir, "init", "-q")
	repo, err := gitops.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, mess := range []string{"", ".chant/specs"} { // the last one as a file
		if mess != "" {
			put(t, filepath.Join(dir, mess), "")
		}
		if s, err := Open(repo, "chant/"); !errors.Is(err, ErrNotInitialized) || s != nil {
			t.Errorf("with %q: %v", mess, err)
		}
	}
	if left := leftovers(t, filepath.Join(dir, ".chant"), "specs"); left != nil {
		t.Errorf("opening made %q", left)
	}
}

func TestLoad_brokenFilesHideNothing(t *testing.T) {
	t.Parallel()
	p := newProject(t, idB, "failed", idA, "pending")
	p.put(SpecPath(idC), "---\ntype: code\nstatus: finished\n---\n# T\n")
	p.put(SpecPath("two words"), "# Named as no command can name it\n")
	for _, path := range []string{".hidden.md", ".md", "notes.txt", "folder.md/inside.md"} {
		p.put(SpecsDir+"/"+path, "---\n")
	}
	set := p.load()
	if got, want := brief(set.Specs), idA+" pending\n"+idB+" failed"; got != want {
		t.Errorf("specs\n%s\nwant\n%s", got, want)
	}
	if len(set.Invalid) != 3 || set.Invalid[2].ID != "two words" || set.Invalid[1].ID != "folder" || set.Invalid[0].ID != idC || set.Invalid[0].Path != SpecPath(idC) {
		t.Fatalf("invalid %+v", set.Invalid)
	}
	bad, ok := errors.AsType[*markdown.SyntaxError](set.Invalid[0].Err)
	if !ok || bad.Line != 3 || bad.Path != SpecPath(idC) || !strings.Contains(bad.Msg, `"finished"`) {
		t.Errorf("%v", set.Invalid[0].Err)
	}
	if got := set.IDs(); !slices.Equal(got, []string{idA, idB, idC, "folder", "two words"}) {
		t.Errorf("ids %q", got)
	}
}

func TestLoad_unreadableFile(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	if err := os.Symlink("loop.md", filepath.Join(p.home, SpecPath("loop"))); err != nil {
		t.Skip("no symbolic links here")
	}
	set := p.load()
	if len(set.Specs) != 1 || len(set.Invalid) != 1 || set.Invalid[0].ID != "loop" {
		t.Errorf("%s, %+v", brief(set.Specs), set.Invalid)
	}
}

func TestLoad_theBranchSpeaks(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending", idB, "pending", idC, "completed", "d", "completed")
	p.runBranch(idA, withStatus("in_progress"))
	p.runBranch(idB, withStatus("completed"))
	p.runBranch("only-there", withStatus("paused"))
	p.git("branch", "chant/"+idC)
	p.git("branch", "chant/no-spec")
	p.git("branch", "other/"+idC)
	want := strings.Join([]string{
		idA + " in_progress on chant/" + idA,
		idB + " completed on chant/" + idB, // not landed: home has it as pending
		idC + " completed on chant/" + idC + " landed",
		"d completed landed",
		"only-there paused on chant/only-there",
	}, "\n")
	if got := brief(p.load().Specs); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	p.put(SpecPath(idB), withStatus("completed")) // in no commit, so it has not landed
	if got, err := p.Get(context.Background(), idB); err != nil || got.Landed {
		t.Errorf("by an uncommitted file: %+v, %v", got, err)
	}
	p.git("commit", "-q", "-m", "land", "--", SpecPath(idB))
	if got, err := p.Get(context.Background(), idB); err != nil || !got.Landed {
		t.Errorf("%+v, %v", got, err)
	}
	ids, err := p.Store.IDs(context.Background())
	slices.Sort(ids)
	if err != nil || !slices.Equal(ids, []string{idA, idB, idC, "d", "only-there"}) {
		t.Errorf("ids %q, %v", ids, err)
	}
	if got, err := p.ReadHome(idA); err != nil || got.Status != spec.Pending || got.Branch != "" {
		t.Errorf("from home: %+v, %v", got, err)
	}
}

func TestLoad_brokenOnTheBranch(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending", idB, "pending")
	p.runBranch(idA, "---\nstatus: eh\n---\n")
	set := p.load()
	if len(set.Specs) != 1 || len(set.Invalid) != 1 || !strings.HasPrefix(set.Invalid[0].Err.Error(), "chant/"+idA+":"+SpecPath(idA)+":2: ") {
		t.Errorf("%s, %+v", brief(set.Specs), set.Invalid)
	}
}

func TestLoad_branchWithoutTheFile(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.git("branch", "chant/"+idA)
	p.put(SpecPath(idA), withStatus("completed"))
	if got, want := brief(p.load().Specs), idA+" completed on chant/"+idA; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestLoad_archived(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending", idC, "completed")
	p.put(ArchiveDir+"/2026-11-20/"+idB+".md", withStatus("completed"))
	p.put(ArchiveDir+"/old.md", withStatus("cancelled"))
	p.runBranch(idB, withStatus("completed"))
	set := p.load()
	if got, want := brief(set.Specs), idA+" pending\n"+idC+" completed landed"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if !slices.Equal(set.Archived, []string{idB, "old"}) || !set.Graph().Done("old") {
		t.Errorf("archived %q", set.Archived)
	}
	if ids, err := p.ArchivedIDs(); err != nil || !slices.Equal(ids, set.Archived) {
		t.Errorf("archived ids %q, %v", ids, err)
	}
	if ids, err := p.Store.IDs(context.Background()); err != nil || slices.Contains(ids, idB) {
		t.Errorf("what is put away is active by its branch: %q, %v", ids, err)
	}
	if got, err := p.GetArchived(idB); err != nil || !got.Archived || got.Status != spec.Completed || got.Doc.Path() != ArchiveDir+"/2026-11-20/"+idB+".md" {
		t.Errorf("%+v, %v", got, err)
	}
	p.git("add", ".chant")
	p.git("commit", "-q", "-m", "archive")
	if got, err := p.Get(context.Background(), idB); err != nil || !got.Landed {
		t.Errorf("its branch says it has not landed: %+v, %v", got, err)
	}
}

func TestGet_archivedDirectly(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	p.put(ArchiveDir+"/"+idB+".md", withStatus("completed"))
	p.git("add", ".chant")
	p.git("commit", "-q", "-m", "archive")
	p.runBranch(idB, withStatus("completed"))
	if got, err := p.Get(context.Background(), idB); err != nil || !got.Landed {
		t.Errorf("a spec that is archived as in older projects has not landed: %+v, %v", got, err)
	}
}

func TestFindAt_places(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	p.put(ArchiveDir+"/2026-11-20/"+idB+".md", withStatus("completed"))
	p.put(ArchiveDir+"/old.md", withStatus("cancelled"))
	p.put(ArchiveDir+"/broken.md", withStatus("whatever"))
	p.git("add", ".chant")
	p.git("commit", "-q", "-m", "archive")
	ctx := context.Background()
	for id, path := range map[string]string{idA: SpecPath(idA), idB: ArchiveDir + "/2026-11-20/" + idB + ".md", "old": ArchiveDir + "/old.md"} {
		now, err := p.FindAt(ctx, "HEAD", id)
		if err != nil || now.Doc.Path() != path || now.Archived != (id != idA) {
			t.Errorf("%q: %+v, %v", id, now, err)
		}
		before, err := p.FindAt(ctx, "HEAD~", id)
		if (id == idA) != (err == nil) || err != nil && !errors.Is(err, gitops.ErrNotFound) {
			t.Errorf("%q a commit earlier: %+v, %v", id, before, err)
		}
	}
	if _, err := p.ReadAt(ctx, "HEAD", idB); !errors.Is(err, gitops.ErrNotFound) {
		t.Errorf("an archived spec is among the active ones: %v", err)
	}
	if _, err := p.FindAt(ctx, "HEAD", "broken"); !isSyntaxError(err) {
		t.Error(err)
	}
	for _, id := range []string{"../config", "a/b", ""} {
		if got, err := p.FindAt(ctx, "HEAD", id); err == nil {
			t.Errorf("%q: %+v", id, got)
		}
	}
}

func isSyntaxError(err error) bool {
	_, is := errors.AsType[*markdown.SyntaxError](err)
	return is
}

func TestLoadArchived_unreadable(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	if specs, invalid, err := p.LoadArchived(); len(specs)+len(invalid) > 0 || err != nil {
		t.Errorf("without an archive: %v, %v, %v", specs, invalid, err)
	}
	p.put(ArchiveDir+"/"+idC+".md", withStatus("completed"))
	p.put(ArchiveDir+"/2026-11-20/"+idB+".md", withStatus("cancelled"))
	p.put(ArchiveDir+"/broken.md", withStatus("whatever"))
	specs, invalid, err := p.LoadArchived()
	if len(specs) != 2 || specs[0].ID != idB || specs[1].ID != idC || !specs[0].Archived || err != nil {
		t.Errorf("%+v, %v", specs, err)
	}
	if len(invalid) != 1 || invalid[0].ID != "broken" || invalid[0].Path != ArchiveDir+"/broken.md" || !isSyntaxError(invalid[0].Err) {
		t.Errorf("%+v", invalid)
	}
}

func TestGet_notFound(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	for _, id := range []string{"nobody", idA + ".1", "two words", "@{", "a..b"} {
		got, err := p.Get(context.Background(), id)
		if missing, ok := errors.AsType[*spec.NotFoundError](err); !ok || missing.ID != id || got != nil {
			t.Errorf("%q: %v, %v", id, got, err)
		}
	}
	if _, err := p.GetArchived(idA); err == nil {
		t.Error("what is active is in the archive")
	}
}

func TestGet_insideItsRun(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending", idB, "pending")
	p.runBranch(idA, withStatus("in_progress"))
	tree := filepath.Join(p.home, ".chant", "worktrees", idA)
	p.git("worktree", "add", "-q", tree, "chant/"+idA)
	put(t, filepath.Join(tree, SpecPath(idA)), withStatus("paused")) // not committed
	put(t, filepath.Join(tree, SpecPath(idB)), withStatus("failed"))
	inside := p.openAt(tree)
	if inside.RunOf() != idA || inside.Home() != p.home || inside.Tree(idA) != tree || inside.Tree(idB) != p.home || p.RunOf() != "" || p.Tree(idA) != p.home {
		t.Fatalf("run of %q, home %q, tree %q", inside.RunOf(), inside.Home(), inside.Tree(idA))
	}
	for _, c := range []struct {
		s        *Store
		id, want string
	}{
		{inside, idA, idA + " paused on chant/" + idA},
		{inside, idB, idB + " pending"},
		{p.Store, idA, idA + " in_progress on chant/" + idA},
	} {
		got, err := c.s.Get(context.Background(), c.id)
		if err != nil || brief([]*spec.Spec{&got.Spec}) != c.want {
			t.Errorf("%s: %v, %v; want %s", c.id, got, err, c.want)
		}
	}
}

// ending is a context that ends after a number of calls of Err.
type ending struct {
	context.Context
	left atomic.Int64
}

func (e *ending) Err() error {
	if e.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

func TestLoad_canceled(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending", idB, "pending", idC, "pending")
	for asked := range int64(20) {
		ctx := &ending{Context: context.Background()}
		ctx.left.Store(asked)
		set, err := p.Load(ctx)
		if err == nil && brief(set.Specs) != idA+" pending\n"+idB+" pending\n"+idC+" pending" || err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("ended after %d questions: %+v, %v", asked, set, err)
		}
	}
}

func TestLoad_many(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	const n = 500
	for i := range n {
		id := spec.ID{Date: "2026-11-20", Seq: i, Suffix: "abc"}.String()
		p.put(SpecPath(id), withStatus("pending"))
	}
	set := p.load()
	if len(set.Specs) != n || !slices.IsSortedFunc(set.Specs, func(a, b *spec.Spec) int { return spec.Compare(a.ID, b.ID) }) {
		t.Errorf("%d specs, or not in order", len(set.Specs))
	}
}
