package gitops

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// NestedRepositories lists the repositories inside the worktree at dir that git would
// record as a bare commit name or refuse to add, so that the files in them would be lost:
// untracked ones, with or without a commit, and those in the index that ".gitmodules" does
// not declare. Ignored ones do not count; linked worktrees do. Paths are slash-separated
// from dir, sorted. Errors: ErrNotRepository.
func (r *Repo) NestedRepositories(ctx context.Context, dir string) ([]string, error) {
	p, err := r.site.Place(dir)
	if err != nil {
		return nil, err
	}
	nested, err := r.untrackedRepositories(ctx, p)
	if err != nil {
		return nil, err
	}
	links, err := r.gitlinks(ctx, p)
	if err != nil {
		return nil, err
	}
	if len(links) > 0 {
		declared, err := r.submodules(ctx, p)
		if err != nil {
			return nil, err
		}
		links = slices.DeleteFunc(links, func(path string) bool { return declared[path] != "" })
	}
	nested = append(nested, links...)
	slices.Sort(nested)
	return slices.Compact(nested), nil
}

// untrackedRepositories lists what git does not look into, though told to list every
// untracked file: it shows such a folder as a whole, with a slash behind.
func (r *Repo) untrackedRepositories(ctx context.Context, p layout.Place) ([]string, error) {
	entries, err := r.Status(ctx, p.Top)
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

// gitlinks lists the entries of the index that are commits of other repositories.
func (r *Repo) gitlinks(ctx context.Context, p layout.Place) ([]string, error) {
	var found []string
	if entries, ok := r.indexFile(p); ok {
		for _, e := range entries {
			if e.Mode == filemode.Submodule {
				found = append(found, e.Name)
			}
		}
		return found, nil
	}
	out, err := r.git.Run(ctx, gitexec.Call{Dir: p.Top, Args: []string{"ls-files", "--stage", "-z"}})
	if err != nil {
		return nil, err
	}
	for _, record := range gitexec.Records(out) { // "mode hash stage<TAB>path"
		if info, path, ok := strings.Cut(record, "\t"); ok && strings.HasPrefix(info, modeSubmodule+" ") {
			found = append(found, path)
		}
	}
	return found, nil
}

// submodules maps the paths that ".gitmodules" declares to the names there; like git, it
// takes the index's where there is no such file on disk.
func (r *Repo) submodules(ctx context.Context, p layout.Place) (map[string]string, error) {
	source := "--file=.gitmodules"
	if _, err := os.Lstat(filepath.Join(p.Top, ".gitmodules")); errors.Is(err, fs.ErrNotExist) {
		source = "--blob=:.gitmodules"
	}
	out, err := r.git.Run(ctx, gitexec.Call{Dir: p.Top, Args: []string{"config", source, "-z", "--get-regexp", `^submodule\..*\.path$`}})
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
