package store

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chant/engine/spec"
	"chant/gitops"
	"chant/markdown"
)

// Store reads and writes one project's `.chant` folder.
type Store struct {
	Locals

	Target string              // short name of the branch on which runs land; "" = the branch that home has checked out
	Rules  []spec.ApprovalRule // of the project, which apply to every spec

	repo   *gitops.Repo
	prefix string // of run branches, such as "chant/"
	run    string // id of the spec in whose run's worktree the caller is, or ""
}

// Open returns the store of a repository with a project. It creates nothing. Error:
// ErrNotInitialized if there is no project.
func Open(repo *gitops.Repo, branchPrefix string) (*Store, error) {
	s := Of(repo, branchPrefix)
	if !s.Present() {
		return nil, ErrNotInitialized
	}
	return s, nil
}

// Of returns the store of a repository, even if home has no project checked out.
func Of(repo *gitops.Repo, branchPrefix string) *Store {
	s := &Store{Locals: Locals{repo.CommonDir(), repo.Home()}, repo: repo, prefix: branchPrefix}
	if repo.Dir() != repo.Home() {
		if head, err := repo.Head(context.Background(), repo.Dir()); err == nil {
			if id, ok := strings.CutPrefix(head.Branch, branchPrefix); ok {
				s.run = id
			}
		}
	}
	return s
}

// Present reports whether home has a project checked out.
func (s *Store) Present() bool {
	info, err := os.Stat(filepath.Join(s.home, filepath.FromSlash(SpecsDir)))
	return err == nil && info.IsDir()
}

// Home is the top of the main worktree.
func (s *Store) Home() string { return s.home }

// Branch names the branch of a spec's run.
func (s *Store) Branch(id string) string { return s.prefix + id }

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
func (s *Store) Get(ctx context.Context, id string) (*spec.Spec, error) {
	tip, err := s.tip(ctx, id)
	if err != nil {
		return nil, err
	}
	away, err := s.targetElsewhere(ctx)
	if err != nil {
		return nil, err
	}
	got, err := s.read(ctx, id, tip, away)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &spec.NotFoundError{ID: id}
	}
	return got, err
}

// targetElsewhere is the target as a revision if home has another branch checked out, ""
// if home has the target.
func (s *Store) targetElsewhere(ctx context.Context) (string, error) {
	if s.Target == "" {
		return "", nil
	}
	return s.elsewhere(ctx, s.Target)
}

// elsewhere is targetElsewhere for a spec that lands on a branch of its own.
func (s *Store) elsewhere(ctx context.Context, target string) (string, error) {
	head, err := s.repo.Head(ctx, s.home)
	if err != nil || head.Branch == target {
		return "", err
	}
	rev := "refs/heads/" + target
	_, err = s.repo.Resolve(ctx, rev)
	if errors.Is(err, gitops.ErrNotFound) {
		return "", nil
	}
	return rev, err
}

// read reads a spec from the caller's own run, from the tip of its branch, or
// from home, in this order. If home has another branch than the target, landed specs are read from the
// target, since the branch in home may be older.
func (s *Store) read(ctx context.Context, id, tip, away string) (*spec.Spec, error) {
	path := SpecPath(id)
	if s.run == id && id != "" {
		if src, err := s.ReadTree(s.Tree(id), path); err == nil {
			got, err := s.Parse(id, path, src)
			if got != nil {
				got.Branch, got.Landed = s.Branch(id), false
			}
			return got, err
		}
	}
	home, homeErr := s.FromHome(id)
	if home != nil && home.Fields.Onto != "" && home.Fields.Onto != s.Target {
		var err error
		if away, err = s.elsewhere(ctx, home.Fields.Onto); err != nil {
			return nil, err
		}
	}
	if tip == "" {
		if away != "" && homeErr == nil && home.Status != spec.Completed {
			return s.landedOrHome(ctx, home, away)
		}
		return home, homeErr
	}
	src, err := s.repo.ReadFile(ctx, tip, path)
	if errors.Is(err, gitops.ErrNotFound) {
		if home != nil {
			home.Branch, home.Landed = s.Branch(id), false
		}
		return home, homeErr
	}
	if err != nil {
		return nil, err
	}
	got, err := s.Parse(id, s.Branch(id)+":"+path, src)
	if err != nil {
		return nil, err
	}
	got.Branch, got.Home = s.Branch(id), home
	if got.Landed {
		got.Landed, err = s.landed(ctx, got)
	}
	return got, err
}

