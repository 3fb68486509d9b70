package code

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"chant/engine"

	"chant/engine/code/shelf"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/disk"
	"chant/engine/store/index"
	"chant/gitops"
)

// codeFolder is a folder whose code is searched.
type codeFolder struct {
	p     *engine.Project
	shelf *shelf.Shelf
	rules shelf.Rules
	asked string // the folder, absolute
	root  string // the top of its worktree
	below string // the folder relative to root, with slashes; "" for the whole worktree
	from  string // the same, also where the whole worktree is searched
}

// placeOf returns the place that a path of a request means: a folder, absolute or relative to the project's worktree. A
// folder that is in no repository has an index of its own, which is made if build is set (openApart). Errors: Usage for
// what is no folder, NotFound for such a folder of which nothing has been indexed.
func placeOf(p *engine.Project, folder string, build bool) (*codeFolder, error) {
	base := p.Folder
	if base == "" {
		base = p.Repo.Dir()
	}
	asked := folder
	if !filepath.IsAbs(asked) {
		asked = filepath.Join(base, filepath.FromSlash(folder))
	}
	asked = filepath.Clean(asked)
	if info, err := os.Stat(asked); err != nil || !info.IsDir() {
		return nil, engine.Fail(engine.Usage, next.Code.Help(), "Path does not exist or is not a directory: %s", asked)
	}
	repo, err := p.Repo.OpenOther(asked)
	if errors.Is(err, gitops.ErrNotRepository) {
		repo, err = openApart(p, asked, build)
	}
	if err != nil {
		return nil, engine.Wrap(err, "")
	}
	// Manifests and rows name the worktree by this path, so links to it must not make another.
	root := shelf.Root(repo)
	below, err := filepath.Rel(root, disk.RealPath(asked))
	if err != nil || below == ".." || strings.HasPrefix(below, ".."+string(filepath.Separator)) {
		return nil, engine.Fail(engine.Usage, next.Code.Help(), "%s leads out of its worktree %s", asked, root)
	}
	at := &codeFolder{p: p, asked: asked, root: root, rules: rules(p)}
	if below != "." {
		at.from = filepath.ToSlash(below)
	}
	// Without a folder the whole worktree is searched, also from below its top.
	if folder != "" && folder != "." {
		at.below = at.from
	}
	if err := at.rules.Valid(); err != nil {
		return nil, engine.Fail(engine.Invalid, next.EditFile(".chant/config.md"), "code: %s", err)
	}
	at.shelf = at.shelfOf(repo)
	return at, nil
}

// rules are those of the settings.
func rules(p *engine.Project) shelf.Rules {
	c := p.Config.Code
	return shelf.Rules{Exclude: c.Exclude, Include: c.Include, MaxBytes: int64(c.MaxFileSize)}
}

// kept is the key of the shelf of a repository among what a server remembers.
type kept struct{ common string }

// shelfOf returns the shelf of a repository, in a server the same for all requests.
func (at *codeFolder) shelfOf(repo *gitops.Repo) *shelf.Shelf {
	p := at.p
	key := kept{repo.CommonDir()}
	if known, ok := p.Recall.Kept(key).(*shelf.Shelf); ok {
		return known
	}
	s := &shelf.Shelf{Repo: repo}
	use := p.Store.Index
	s.Open = func(ctx context.Context) *index.Index {
		if use == store.IndexOff {
			return nil
		}
		return store.OpenIndexBeside(ctx, repo.CommonDir(), at.root)
	}
	p.Recall.Keep(key, s)
	return s
}

// current returns what the worktree contains now. Without build, a repository of which nothing has been indexed is an error.
func (at *codeFolder) current(ctx context.Context, build bool, progress func(done, total int, file string)) (*shelf.Snapshot, shelf.Report, error) {
	if !build && !at.shelf.Exists(ctx) {
		return nil, shelf.Report{}, noIndex(at.asked)
	}
	shot, report, err := at.shelf.Refresh(ctx, shelf.Request{Root: at.root, Rules: at.rules, Progress: progress})
	return shot, report, engine.Wrap(err, "")
}

func noIndex(folder string) error {
	return engine.Fail(engine.NotFound, next.Index.On(), "No index found for path: %s. Run 'index_codebase' tool first.", folder)
}
