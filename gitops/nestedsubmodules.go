package gitops

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"
	goconfig "github.com/go-git/go-git/v5/plumbing/format/config"

	"chant/gitops/gitexec"
	"chant/gitops/objectstore"
	"chant/gitops/rootdir"
)

// UnsavedSubmodule is one whose content would be lost with its worktree.
type UnsavedSubmodule struct {
	Path        string // slash-separated from the worktree
	Uncommitted bool   // files, else commits alone
}

// UnsavedSubmodules lists the submodules of the worktree at dir, those within others too,
// in which something is uncommitted, untracked or stashed, or that have commits which no
// remote of theirs, no tag, not home's own store of the submodule and no commit of home
// names: a linked worktree keeps the objects of its submodules, and they go with it.
// One that git cannot read counts. Errors: ErrNotRepository.
func (f *Finder) UnsavedSubmodules(ctx context.Context, dir string) ([]UnsavedSubmodule, error) {
	p, err := f.Site.Place(dir)
	if err != nil {
		return nil, err
	}
	links, err := f.Index.Gitlinks(ctx, p)
	if err != nil || len(links) == 0 {
		return nil, err
	}
	names, err := f.submodules(ctx, p)
	if err != nil {
		return nil, err
	}
	return unsavedSubmodules(ctx, level{top: p.Top, links: links, names: names, store: f.Site.Common, link: func(path string) string { return f.linkOf(ctx, path) }})
}

// level is a working tree that has submodules.
type level struct {
	top   string
	links []string                 // of the index
	names map[string]string        // by path, as ".gitmodules" declares them
	store string                   // git dir that stays when top goes, with the submodules' own in "modules"; "" = none
	link  func(path string) string // the commit that is recorded for a submodule in what stays, "" for none
}

func unsavedSubmodules(ctx context.Context, l level) ([]UnsavedSubmodule, error) {
	var found []UnsavedSubmodule
	for _, path := range l.links {
		top, store := filepath.Join(l.top, filepath.FromSlash(path)), ""
		// The name comes from a file of the worktree, so it must not lead out of the store.
		if name := l.names[path]; name != "" && filepath.IsLocal(name) && l.store != "" {
			store = filepath.Join(l.store, "modules", name)
		}
		if !initialised(top, l.names[path] != "") {
			continue
		}
		inside, err := unsavedIn(ctx, top, store, l.link(path))
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

// unsavedIn looks into one submodule; a path of "" is itself. known is a commit that stays.
func unsavedIn(ctx context.Context, top, store, known string) ([]UnsavedSubmodule, error) {
	r, err := openRepository(top, false)
	if err != nil {
		return []UnsavedSubmodule{{Uncommitted: true}}, nil //nolint:nilerr // what cannot be read counts
	}
	defer r.close()
	changed, err := r.changed(ctx)
	if err != nil {
		return nil, err
	}
	inside, err := unsavedBelow(ctx, r, store)
	// What is lost deeper has a path of its own, which helps the person more than the name of the outer submodule.
	if err != nil || len(inside) > 0 {
		return inside, err
	}
	if changed {
		return []UnsavedSubmodule{{Uncommitted: true}}, nil
	}
	own, remote, tags, err := r.tips(ctx)
	if err != nil {
		return []UnsavedSubmodule{{Uncommitted: true}}, ctx.Err()
	}
	alone, err := r.hasUnreachable(ctx, own, slices.Concat(remote, tags, refsIn(ctx, store), []string{known}))
	if err != nil || !alone {
		return nil, err
	}
	return []UnsavedSubmodule{{}}, nil
}

// unsavedBelow looks into the submodules of a submodule.
func unsavedBelow(ctx context.Context, r *repository, store string) ([]UnsavedSubmodule, error) {
	entries, _, err := r.index()
	if err != nil {
		return []UnsavedSubmodule{{Uncommitted: true}}, nil //nolint:nilerr // what cannot be read counts
	}
	l := level{top: r.top, store: store, link: func(string) string { return "" }, names: map[string]string{}}
	for _, e := range entries {
		if e.Mode == filemode.Submodule {
			l.links = append(l.links, e.Name)
		}
	}
	if len(l.links) == 0 {
		return nil, nil
	}
	// What HEAD names for a submodule is in the commits of this one, which are looked at themselves.
	if head, err := r.refs.HeadOf(ctx, r.place()); err == nil {
		if files, err := r.files(head.Hash); err == nil {
			l.link = func(path string) string {
				if e := files[path]; e.mode == filemode.Submodule {
					return e.hash
				}
				return ""
			}
		}
	}
	if l.names, err = declared(r.top); err != nil {
		return []UnsavedSubmodule{{Uncommitted: true}}, nil //nolint:nilerr // as above
	}
	return unsavedSubmodules(ctx, l)
}

// declared maps the paths that ".gitmodules" of a submodule declares to the names there.
func declared(top string) (map[string]string, error) {
	names := map[string]string{}
	var text []byte
	err := rootdir.In(top, func(root *os.Root) (err error) {
		text, err = rootdir.Read(root, ".gitmodules", maxRules)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return names, nil
	}
	if err != nil {
		return nil, err
	}
	cfg := goconfig.New()
	if err := goconfig.NewDecoder(bytes.NewReader(text)).Decode(cfg); err != nil {
		return nil, err
	}
	for _, sub := range cfg.Section("submodule").Subsections {
		if at := strings.TrimSuffix(sub.Option("path"), "/"); at != "" {
			names[at] = sub.Name
		}
	}
	return names, nil
}

// linkOf is the commit that HEAD of home names for a submodule, "" for none.
func (f *Finder) linkOf(ctx context.Context, path string) string {
	out, err := f.Git.Run(ctx, gitexec.Call{Dir: f.Site.Home, Args: []string{"ls-tree", "-z", "HEAD", "--", path}})
	fields := strings.Fields(string(out)) // "mode type hash<TAB>path"
	if err != nil || len(fields) < 3 || fields[0] != objectstore.ModeSubmodule {
		return ""
	}
	return fields[2]
}

// refsIn lists what the refs and HEAD of a git dir hold; nothing where there is none that can be read.
func refsIn(ctx context.Context, gitDir string) []string {
	if gitDir == "" {
		return nil
	}
	r, err := openRepository(gitDir, true)
	if err != nil {
		return nil
	}
	defer r.close()
	own, remote, tags, err := r.tips(ctx)
	if err != nil {
		return nil
	}
	return slices.Concat(own, remote, tags)
}
