package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chant/engine/spec"
	"chant/engine/store/disk"
	"chant/engine/store/local"
	"chant/gitops"
	"chant/gitops/rootdir"
)

// Store reads and writes one project's `.chant` folder.
type Store struct {
	local.Files

	Target string              // short name of the branch on which runs land; "" = the branch that home has checked out
	Rules  []spec.ApprovalRule // of the project, which apply to every spec

	Index IndexUse         // when queries use the index
	Clock func() time.Time // of the file system, for the stamps of files; nil = time.Now

	Secret func() ([]byte, error) // seals journals; nil, or a nil secret: they are not sealed
	// Seal returns the file with the held-out criteria that a file has, nil for none, and of a section: encrypted, if the
	// machine has a key for that.
	Seal func(have, section []byte) ([]byte, error)

	repo   *gitops.Repo
	home   string            // the folder of the project in the main worktree, mostly its top
	prefix string            // of run branches, such as "chant/"
	run    string            // id of the spec in whose run's worktree the caller is, or ""
	extra  map[string][]byte // see Overlay
}

// Open returns the store of a repository with a project. It creates nothing. Error:
// ErrNotInitialized if there is no project.
func Open(repo *gitops.Repo, branchPrefix string) (*Store, error) {
	s := OpenRepository(repo, branchPrefix)
	err := CheckPresence(context.Background(), s)
	// Where the whole project is removed here, clients know the sentence of this error, and init reports the other.
	if absent, ok := errors.AsType[*AbsentError](err); !s.Present() && (err == nil || ok && absent.Why == Removed) {
		return nil, ErrNotInitialized
	}
	if err == nil {
		err = s.CheckFormat()
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// AbsentError says that the commit which is checked out has a file or folder of the project that the checkout lacks: without
// it the settings, and what they demand, would not count.
type AbsentError struct {
	Path string // from the top of the checkout
	Why  Absence
}

// Absence says why a checkout lacks what is tracked.
type Absence string

// The reasons.
const (
	Removed Absence = "removed" // the file was removed
	Sparse  Absence = "sparse"  // the checkout is a sparse one
	Skipped Absence = "skipped" // git was configured to ignore the file, and it was removed
)

// Error names the path.
func (e *AbsentError) Error() string {
	switch e.Why {
	case Sparse:
		return fmt.Sprintf("%s is in this repository, but this sparse checkout leaves it out", e.Path)
	case Skipped:
		return fmt.Sprintf("%s is in this repository, but not in this checkout, where git was told not to look at it (skip-worktree)", e.Path)
	}
	return fmt.Sprintf("%s is in the commit that is checked out, but not in this checkout", e.Path)
}

// UnbornError says that the branch which is checked out has no commit, while branches of a remote have a project: the HEAD of
// the remote that was cloned names a branch that does not exist.
type UnbornError struct {
	Branch string   // which is checked out
	Remote []string // branches with a project, such as "origin/main", the likeliest first
}

// Error names both.
func (e *UnbornError) Error() string {
	return fmt.Sprintf("branch %q, which is checked out, has no commit, and the project is on %q", e.Branch, e.Remote[0])
}

// CheckPresence returns an *AbsentError if home lacks the settings or a spec of a project, an *UnbornError if only branches of a remote
// have one, and a *local.FileError if its folder is a link.
func CheckPresence(ctx context.Context, s *Store) error {
	// What a link leads to is in no commit.
	if info, err := os.Lstat(filepath.Join(s.home, Dir)); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return &local.FileError{Path: filepath.Join(s.home, Dir), Msg: "is a symbolic link: the folder of a project must be in its repository"}
	}
	skipped, err := s.repo.Skipped(ctx, s.home, Dir)
	if err != nil {
		return err
	}
	_, err = os.Lstat(filepath.Join(s.repo.CommonDir(), "info", "sparse-checkout"))
	sparse := err == nil
	for _, path := range skipped {
		// A file that is there although git skips it is read like any other; of the rest, only settings and specs change
		// what happens.
		if _, err := os.Lstat(filepath.Join(s.home, filepath.FromSlash(path))); err == nil || path != ConfigPath && !strings.HasPrefix(path, SpecsDir+"/") {
			continue
		}
		// In a sparse checkout, one path represents everything below it.
		if sparse {
			return &AbsentError{Dir, Sparse}
		}
		return &AbsentError{path, Skipped}
	}
	for _, path := range []string{SpecsDir, ConfigPath} {
		if _, err := os.Lstat(filepath.Join(s.home, filepath.FromSlash(path))); err == nil || path == SpecsDir && s.Present() {
			continue
		}
		head, err := s.repo.Head(ctx, s.home)
		if errors.Is(err, gitops.ErrUnborn) && !s.Present() {
			return findUnborn(ctx, s, head.Branch)
		}
		if err != nil || head.Hash == "" {
			// An unborn branch has no project.
			return nil //nolint:nilerr // see above
		}
		// What the commit lacks too was never a part of the project.
		if _, err := s.repo.Entry(ctx, head.Hash, path); err != nil {
			continue
		}
		if sparse {
			return &AbsentError{Dir, Sparse}
		}
		return &AbsentError{path, Removed}
	}
	return nil
}

// findUnborn returns an *UnbornError if a clone without any branch of its own has branches of a remote with a project.
func findUnborn(ctx context.Context, s *Store, branch string) error {
	// A repository that has commits of its own begins a branch without any on purpose.
	if own, err := s.repo.Branches(ctx, ""); err != nil || len(own) > 0 {
		return err
	}
	refs, err := s.repo.Refs(ctx, remotes)
	if err != nil {
		return err
	}
	unborn := &UnbornError{Branch: branch}
	for _, ref := range refs {
		name := strings.TrimPrefix(ref.Name, remotes)
		_, short, _ := strings.Cut(name, "/")
		// The HEAD of a remote is an alias, and branches of runs are not ones to check out.
		if _, err := s.repo.Entry(ctx, ref.Hash, ConfigPath); err != nil || short == "HEAD" || strings.HasPrefix(short, s.prefix) && s.prefix != "" {
			continue
		}
		// The usual names are the likeliest, and the message names the first.
		if short == "main" || short == "master" {
			unborn.Remote = slices.Insert(unborn.Remote, 0, name)
		} else {
			unborn.Remote = append(unborn.Remote, name)
		}
	}
	if len(unborn.Remote) == 0 {
		return nil
	}
	return unborn
}

// remotes begins the names of branches of remotes.
const remotes = "refs/remotes/"

// OpenRepository returns the store of a repository, even if home has no project checked out.
func OpenRepository(repo *gitops.Repo, branchPrefix string) *Store {
	branchPrefix = local.BranchPrefix(branchPrefix, repo.Folder())
	s := &Store{Files: local.FilesOf(repo.CommonDir(), repo.Home(), repo.Folder()), home: repo.Home(), repo: repo, prefix: branchPrefix}
	// Only a linked worktree can be that of a run.
	if repo.Dir() != repo.Home() {
		if head, err := repo.Head(context.Background(), repo.Dir()); err == nil {
			if id, ok := strings.CutPrefix(head.Branch, branchPrefix); ok {
				s.run = id
			}
		}
	}
	return s
}

// SetRun makes a store that of the run of a spec, whatever is checked out in its worktree.
func SetRun(s *Store, id string) {
	if s.repo.Dir() != s.home {
		s.run = id
	}
}

// Present reports whether home has a project checked out: its folder of specs, or its settings, since git leaves out of a
// clone a folder without files.
func (s *Store) Present() bool {
	// Anything but a missing folder decides: a file in its place is not a project.
	if info, err := os.Stat(filepath.Join(s.home, filepath.FromSlash(SpecsDir))); !errors.Is(err, fs.ErrNotExist) {
		return err == nil && info.IsDir()
	}
	info, err := os.Lstat(filepath.Join(s.home, filepath.FromSlash(ConfigPath)))
	return err == nil && info.Mode().IsRegular()
}

// Overlay adds files to home that exist in memory only, by their paths: specs and sprints that would be there after an
// import. All that reads specs finds them, and nothing writes them. The index, which knows files on disk, is not used.
func Overlay(s *Store, files map[string][]byte) { s.extra, s.Index = files, IndexOff }

// Home is the folder of the project in the main worktree, mostly the top of that.
func (s *Store) Home() string { return s.home }

// Branch names the branch of a spec's run.
func (s *Store) Branch(id string) string { return s.prefix + id }

// PlanBranch names the branch of a plan that is not accepted.
func (s *Store) PlanBranch(id string) string {
	return strings.TrimSuffix(s.prefix, "/") + "-plan/" + id
}

// RunOf is the id of the spec in whose run's worktree the caller is, "" elsewhere.
func (s *Store) RunOf() string { return s.run }

// Tree is the top of the worktree whose copy of the spec the caller changes: the
// run's worktree inside that run, home everywhere else.
func (s *Store) Tree(id string) string {
	if s.run != "" && s.run == id {
		return s.repo.Dir()
	}
	return s.home
}

// Get reads the current version of one active spec; *spec.NotFoundError if there
// is none.
func (s *Store) Get(ctx context.Context, id string) (*spec.File, error) {
	tip, err := s.tip(ctx, id)
	if err != nil {
		return nil, err
	}
	away, err := s.targetRevision(ctx)
	if err != nil {
		return nil, err
	}
	got, err := current{s, fileSource{s}, away}.read(ctx, id, tip)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &spec.NotFoundError{ID: id}
	}
	if err != nil {
		return nil, err
	}
	return got.File(), nil
}

