package gitindex

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/index"

	"chant/gitops/gitconfig"
	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/objectstore"
	"chant/gitops/refstore"
	"chant/gitops/revision"
)

// Index reads and changes the indexes of the worktrees of one repository.
// Its fields are set once, when it is made.
type Index struct {
	Git     *gitexec.Runner
	Site    *layout.Site
	Refs    *refstore.Store
	Objects *objectstore.Store
	Revs    *revision.Reader
	Config  *gitconfig.Settings
}

// maxIndex is the size in bytes of an index from which on git is faster than we are.
const maxIndex = 4 << 20

// File reads the index of a worktree without a process. ok is false where only git can read
// it: a split, sparse or very large one, one with hashes of another kind, and a broken one.
func (x *Index) File(p layout.Place) (entries []*index.Entry, ok bool) {
	// The decoder knows only SHA-1.
	if p.GitDir == "" || x.Site.Format.HashSize != 20 || x.Site.Format.Foreign {
		return nil, false
	}
	file := filepath.Join(p.GitDir, "index")
	if info, err := os.Stat(file); err != nil || info.Size() > maxIndex || !info.Mode().IsRegular() {
		// Git has no index before the first "git add": that is an empty one, not an unreadable one.
		return nil, layout.Absent(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, false
	}
	var all index.Index
	if err := index.NewDecoder(bytes.NewReader(text)).Decode(&all); err != nil {
		return nil, false
	}
	return all.Entries, true
}

// entries reads the index of a worktree, with the modes, names and stages alone where git is asked.
func (x *Index) entries(ctx context.Context, p layout.Place) ([]*index.Entry, error) {
	if entries, ok := x.File(p); ok {
		return entries, nil
	}
	out, err := x.Git.Run(ctx, gitexec.Call{Dir: p.Top, Args: []string{"ls-files", "--stage", "-z"}})
	if err != nil {
		return nil, err
	}
	var entries []*index.Entry
	for _, record := range gitexec.Records(out) { // "mode hash stage<TAB>path"
		info, path, _ := strings.Cut(record, "\t")
		mode, rest, _ := strings.Cut(info, " ")
		e := &index.Entry{Name: path}
		if e.Mode, err = filemode.New(mode); err != nil {
			return nil, fmt.Errorf("git ls-files: line %q is none of its own", record)
		}
		if !strings.HasSuffix(rest, " 0") {
			// Which stage it is does not matter: every one but 0 means that the path is not merged.
			e.Stage = index.TheirMode
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// paths lists the names of those entries of an index that are wanted.
func (x *Index) paths(ctx context.Context, p layout.Place, wanted func(*index.Entry) bool) (paths []string, err error) {
	entries, err := x.entries(ctx, p)
	for _, e := range entries {
		if wanted(e) {
			paths = append(paths, e.Name)
		}
	}
	return paths, err
}

// Gitlinks lists the entries of the index that are commits of other repositories.
func (x *Index) Gitlinks(ctx context.Context, p layout.Place) ([]string, error) {
	return x.paths(ctx, p, func(e *index.Entry) bool { return e.Mode == filemode.Submodule })
}

// TrackedFiles lists the paths in the index of the worktree at dir, slash-separated from its top and
// sorted by bytes. Errors: ErrNotRepository.
func (x *Index) TrackedFiles(ctx context.Context, dir string) ([]string, error) {
	p, err := x.Site.Place(dir)
	if err != nil {
		return nil, err
	}
	paths, err := x.paths(ctx, p, func(*index.Entry) bool { return true })
	slices.Sort(paths)
	return paths, err
}

// UnmergedEntries lists the paths of the index entries that are not merged, once for each stage.
func (x *Index) UnmergedEntries(ctx context.Context, p layout.Place) (paths []string, err error) {
	return x.paths(ctx, p, func(e *index.Entry) bool { return e.Stage != 0 })
}

// Staged returns the files below a folder that the index of the worktree whose top is dir
// adds or changes, as they are in it. index is another index file, such as the one that
// git names to a hook, "" for the worktree's own. It takes no lock and reads nothing from
// disk where nothing is staged.
func (x *Index) Staged(ctx context.Context, dir, index, folder string) ([]objectstore.File, error) {
	p, err := x.Site.Place(dir)
	if err != nil {
		return nil, err
	}
	c := gitexec.Call{Dir: p.Top, Args: []string{
		"diff", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--diff-filter=AMT", "--", ":(top,literal)" + folder,
	}}
	if index != "" {
		// A hook gets a path that is relative to the top.
		if !filepath.IsAbs(index) {
			index = filepath.Join(p.Top, index)
		}
		c.Env = []string{"GIT_INDEX_FILE=" + index}
	}
	out, err := x.Git.Run(ctx, c)
	if err != nil {
		return nil, err
	}
	var files []objectstore.File
	fields := gitexec.Records(out) // ":oldmode newmode oldhash newhash status" and a path, each time
	for i := 0; i+1 < len(fields); i += 2 {
		mode, hash, ok := gitexec.NewSide(fields[i])
		// A submodule is a commit of another repository, which has no blob here.
		if !ok || mode == objectstore.ModeSubmodule {
			continue
		}
		content, err := x.Revs.ReadBlob(ctx, hash)
		if err != nil {
			return nil, err
		}
		files = append(files, objectstore.File{Path: fields[i+1], Content: content})
	}
	return files, nil
}
