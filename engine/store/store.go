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

	Target string              // short name of the branch on which runs land; "" is what home has checked out
	Rules  []spec.ApprovalRule // of the project, which every spec read here gets

	repo   *gitops.Repo
	prefix string // of run branches, such as "chant/"
	run    string // id of the spec whose run's worktree the caller stands in, or ""
}

// Open looks at the `.chant` folder of a repository. It makes nothing;
// ErrNotInitialized when there is no project.
func Open(repo *gitops.Repo, branchPrefix string) (*Store, error) {
	s := Of(repo, branchPrefix)
	if !s.Present() {
		return nil, ErrNotInitialized
	}
	return s, nil
}

// Of is the store of a repository, whether or not home has a project checked out.
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

// RunOf is the id of the spec whose worktree the caller stands in, "" elsewhere.
func (s *Store) RunOf() string { return s.run }

// Tree is the top of the tree whose copy of the spec the caller acts on: its
// run's worktree inside that run, home everywhere else.
func (s *Store) Tree(id string) string {
	if s.run != "" && s.run == id {
		return s.repo.Dir()
	}
	return s.home
}

// Get reads one active spec from where it speaks; *spec.NotFoundError when there
// is none.
func (s *Store) Get(ctx context.Context, id string) (*spec.Spec, error) {
	tip, err := s.tip(ctx, id)
	if err != nil {
		return nil, err
	}
	away, err := s.away(ctx)
	if err != nil {
		return nil, err
	}
	got, err := s.read(ctx, id, tip, away)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &spec.NotFoundError{ID: id}
	}
	return got, err
}

// away is the target as a revision while home has something else checked out, ""
// while it has the target.
func (s *Store) away(ctx context.Context) (string, error) {
	if s.Target == "" {
		return "", nil
	}
	return s.awayFrom(ctx, s.Target)
}

// awayFrom is away for a spec that lands on a branch of its own.
func (s *Store) awayFrom(ctx context.Context, target string) (string, error) {
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

// read takes a spec from the caller's own run, from the tip of its branch, or
// from home, in this order. Where home is away, what has landed is read from the
// target: the branch in home may be older than that.
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
		if away, err = s.awayFrom(ctx, home.Fields.Onto); err != nil {
			return nil, err
		}
	}
	if tip == "" {
		if away != "" && homeErr == nil && home.Status != spec.Completed {
			return s.landedElse(ctx, home, away)
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

// landedElse is the spec as a revision has it if it is completed there, else as
// home has it.
func (s *Store) landedElse(ctx context.Context, home *spec.Spec, rev string) (*spec.Spec, error) {
	there, err := s.At(ctx, rev, home.ID)
	if _, unreadable := errors.AsType[*markdown.SyntaxError](err); unreadable || errors.Is(err, gitops.ErrNotFound) {
		return home, nil
	}
	if err == nil && there.Status != spec.Completed {
		return home, nil
	}
	return there, err
}

// landed reports whether the target's tip has the spec completed, in its place or
// put away, as often replayed as its run. Home's files say nothing of it: they may hold
// what no commit does.
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

// targetOf is the branch on which a spec lands, "" where nothing names one.
func (s *Store) targetOf(of *spec.Spec) string { return cmp.Or(of.Fields.Onto, s.Target) }

// completedAt reports whether a revision has a spec as completed, as often replayed.
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

// FromHome reads the spec's file in home, whatever its branch says; an error
// that is fs.ErrNotExist when there is none.
func (s *Store) FromHome(id string) (*spec.Spec, error) {
	src, err := s.ReadTree(s.home, SpecPath(id))
	if err != nil {
		return nil, err
	}
	return s.Parse(id, SpecPath(id), src)
}

// Parse reads a spec of this project, from wherever its text was taken; errors as
// those of spec.Parse.
func (s *Store) Parse(id, path string, src []byte) (*spec.Spec, error) {
	got, err := spec.Parse(id, path, src)
	if got != nil {
		got.Rules, got.Target = s.Rules, s.targetOf(got)
	}
	return got, err
}

// ReadTree reads a file below a tree; path is as git spells it. What is neither a
// regular file nor a link to one is a *FileError: a pipe would never end.
func (s *Store) ReadTree(tree, path string) ([]byte, error) { return ReadFile(tree, path) }

// ReadFile is ReadTree where no store is open yet.
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

// tip is where the branch of a spec's run stands, "" when it has none. Most have
// none, and asking for one ref by name would then start a process.
func (s *Store) tip(ctx context.Context, id string) (string, error) {
	refs, err := s.repo.Branches(ctx, s.Branch(id))
	for _, ref := range refs {
		if ref.Name == s.Branch(id) {
			return ref.Hash, nil
		}
	}
	return "", err
}