// targetRevision returns the target as a revision, "" if home has that branch checked out.
func (s *Store) targetRevision(ctx context.Context) (string, error) {
	if s.Target == "" {
		return "", nil
	}
	return s.branchRevision(ctx, s.Target)
}

// branchRevision does the same for the branch on which a spec lands.
func (s *Store) branchRevision(ctx context.Context, target string) (string, error) {
	head, err := s.repo.Head(ctx, s.home)
	// In an unborn branch no file is checked out, so the target is elsewhere.
	if err != nil && !errors.Is(err, gitops.ErrUnborn) {
		return "", err
	}
	if head.Branch == target {
		return "", nil
	}
	rev := "refs/heads/" + target
	_, err = s.repo.Resolve(ctx, rev)
	// A target without commits has nothing to read.
	if errors.Is(err, gitops.ErrNotFound) {
		return "", nil
	}
	return rev, err
}

// HasBranch reports whether the spec has a run's branch.
func (s *Store) HasBranch(ctx context.Context, id string) (bool, error) {
	tip, err := s.tip(ctx, id)
	return tip != "", err
}

// Exists reports whether home has a file for exactly this id.
func (s *Store) Exists(id string) bool {
	_, err := os.Lstat(filepath.Join(s.home, filepath.FromSlash(SpecPath(id))))
	return err == nil
}

