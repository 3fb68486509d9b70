package gitops

import (
	"context"
	"errors"
	"slices"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/objectstore"
)

// fewLoose is up to how many objects with files of their own reading all of them takes less time than listing those of a
// commit.
const fewLoose = 200

// Replaced lists the objects of some commits, the commits themselves, their folders and their files, whose content on disk
// is not that of their names: something has written other content into the files of git's objects. History before the
// commits is not read.
func (r *Repo) Replaced(ctx context.Context, commits ...string) ([]string, error) {
	if loose, all, err := r.objects.Loose(fewLoose); err != nil {
		return nil, err
	} else if all {
		if wrong, err := r.objects.Replaced(ctx, loose); err == nil && len(wrong) == 0 {
			return nil, nil
		}
	}
	var names []string
	for _, commit := range commits {
		of, err := r.objectsOf(ctx, commit)
		if err != nil {
			return nil, err
		}
		names = append(names, of...)
	}
	slices.Sort(names)
	return r.objects.Replaced(ctx, slices.Compact(names)) // commits of one run have most in common
}

// objectsOf lists the names of a commit's objects, without history and without submodules.
func (r *Repo) objectsOf(ctx context.Context, commit string) ([]string, error) {
	hash, err := r.Resolve(ctx, commit)
	if err != nil {
		return nil, err
	}
	tree, err := r.revs.TreeOf(ctx, hash)
	if err != nil {
		return nil, err
	}
	names, err := r.objectsBelow(ctx, tree)
	if err == nil {
		return append(names, hash), nil
	}
	out, err := r.git.Run(ctx, gitexec.Call{Dir: r.site.Home, Args: []string{"ls-tree", "-r", "-t", "-z", "--full-tree", hash}})
	if err != nil {
		return nil, err
	}
	names = []string{hash, tree}
	for _, line := range gitexec.Records(out) {
		info, _, _ := strings.Cut(line, "\t")
		if fields := strings.Fields(info); len(fields) == 3 && fields[1] != "commit" { // that of a submodule
			names = append(names, fields[2])
		}
	}
	return names, nil
}

// manyFolders is from how many folders on git lists them faster.
const manyFolders = 200

var errManyFolders = errors.New("git lists so many folders faster")

// objectsBelow lists a tree and the names of what is in it, in process.
func (r *Repo) objectsBelow(ctx context.Context, tree string) ([]string, error) {
	names := []string{tree}
	seen := map[string]bool{tree: true} // a tree whose content was replaced can be in itself
	for next := []string{tree}; len(next) > 0; next = next[1:] {
		entries, err := r.objects.ReadTree(ctx, next[0])
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			switch {
			case e.Mode == objectstore.ModeSubmodule:
			case !e.Dir:
				names = append(names, e.Hash)
			case !seen[e.Hash]:
				seen[e.Hash] = true
				names, next = append(names, e.Hash), append(next, e.Hash)
			}
		}
		if len(seen) > manyFolders {
			return nil, errManyFolders
		}
	}
	return names, nil
}
