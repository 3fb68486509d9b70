package gitops

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	goindex "github.com/go-git/go-git/v5/plumbing/format/index"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"

	"chant/gitops/layout"
	"chant/gitops/refstore"
	"chant/gitops/rootdir"
)

// This file finds repositories inside a worktree whose content would be lost with it: untracked ones, ignored ones and
// submodules.
//
// It never changes anything in them.
//
// Rules:
//
//   - What cannot be read counts as something that would be lost.
//   - No git runs in a nested repository: whether something would be lost is read from its files. Git runs in the worktree
//     around it, and in home.
//
// Decisions:
//
// 2026-11-28: commits, refs and the index of a nested repository are read with go-git. Rejected: git with settings that turn
// off what runs programs, since each version of git has more of them than one can list, and a partial clone fetches what is
// missing by a program of its remote; and keeping every nested repository, since package managers leave clones in ignored
// folders that can be made again.

// errUnread is the error for a repository that cannot be read here. Callers take it for one that has something of its own.
var errUnread = errors.New("the repository cannot be read without git")

// repository is one that is read from its files alone: no git runs there, since its settings could name any program.
type repository struct {
	top, gitDir string // top is "" for a bare one
	refs        *refstore.Store
	objects     *filesystem.ObjectStorage
}

// openRepository finds a repository whose top, or itself if it is bare, is at a path. Error: errUnread.
func openRepository(path string, bare bool) (*repository, error) {
	r := &repository{gitDir: path}
	if !bare {
		r.top, r.gitDir = path, filepath.Join(path, ".git")
		info, err := os.Lstat(r.gitDir)
		if err != nil {
			return nil, errUnread
		}
		// The ".git" of a submodule or of a linked worktree is a file.
		if info.Mode().IsRegular() {
			text, err := layout.ReadName(r.gitDir)
			to, is := strings.CutPrefix(string(text), "gitdir:")
			if err != nil || !is {
				return nil, errUnread
			}
			r.gitDir = layout.Resolve(path, strings.TrimSpace(to))
		}
	}
	common := r.gitDir
	if text, err := layout.ReadName(filepath.Join(r.gitDir, "commondir")); err == nil {
		common = layout.Resolve(r.gitDir, strings.TrimSpace(string(text)))
	}
	if !layout.IsGitDir(common) {
		return nil, errUnread
	}
	// Git would heed the settings that it finds there; here only the format is read.
	site, err := layout.Apart(common, common)
	if err != nil || site.Format.Foreign || site.Format.Reftable {
		return nil, errUnread
	}
	// This comes before anything is opened through go-git, which would wait for a pipe.
	if !hasOnlyFiles(common) || !hasOnlyFiles(r.gitDir) {
		return nil, errUnread
	}
	r.refs = &refstore.Store{Site: site}
	r.objects = filesystem.NewObjectStorage(dotgit.New(osfs.New(common)), cache.NewObjectLRU(8<<20))
	return r, nil
}

// hasOnlyFiles reports whether a git dir, and each from which it takes objects, has nothing but files and folders: the opening of a
// pipe would never end.
func hasOnlyFiles(gitDir string) bool {
	dirs := []string{gitDir}
	// Borrowed objects are opened too.
	if text, err := layout.ReadPlain(filepath.Join(gitDir, "objects", "info", "alternates")); err == nil {
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				dirs = append(dirs, layout.Resolve(filepath.Join(gitDir, "objects"), line))
			}
		}
	}
	for _, dir := range dirs {
		err := rootdir.In(dir, func(root *os.Root) error {
			return rootdir.Walk(root, func(_ string, kind fs.FileMode) error {
				// A link could lead to a pipe elsewhere.
				if kind&(fs.ModeNamedPipe|fs.ModeDevice|fs.ModeSymlink|fs.ModeIrregular) != 0 {
					return errUnread
				}
				return nil
			})
		})
		if err != nil {
			return false
		}
	}
	return true
}

// place returns where the repository is, for readers of refs.
func (r *repository) place() layout.Place { return layout.Place{Top: r.top, GitDir: r.gitDir} }

// close closes the packs that were read.
func (r *repository) close() { _ = r.objects.Close() } // nothing was written

// tips returns where HEAD, the branches and the stash point, and where remote-tracking refs and tags do.
func (r *repository) tips(ctx context.Context) (own []string, remote, tags []string, err error) {
	all, err := r.refs.List(ctx, "refs/")
	if err != nil {
		return nil, nil, nil, errors.Join(errUnread, err)
	}
	for _, ref := range all {
		switch {
		case strings.HasPrefix(ref.Name, "refs/remotes/"):
			remote = append(remote, ref.Hash)
		case strings.HasPrefix(ref.Name, "refs/tags/"):
			tags = append(tags, ref.Hash)
		default:
			own = append(own, ref.Hash)
		}
	}
	head, err := r.refs.HeadOf(ctx, r.place())
	switch {
	case errors.Is(err, refstore.ErrUnborn):
		return own, remote, tags, nil
	case err != nil:
		return nil, nil, nil, errors.Join(errUnread, err)
	}
	return append(own, head.Hash), remote, tags, nil
}

