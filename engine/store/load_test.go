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

	"github.com/alecthomas/assert/v2"
)

func TestOpen_notInitialized(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	gitIn(t, dir, "init", "-q")
	repo, err := gitops.Open(dir)
	assert.NoError(t, err)
	for _, mess := range []string{"", ".chant/specs"} { // the last one as a file
		if mess != "" {
			put(t, filepath.Join(dir, mess), "")
		}
		s, err := Open(repo, "chant/")
		assert.IsError(t, err, ErrNotInitialized, "with %q", mess)
		assert.True(t, s == nil, "with %q: %v", mess, err)
	}
	left := leftovers(t, filepath.Join(dir, ".chant"), "specs")
	assert.True(t, left == nil, "opening made %q", left)
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
	got, want := brief(set.Specs), idA+" pending\n"+idB+" failed"
	assert.Equal(t, want, got)
	assert.Equal(t, 3, len(set.Invalid))
	assert.Equal(t, "two words", set.Invalid[2].ID)
	assert.Equal(t, "folder", set.Invalid[1].ID)
	assert.Equal(t, idC, set.Invalid[0].ID)
	assert.Equal(t, SpecPath(idC), set.Invalid[0].Path)
	bad, ok := errors.AsType[*markdown.SyntaxError](set.Invalid[0].Err)
	assert.True(t, ok, "%v", set.Invalid[0].Err)
	assert.Equal(t, 3, bad.Line, "%v", set.Invalid[0].Err)
	assert.Equal(t, SpecPath(idC), bad.Path, "%v", set.Invalid[0].Err)
	assert.Contains(t, bad.Msg, `"finished"`, "%v", set.Invalid[0].Err)
	assert.Equal(t, []string{idA, idB, idC, "folder", "two words"}, set.IDs())
}

func TestLoad_unreadableFile(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	if err := os.Symlink("loop.md", filepath.Join(p.home, SpecPath("loop"))); err != nil {
		t.Skip("no symbolic links here")
	}
	set := p.load()
	assert.Equal(t, 1, len(set.Specs))
	assert.Equal(t, 1, len(set.Invalid))
	assert.Equal(t, "loop", set.Invalid[0].ID)
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
	assert.Equal(t, want, brief(p.load().Specs))
	p.put(SpecPath(idB), withStatus("completed")) // in no commit, so it has not landed
	got, err := p.Get(context.Background(), idB)
	assert.NoError(t, err, "by an uncommitted file")
	assert.False(t, got.Landed, "by an uncommitted file: %+v, %v", got, err)
	p.git("commit", "-q", "-m", "land", "--", SpecPath(idB))
	got, err = p.Get(context.Background(), idB)
	assert.NoError(t, err)
	assert.True(t, got.Landed, "%+v, %v", got, err)
	ids, err := p.Store.IDs(context.Background())
	slices.Sort(ids)
	assert.NoError(t, err)
	assert.Equal(t, []string{idA, idB, idC, "d", "only-there"}, ids)
	got, err = p.ReadHome(idA)
	assert.NoError(t, err)
	assert.Equal(t, spec.Pending, got.Status)
	assert.Equal(t, "", got.Branch)
}

func TestLoad_brokenOnTheBranch(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending", idB, "pending")
	p.runBranch(idA, "---\nstatus: eh\n---\n")
	set := p.load()
	assert.Equal(t, 1, len(set.Specs))
	assert.Equal(t, 1, len(set.Invalid))
	assert.HasPrefix(t, set.Invalid[0].Err.Error(), "chant/"+idA+":"+SpecPath(idA)+":2: ")
}

func TestLoad_branchWithoutTheFile(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.git("branch", "chant/"+idA)
	p.put(SpecPath(idA), withStatus("completed"))
	got, want := brief(p.load().Specs), idA+" completed on chant/"+idA
	assert.Equal(t, want, got)
}

