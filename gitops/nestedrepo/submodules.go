package nestedrepo

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/objectstore"
)

// UnsavedSubmodule is one whose content would be lost with its worktree.
type UnsavedSubmodule struct {
	Path        string // slash-separated from the worktree
	Uncommitted bool   // files, else commits alone
}

// UnsavedSubmodules lists the submodules of the worktree at dir, those within others too, in which
// something is uncommitted, untracked or stashed, or that have commits which no remote of theirs,
// no tag, not home's own store of the submodule and no commit of home names: a linked worktree
// keeps the objects of its submodules, and they go with it.
func (f *Finder) UnsavedSubmodules(ctx context.Context, dir string) ([]UnsavedSubmodule, error) {
	p, err := f.Site.Place(dir)
	if err != nil {
		return nil, err
	}
	return f.unsaved(ctx, holder{top: p.Top, gitDir: p.GitDir, keeper: f.Site.Home, store: f.Site.Common})
}

// holder is a working tree that has submodules.
type holder struct {
	top    string
	gitDir string // of top, "" for a submodule
	keeper string // working tree whose HEAD stays when top goes
	store  string // git dir that stays, with the submodules' own in "modules"
}

func (f *Finder) unsaved(ctx context.Context, h holder) ([]UnsavedSubmodule, error) {
	links, err := f.Index.Gitlinks(ctx, layout.Place{Top: h.top, GitDir: h.gitDir})
	if err != nil || len(links) == 0 {
		return nil, err
	}
	names, err := f.submodules(ctx, layout.Place{Top: h.top})
	if err != nil {
		return nil, err
	}
	var found []UnsavedSubmodule
	for _, path := range links {
		sub := holder{top: filepath.Join(h.top, filepath.FromSlash(path))}
		sub.keeper = sub.top
		if name := names[path]; name != "" && filepath.IsLocal(name) {
			sub.store = filepath.Join(h.store, "modules", name)
		}
		if !initialised(sub.top, names[path] != "") {
			continue
		}
		inside, err := f.unsavedIn(ctx, sub, f.linkOf(ctx, h.keeper, path))
		if err != nil {
			return nil, err
		}
		for _, one := range inside {
			one.Path = strings.TrimSuffix(path+"/"+one.Path, "/")
			found = append(found, one)
		}
	}
	slices.SortFunc(found, func(a, b UnsavedSubmodule) int { return strings.Compare(a.Path, b.Path) })
	return found, nil
}

// initialised reports whether a submodule has content. One that nothing declares and
// that has its git dir within itself is no submodule: see NestedRepositories.
func initialised(top string, declared bool) bool {
	info, err := os.Lstat(filepath.Join(top, ".git"))
	return err == nil && (declared || !info.IsDir())
}

// unsavedIn looks into one submodule; a path of "" is itself.
func (f *Finder) unsavedIn(ctx context.Context, sub holder, known string) ([]UnsavedSubmodule, error) {
	out, err := f.Git.Run(ctx, gitexec.Call{
		Dir: sub.top, Settings: []string{"core.fsmonitor=false"},
		Args: []string{"status", "--porcelain=v1", "-z", "--untracked-files=all", "--ignore-submodules=none"},
	})
	var git *gitexec.Error
	if errors.As(err, &git) {
		return []UnsavedSubmodule{{Uncommitted: true}}, nil
	}
	if err != nil {
		return nil, err
	}
	inside, err := f.unsaved(ctx, sub)
	if err != nil || len(inside) > 0 {
		return inside, err
	}
	if len(out) > 0 {
		return []UnsavedSubmodule{{Uncommitted: true}}, nil
	}
	kept := append(f.refsIn(ctx, sub.store), known)
	alone, err := f.commitsAlone(ctx, sub.top, kept)
	if alone && err == nil {
		inside = []UnsavedSubmodule{{}}
	}
	return inside, err
}

// commitsAlone reports whether a repository has commits that neither its remotes nor its
// tags nor kept hold. What of kept it does not have says nothing.
func (f *Finder) commitsAlone(ctx context.Context, dir string, kept []string) (bool, error) {
	args := []string{"rev-list", "-n", "1", "--ignore-missing", "HEAD", "--branches", "--glob=refs/stas[h]", "--not", "--remotes", "--tags"}
	out, err := f.Git.Run(ctx, gitexec.Call{Dir: dir, Args: append(args, slices.DeleteFunc(kept, func(h string) bool { return h == "" })...)})
	var git *gitexec.Error
	if errors.As(err, &git) {
		return true, nil
	}
	return len(out) > 0, err
}

// linkOf is the commit that HEAD of a working tree names for a submodule, "" for none.
func (f *Finder) linkOf(ctx context.Context, dir, path string) string {
	out, err := f.Git.Run(ctx, gitexec.Call{Dir: dir, Args: []string{"ls-tree", "-z", "HEAD", "--", path}})
	fields := strings.Fields(string(out)) // "mode type hash<TAB>path"
	if err != nil || len(fields) < 3 || fields[0] != objectstore.ModeSubmodule {
		return ""
	}
	return fields[2]
}

// refsIn lists what the refs and HEAD of a git dir hold; nothing where there is none that
// git reads.
func (f *Finder) refsIn(ctx context.Context, gitDir string) []string {
	if _, err := os.Lstat(gitDir); gitDir == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	out, err := f.Git.Run(ctx, gitexec.Call{Dir: gitDir, Args: []string{"rev-parse", "--all", "HEAD"}})
	if err != nil {
		return nil
	}
	return strings.Fields(string(out))
}
