package gitops

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/gitindex"
	"chant/gitops/layout"
)

// Finder looks for repositories inside the worktrees of one repository.
// Its fields are set once, when it is made.
type Finder struct {
	Git   *gitexec.Runner
	Site  *layout.Site
	Index *gitindex.Index
}

// NestedRepositories lists the repositories inside the worktree at dir that git would
// record as a bare commit name or refuse to add, so that the files in them would be lost:
// untracked ones, with or without a commit, and those in the index that ".gitmodules" does
// not declare. Ignored ones do not count; linked worktrees do. Paths are slash-separated
// from dir, sorted. Errors: ErrNotRepository.
func (f *Finder) NestedRepositories(ctx context.Context, dir string) ([]string, error) {
	p, err := f.Site.Place(dir)
	if err != nil {
		return nil, err
	}
	nested, err := f.untrackedRepositories(ctx, p)
	if err != nil {
		return nil, err
	}
	links, err := f.Index.Gitlinks(ctx, p)
	if err != nil {
		return nil, err
	}
	if len(links) > 0 {
		declared, err := f.submodules(ctx, p)
		if err != nil {
			return nil, err
		}
		// The content of a declared submodule is looked at by UnsavedSubmodules.
		links = slices.DeleteFunc(links, func(path string) bool { return declared[path] != "" })
	}
	nested = append(nested, links...)
	slices.Sort(nested)
	return slices.Compact(nested), nil
}

// untrackedRepositories lists what git does not look into, though asked to list every
// untracked file: it shows such a folder as a whole, with a slash behind.
func (f *Finder) untrackedRepositories(ctx context.Context, p layout.Place) ([]string, error) {
	if hasNone(p.Top) {
		return nil, ctx.Err()
	}
	entries, err := f.Index.Status(ctx, p.Top)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, e := range entries {
		if path, folder := strings.CutSuffix(e.Path, "/"); folder && e.Code == "??" {
			found = append(found, path)
		}
	}
	return found, nil
}

// submodules maps the paths that ".gitmodules" declares to the names there; like git, it
// takes the index's where there is no such file on disk.
func (f *Finder) submodules(ctx context.Context, p layout.Place) (map[string]string, error) {
	source := "--file=.gitmodules"
	// Like git, this takes the version in the index if the file was removed.
	if _, err := os.Lstat(filepath.Join(p.Top, ".gitmodules")); errors.Is(err, fs.ErrNotExist) {
		source = "--blob=:.gitmodules"
	}
	out, err := f.Git.Run(ctx, gitexec.Call{Dir: p.Top, Args: []string{"config", source, "-z", "--get-regexp", `^submodule\..*\.path$`}})
	// Git exits with 1 if no setting matches.
	if gitexec.ExitCode(err) == 1 {
		return nil, nil
	}
	names := map[string]string{}
	for _, record := range gitexec.Records(out) { // "submodule.NAME.path<LF>value"
		if key, path, ok := strings.Cut(record, "\n"); ok {
			names[strings.TrimSuffix(path, "/")] = strings.TrimSuffix(strings.TrimPrefix(key, "submodule."), ".path")
		}
	}
	return names, err
}
