package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"chant/archive"
	"chant/engine/spec"
	"chant/gitops"
)

// Store reads and writes one project's `.chant` folder.
type Store struct {
	repo   *gitops.Repo
	home   string // absolute
	prefix string // of run branches, such as "chant/"
	run    string // id of the spec whose run's worktree the caller stands in, or ""
}

// Open looks at the `.chant` folder of a repository. It makes nothing;
// ErrNotInitialized when there is no project.
func Open(repo *gitops.Repo, branchPrefix string) (*Store, error) {
	s := &Store{repo: repo, home: repo.Home(), prefix: branchPrefix}
	if info, err := os.Stat(filepath.Join(s.home, filepath.FromSlash(SpecsDir))); err != nil || !info.IsDir() {
		return nil, ErrNotInitialized
	}
	if repo.Dir() != repo.Home() {
		if head, err := repo.Head(context.Background(), repo.Dir()); err == nil {
			if id, ok := strings.CutPrefix(head.Branch, branchPrefix); ok {
				s.run = id
			}
		}
	}
	return s, nil
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

// Invalid is a spec file that could not be read.
type Invalid struct {
	ID   string `json:"id"`
	Path string `json:"path"`
	Err  error  `json:"-"`
}

// Set is what Load found.
type Set struct {
	Specs    []*spec.Spec // active ones, in id order
	Invalid  []Invalid    // in id order
	Archived []string     // ids in the archive
}

// IDs lists the active ids, unreadable ones included.
func (t *Set) IDs() []string {
	ids := make([]string, 0, len(t.Specs)+len(t.Invalid))
	for _, s := range t.Specs {
		ids = append(ids, s.ID)
	}
	for _, bad := range t.Invalid {
		ids = append(ids, bad.ID)
	}
	return ids
}

// Graph builds the graph of the set.
func (t *Set) Graph() *spec.Graph { return spec.NewGraph(t.Specs, t.Archived) }

// Load reads every active spec, each from where it speaks, and the names of the
// archived ones.
func (s *Store) Load(ctx context.Context) (*Set, error) {
	ids, err := s.ids()
	if err != nil {
		return nil, err
	}
	archived, err := s.archivePaths()
	if err != nil {
		return nil, err
	}
	branches, err := s.branches(ctx)
	if err != nil {
		return nil, err
	}
	for id := range branches {
		if _, gone := archived[id]; !gone && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	set := &Set{}
	for id := range archived {
		set.Archived = append(set.Archived, id)
	}
	slices.SortFunc(ids, spec.Compare)
	readings := s.readAll(ctx, ids, branches)
	if err := ctx.Err(); err != nil { // then some were not read at all
		return nil, err
	}
	for _, got := range readings {
		switch {
		case got.err == nil:
			set.Specs = append(set.Specs, got.spec)
		case errors.Is(got.err, fs.ErrNotExist): // a branch without a spec, or a file that just went
		default:
			set.Invalid = append(set.Invalid, Invalid{got.id, SpecPath(got.id), got.err})
		}
	}
	slices.SortFunc(set.Archived, spec.Compare)
	return set, nil
}

type reading struct {
	id   string
	spec *spec.Spec
	err  error
}

// readAll reads the ids with a few goroutines, keeping their order.
func (s *Store) readAll(ctx context.Context, ids []string, branches map[string]string) []reading {
	const width = 4
	out := make([]reading, len(ids))
	var wg sync.WaitGroup
	for w := range width {
		wg.Go(func() {
			for i := w; i < len(ids) && ctx.Err() == nil; i += width {
				got, err := s.read(ctx, ids[i], branches[ids[i]])
				out[i] = reading{ids[i], got, err}
			}
		})
	}
	wg.Wait()
	return out
}

// Get reads one active spec from where it speaks; *spec.NotFoundError when there
// is none.
func (s *Store) Get(ctx context.Context, id string) (*spec.Spec, error) {
	tip, err := s.tip(ctx, id)
	if err != nil {
		return nil, err
	}
	got, err := s.read(ctx, id, tip)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &spec.NotFoundError{ID: id}
	}
	return got, err
}

// read takes a spec from the caller's own run, from the tip of its branch, or
// from home, in this order.
func (s *Store) read(ctx context.Context, id, tip string) (*spec.Spec, error) {
	path := SpecPath(id)
	if s.run == id && id != "" {
		if src, err := os.ReadFile(filepath.Join(s.Tree(id), filepath.FromSlash(path))); err == nil {
			got, err := spec.Parse(id, path, src)
			if got != nil {
				got.Branch, got.Landed = s.Branch(id), false
			}
			return got, err
		}
	}
	home, homeErr := s.FromHome(id)
	if tip == "" {
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
	got, err := spec.Parse(id, s.Branch(id)+":"+path, src)
	if err != nil {
		return nil, err
	}
	got.Branch = s.Branch(id)
	if got.Landed && errors.Is(homeErr, fs.ErrNotExist) {
		home, _ = s.GetArchived(id) // put away already; unreadable there is not landed
	}
	got.Landed = got.Landed && home != nil && home.Status == spec.Completed
	return got, nil
}

// HasBranch reports whether the spec has a run's branch.
func (s *Store) HasBranch(ctx context.Context, id string) (bool, error) {
	_, err := s.repo.Resolve(ctx, "refs/heads/"+s.Branch(id))
	if errors.Is(err, gitops.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
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
	return spec.Parse(id, SpecPath(id), src)
}

// ReadTree reads a file below a tree; path is as git spells it. What is neither a
// regular file nor a link to one is a *FileError: a pipe would never end.
func (s *Store) ReadTree(tree, path string) ([]byte, error) {
	full := filepath.Join(tree, filepath.FromSlash(path))
	info, err := os.Stat(full)
	if err != nil {
		if link, linkErr := os.Lstat(full); linkErr == nil && link.Mode()&fs.ModeSymlink != 0 {
			return nil, &FileError{path, "is a link to nothing"}
		}
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &FileError{path, "is no regular file"}
	}
	return os.ReadFile(full)
}

// ids lists the spec files in home, in no order: a folder of thousands is read in
// half the time that way. What only looks like a spec is found out when it is
// read. Hidden names are no specs.
func (s *Store) ids() ([]string, error) {
	dir, err := os.Open(filepath.Join(s.home, filepath.FromSlash(SpecsDir)))
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", SpecsDir, err)
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", SpecsDir, err)
	}
	ids := names[:0]
	for _, name := range names {
		if id, ok := strings.CutSuffix(name, ".md"); ok && !strings.HasPrefix(name, ".") {
			ids = append(ids, id)
		}
	}
	return ids, nil
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

// branches maps the ids that have a run's branch to its tip.
func (s *Store) branches(ctx context.Context) (map[string]string, error) {
	refs, err := s.repo.Branches(ctx, s.prefix)
	if err != nil {
		return nil, err
	}
	out := make(map[string]string, len(refs))
	for _, ref := range refs {
		out[strings.TrimPrefix(ref.Name, s.prefix)] = ref.Hash
	}
	return out, nil
}

// archivePaths maps archived ids to their paths below home.
func (s *Store) archivePaths() (map[string]string, error) {
	index, err := archive.Index(os.DirFS(filepath.Join(s.home, Dir)))
	if err != nil {
		return nil, err
	}
	out := make(map[string]string, len(index))
	for id, path := range index {
		out[id] = Dir + "/" + path
	}
	return out, nil
}

// GetArchived reads one archived spec; *spec.NotFoundError when there is none.
func (s *Store) GetArchived(id string) (*spec.Spec, error) {
	paths, err := s.archivePaths()
	if err != nil {
		return nil, err
	}
	path, ok := paths[id]
	if !ok {
		return nil, &spec.NotFoundError{ID: id}
	}
	src, err := s.ReadTree(s.home, path)
	if err != nil {
		return nil, err
	}
	got, err := spec.Parse(id, path, src)
	if err != nil {
		return nil, err
	}
	got.Archived = true
	return got, nil
}

// ArchivedIDs lists the ids in the archive.
func (s *Store) ArchivedIDs() ([]string, error) {
	paths, err := s.archivePaths()
	if err != nil {
		return nil, err
	}
	ids := make([]string, 0, len(paths))
	for id := range paths {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, spec.Compare)
	return ids, nil
}

// IDs lists the active ids by their names alone, in no order: files in home, and
// branches of runs whose spec neither home nor the archive has.
func (s *Store) IDs(ctx context.Context) ([]string, error) {
	ids, err := s.ids()
	if err != nil {
		return nil, err
	}
	branches, err := s.branches(ctx)
	if err != nil {
		return nil, err
	}
	archived, err := s.archivePaths()
	if err != nil {
		return nil, err
	}
	for id, tip := range branches {
		if _, gone := archived[id]; gone || slices.Contains(ids, id) {
			continue
		}
		if _, err := s.repo.ReadFile(ctx, tip, SpecPath(id)); err == nil {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