// maxCommits bounds how many commits are read to find out whether others are among them.
const maxCommits = 50_000

// hasUnreachable reports whether one of some commits is not reachable from any of those that are known elsewhere.
func (r *repository) hasUnreachable(ctx context.Context, own, known []string) (bool, error) {
	missing := map[string]bool{}
	for _, hash := range own {
		missing[hash] = true
	}
	seen := map[string]bool{}
	next := known
	// The search goes from what is known elsewhere and ends as soon as it has met all of the own ones, mostly at the first
	// commits.
	for len(next) > 0 && len(missing) > 0 {
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		hash := next[0]
		next = next[1:]
		if hash == "" || seen[hash] {
			continue
		}
		seen[hash] = true
		delete(missing, hash)
		if len(missing) == 0 {
			break
		}
		// A history that is too long to read counts as something of its own, and the repository is kept.
		if len(seen) > maxCommits {
			return true, nil
		}
		text, err := r.read(hash, plumbing.AnyObject)
		if err != nil {
			// A shallow history ends there, and home may know more than this repository has.
			continue
		}
		next = append(next, referencedHashes(text)...)
	}
	return len(missing) > 0, nil
}

// referencedHashes returns the parents of a commit, or what a tag is of.
func referencedHashes(text []byte) []string {
	var out []string
	for line := range bytes.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimRight(string(line), "\n"), " ")
		switch {
		case key == "":
			return out
		case (key == "parent" || key == "object") && layout.IsHash(value):
			out = append(out, value)
		}
	}
	return out
}

// maxObject limits the commits and trees that are read, in bytes.
const maxObject = 16 << 20

// read returns the content of an object.
func (r *repository) read(hash string, kind plumbing.ObjectType) (text []byte, err error) {
	// The library trusts its files, and these may be anything.
	defer func() {
		if recover() != nil {
			err = errUnread
		}
	}()
	object, err := r.objects.EncodedObject(kind, plumbing.NewHash(hash))
	if err != nil {
		return nil, err
	}
	if object.Size() > maxObject {
		return nil, errUnread
	}
	in, err := object.Reader()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text = make([]byte, object.Size())
	_, err = io.ReadFull(in, text)
	return text, err
}

// entry is a file of a commit.
type entry struct {
	mode filemode.FileMode
	hash string
}

// files lists the files of a commit by their paths. Error: errUnread.
func (r *repository) files(commit string) (map[string]entry, error) {
	text, err := r.read(commit, plumbing.CommitObject)
	tree, is := strings.CutPrefix(string(text), "tree ")
	if err != nil || !is || len(tree) < 40 {
		return nil, errUnread
	}
	out := map[string]entry{}
	return out, r.addTree(out, "", tree[:40], 0)
}

func (r *repository) addTree(out map[string]entry, above, hash string, level int) error {
	text, err := r.read(hash, plumbing.TreeObject)
	// A tree can name itself only by a broken hash, but trees can be nested and repeated to any size.
	if err != nil || level > 200 || len(out) > maxEntries {
		return errUnread
	}
	for len(text) > 0 {
		head, rest, found := bytes.Cut(text, []byte{0})
		mode, name, both := strings.Cut(string(head), " ")
		if !found || !both || len(rest) < 20 {
			return errUnread
		}
		id := plumbing.Hash(rest[:20]).String()
		text = rest[20:]
		kind, err := filemode.New(mode)
		if err != nil {
			return errUnread
		}
		if kind == filemode.Dir {
			if err := r.addTree(out, above+name+"/", id, level+1); err != nil {
				return err
			}
			continue
		}
		out[above+name] = entry{kind, id}
	}
	return nil
}

// maxEntries and maxIndex bound the files of a repository that are compared one by one.
const (
	maxEntries = 100_000
	maxIndex   = 16 << 20
)

// index reads the entries of the index; none if there is no index. Error: errUnread.
func (r *repository) index() (entries []*goindex.Entry, written fs.FileInfo, err error) {
	file := filepath.Join(r.gitDir, "index")
	written, err = os.Lstat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil || !written.Mode().IsRegular() || written.Size() > maxIndex {
		return nil, nil, errUnread
	}
	text, err := layout.ReadPlain(file)
	if err != nil {
		return nil, nil, errUnread
	}
	// The library panics on some broken files.
	defer func() {
		if recover() != nil {
			err = errUnread
		}
	}()
	var all goindex.Index
	if goindex.NewDecoder(bytes.NewReader(text)).Decode(&all) != nil {
		return nil, nil, errUnread
	}
	return all.Entries, written, nil
}