func TestLoad_archived(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending", idC, "completed")
	p.put(ArchiveDir+"/2026-11-20/"+idB+".md", withStatus("completed"))
	p.put(ArchiveDir+"/old.md", withStatus("cancelled"))
	p.runBranch(idB, withStatus("completed"))
	set := p.load()
	got, want := brief(set.Specs), idA+" pending\n"+idC+" completed landed"
	assert.Equal(t, want, got)
	assert.Equal(t, []string{idB, "old"}, set.Archived)
	assert.True(t, set.Graph().Done("old"), "archived %q", set.Archived)
	ids, err := p.ArchivedIDs()
	assert.NoError(t, err)
	assert.Equal(t, set.Archived, ids)
	ids, err = p.Store.IDs(context.Background())
	assert.NoError(t, err, "what is put away is active by its branch")
	assert.NotSliceContains(t, ids, idB, "what is put away is active by its branch")
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
	got, err := p.Get(context.Background(), idB)
	assert.NoError(t, err, "a spec that is archived as in older projects has not landed")
	assert.True(t, got.Landed, "a spec that is archived as in older projects has not landed: %+v, %v", got, err)
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
		assert.NoError(t, err)
		assert.Equal(t, path, now.Doc.Path())
		assert.Equal(t, id != idA, now.Archived)
		before, err := p.FindAt(ctx, "HEAD~", id)
		assert.Equal(t, err == nil, id == idA, "%+v", before)
		assert.False(t, err != nil && !errors.Is(err, gitops.ErrNotFound), "%q a commit earlier: %+v, %v", id, before, err)
	}
	_, err := p.ReadAt(ctx, "HEAD", idB)
	assert.IsError(t, err, gitops.ErrNotFound, "an archived spec is among the active ones")
	_, err = p.FindAt(ctx, "HEAD", "broken")
	assert.True(t, isSyntaxError(err), "%v", err)
	for _, id := range []string{"../config", "a/b", ""} {
		got, err := p.FindAt(ctx, "HEAD", id)
		assert.Error(t, err, "%q: %+v", id, got)
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
	assert.Equal(t, 2, len(specs))
	assert.Equal(t, idB, specs[0].ID)
	assert.Equal(t, idC, specs[1].ID)
	assert.True(t, specs[0].Archived, "%+v, %v", specs, err)
	assert.NoError(t, err)
	assert.Equal(t, 1, len(invalid))
	assert.Equal(t, "broken", invalid[0].ID)
	assert.Equal(t, ArchiveDir+"/broken.md", invalid[0].Path)
	assert.True(t, isSyntaxError(invalid[0].Err), "%+v", invalid)
}

func TestGet_notFound(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	for _, id := range []string{"nobody", idA + ".1", "two words", "@{", "a..b"} {
		got, err := p.Get(context.Background(), id)
		missing, ok := errors.AsType[*spec.NotFoundError](err)
		assert.True(t, ok, "%q: %v, %v", id, got, err)
		assert.Equal(t, id, missing.ID, "%v", err)
		assert.True(t, got == nil, "%q: %v, %v", id, got, err)
	}
	_, err := p.GetArchived(idA)
	assert.Error(t, err, "what is active is in the archive")
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
	assert.Equal(t, idA, inside.RunOf())
	assert.Equal(t, p.home, inside.Home())
	assert.Equal(t, tree, inside.Tree(idA))
	assert.Equal(t, p.home, inside.Tree(idB))
	assert.Equal(t, "", p.RunOf())
	assert.Equal(t, p.home, p.Tree(idA))
	for _, c := range []struct {
		s        *Store
		id, want string
	}{
		{inside, idA, idA + " paused on chant/" + idA},
		{inside, idB, idB + " pending"},
		{p.Store, idA, idA + " in_progress on chant/" + idA},
	} {
		got, err := c.s.Get(context.Background(), c.id)
		assert.NoError(t, err, "%s: %v", c.id, got)
		assert.Equal(t, c.want, brief([]*spec.Spec{&got.Spec}), "%s: %v", c.id, got)
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
		assert.False(t, err == nil && brief(set.Specs) != idA+" pending\n"+idB+" pending\n"+idC+" pending", "ended after %d questions: %+v, %v", asked, set, err)
		assert.False(t, err != nil && !errors.Is(err, context.Canceled), "ended after %d questions: %+v, %v", asked, set, err)
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
	assert.Equal(t, n, len(set.Specs))
	assert.True(t, slices.IsSortedFunc(set.Specs, func(a, b *spec.Spec) int { return spec.Compare(a.ID, b.ID) }), "%d specs, or not in order", len(set.Specs))
}