// ReadHome reads the spec's file in home, even if a branch has another version. Error: fs.ErrNotExist
// without a file.
func (s *Store) ReadHome(id string) (*spec.File, error) {
	src, err := s.ReadTree(s.home, SpecPath(id))
	if err != nil {
		return nil, err
	}
	got, err := s.Parse(id, SpecPath(id), src)
	AdoptHome(s, got)
	return got, err
}

// Parse parses the text of a spec of this project, without the folder of its key `source`; errors as of spec.Parse.
func (s *Store) Parse(id, path string, src []byte) (*spec.File, error) {
	got, err := spec.Parse(id, path, src)
	if got != nil {
		got.Rules, got.Target = s.Rules, cmp.Or(got.Fields.Onto, s.Target)
	}
	return got, err
}

// ReadTree reads a file below a worktree, by a slash-separated path. Error: *local.FileError if it is neither a
// regular file nor a link to one, or if checkLinks refuses it.
func (s *Store) ReadTree(tree, path string) ([]byte, error) {
	if src, has := s.extra[path]; has && tree == s.home {
		return src, nil
	}
	if tree == s.home {
		return ReadFile(tree, path)
	}
	path = s.repo.FromTop(path)
	// The check gives the better error; the read below does not rely on it.
	if _, err := regularFile(tree, path); err != nil {
		return nil, err
	}
	var src []byte
	// An agent at work may replace what was just looked at, so the read itself follows no link.
	err := rootdir.In(tree, func(root *os.Root) (err error) {
		src, err = rootdir.Read(root, path, maxSpecSize)
		return err
	})
	return src, err
}

// ReadFile is ReadTree without a store.
func ReadFile(tree, path string) ([]byte, error) {
	full, err := regularFile(tree, path)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(full)
}

// maxSpecSize limits the files that are read as a whole, in bytes.
const maxSpecSize = 256 << 20

// regularFile returns the path of a file below a worktree; errors as of ReadTree.
func regularFile(tree, path string) (string, error) {
	if err := checkLinks(tree, path); err != nil {
		return "", err
	}
	full := filepath.Join(tree, filepath.FromSlash(path))
	info, err := os.Stat(full)
	if err != nil {
		// The error of the system would say that a file is missing which the user sees.
		if link, linkErr := os.Lstat(full); linkErr == nil && link.Mode()&fs.ModeSymlink != 0 {
			return "", &local.FileError{Path: path, Msg: "is a link to nothing"}
		}
		return "", err
	}
	// Reading a pipe would never end.
	if !info.Mode().IsRegular() {
		return "", &local.FileError{Path: path, Msg: "is not a regular file"}
	}
	// A sparse file without content can have any size.
	if info.Size() > maxSpecSize {
		return "", &local.FileError{Path: path, Msg: fmt.Sprintf("has %d bytes, more than a file here can have", info.Size())}
	}
	return full, nil
}

// checkLinks returns a *local.FileError that names the link if the file of a spec, active or archived, is a link that leads
// out of the worktree, or below one: agents and clients may read specs, and no other file of the user.
func checkLinks(tree, path string) error {
	// A project may be in a folder of the worktree.
	if full := "/" + path; !strings.Contains(full, "/"+SpecsDir+"/") && !strings.Contains(full, "/"+ArchiveDir+"/") {
		return nil
	}
	// Each folder of the path may be the link, not only the file.
	for end := range len(path) + 1 {
		if end < len(path) && path[end] != '/' {
			continue
		}
		part := path[:end]
		info, err := os.Lstat(filepath.Join(tree, filepath.FromSlash(part)))
		if err != nil {
			// The read that follows returns this error.
			return nil
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		// A link that stays inside the project is allowed.
		if _, err := disk.RealBelow(tree, part); errors.Is(err, disk.ErrOutside) {
			return &local.FileError{Path: part, Msg: "is a link that leads out of the project, and is not read"}
		}
	}
	return nil
}

// tip is the tip of the branch of a spec's run, "" if it has none.
func (s *Store) tip(ctx context.Context, id string) (string, error) {
	// Most specs have no branch, and resolving a ref that does not exist would start a process; listing does not.
	refs, err := s.repo.Branches(ctx, s.Branch(id))
	// A list below this name could also have branches that continue it.
	for _, ref := range refs {
		if ref.Name == s.Branch(id) {
			return ref.Hash, nil
		}
	}
	return "", err
}