// landedOrHome returns the spec of a revision if it is completed there, otherwise that of
// home.
func (s *Store) landedOrHome(ctx context.Context, home *spec.Spec, rev string) (*spec.Spec, error) {
	there, err := s.At(ctx, rev, home.ID)
	if _, unreadable := errors.AsType[*markdown.SyntaxError](err); unreadable || errors.Is(err, gitops.ErrNotFound) {
		return home, nil
	}
	if err == nil && there.Status != spec.Completed {
		return home, nil
	}
	return there, err
}

// landed reports whether the spec is completed on the target's tip, in its place or
// archived, with as many replays as in its run. Home's files do not count: they may have
// uncommitted content.
func (s *Store) landed(ctx context.Context, of *spec.Spec) (bool, error) {
	rev := "refs/heads/" + s.targetOf(of)
	if s.targetOf(of) == "" {
		head, err := s.repo.Head(ctx, s.home)
		if err != nil {
			return false, err
		}
		rev = head.Hash
	}
	return s.completedAt(ctx, of, rev)
}

// targetOf is the branch on which a spec lands, "" if nothing names one.
func (s *Store) targetOf(of *spec.Spec) string { return cmp.Or(of.Fields.Onto, s.Target) }

// completedAt reports whether a spec is completed in a revision, with as many replays.
func (s *Store) completedAt(ctx context.Context, of *spec.Spec, rev string) (bool, error) {
	there, err := s.FindAt(ctx, rev, of.ID)
	if _, unreadable := errors.AsType[*markdown.SyntaxError](err); unreadable || errors.Is(err, gitops.ErrNotFound) {
		return false, nil
	}
	return err == nil && there.Status == spec.Completed && there.Fields.Replays >= of.Fields.Replays, err
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

// FromHome reads the spec's file in home, even if a branch has another version. Error: fs.ErrNotExist
// without a file.
func (s *Store) FromHome(id string) (*spec.Spec, error) {
	src, err := s.ReadTree(s.home, SpecPath(id))
	if err != nil {
		return nil, err
	}
	return s.Parse(id, SpecPath(id), src)
}

// Parse parses the text of a spec of this project; errors as of spec.Parse.
func (s *Store) Parse(id, path string, src []byte) (*spec.Spec, error) {
	got, err := spec.Parse(id, path, src)
	if got != nil {
		got.Rules, got.Target = s.Rules, s.targetOf(got)
	}
	return got, err
}

// ReadTree reads a file below a worktree, by a slash-separated path. Error: *FileError if it is neither a
// regular file nor a link to one: reading a pipe would never end.
func (s *Store) ReadTree(tree, path string) ([]byte, error) { return ReadFile(tree, path) }

// ReadFile is ReadTree without a store.
func ReadFile(tree, path string) ([]byte, error) {
	full := filepath.Join(tree, filepath.FromSlash(path))
	info, err := os.Stat(full)
	if err != nil {
		if link, linkErr := os.Lstat(full); linkErr == nil && link.Mode()&fs.ModeSymlink != 0 {
			return nil, &FileError{path, "is a link to nothing"}
		}
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &FileError{path, "is not a regular file"}
	}
	return os.ReadFile(full)
}

// tip is the tip of the branch of a spec's run, "" if it has none. Most specs have
// none, and then resolving a single ref would start a process.
func (s *Store) tip(ctx context.Context, id string) (string, error) {
	refs, err := s.repo.Branches(ctx, s.Branch(id))
	for _, ref := range refs {
		if ref.Name == s.Branch(id) {
			return ref.Hash, nil
		}
	}
	return "", err
}
