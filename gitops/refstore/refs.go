package refstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// Store reads and moves the refs of one repository, and the HEADs of its worktrees.
// Its exported fields are set once, when it is made.
type Store struct {
	Git  *gitexec.Runner
	Site *layout.Site
	Runs string // what the names of refs begin with that agents can write, as "refs/heads/chant/"; "" = none
}

// Ref is a name and the object it points to.
type Ref struct{ Name, Hash string }

// Head is what is checked out in a worktree: Branch is a short name, "" when detached.
type Head struct{ Branch, Hash string }

// Head returns what the worktree whose top is dir has checked out, without a process.
// With ErrUnborn the Branch is given all the same. Errors: ErrUnborn, ErrNotRepository.
func (s *Store) Head(ctx context.Context, dir string) (Head, error) {
	p, err := s.Site.Place(dir)
	if err != nil {
		return Head{}, err
	}
	return s.HeadOf(ctx, p)
}

// RealBranch is the branch behind a name that is a symbolic ref, as an alias that was left for
// a renamed branch is; any other name is returned as it is.
func (s *Store) RealBranch(ctx context.Context, name string) (string, error) {
	// A symbolic ref among the branches of runs is an agent's doing and is not followed.
	if s.isRunRef(layout.Heads + name) {
		return name, ctx.Err()
	}
	if !s.Site.Format.Reftable && layout.ValidRef(layout.Heads+name) && !s.IsSymbolic(layout.Heads+name) {
		return name, ctx.Err()
	}
	out, err := s.Git.Run(ctx, gitexec.Call{Dir: s.Site.Home, Args: []string{"symbolic-ref", "-q", layout.Heads + name}})
	// Git exits with 1 for a ref that is not symbolic.
	if gitexec.ExitCode(err) == 1 {
		return name, nil
	}
	return strings.TrimPrefix(strings.TrimSpace(string(out)), layout.Heads), err
}

// LastHead is the commit that the worktree at dir had checked out last, by the reflog of
// its HEAD: also where the branch it was on is gone. Errors: ErrNotFound without a reflog,
// ErrNotRepository.
func (s *Store) LastHead(dir string) (string, error) {
	all, err := s.HeadEntries(dir)
	if err != nil {
		return "", err
	}
	if len(all) == 0 {
		return "", fmt.Errorf("reflog of %q: %w", dir, layout.ErrNotFound)
	}
	return all[len(all)-1].To, nil
}

// HeadEntry is an entry of the reflog of a HEAD: where it led before and after, and what moved it.
type HeadEntry struct{ From, To, Why string }

// HeadEntries returns the entries of the reflog of HEAD in the worktree at dir, oldest first; none without a reflog.
// Anyone can write a reflog. Errors: ErrNotRepository.
func (s *Store) HeadEntries(dir string) ([]HeadEntry, error) {
	p, err := s.Site.Place(dir)
	if err != nil {
		return nil, err
	}
	text, err := layout.ReadPlain(filepath.Join(p.GitDir, "logs", "HEAD"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return parseReflog(string(text)), err
}

// parseReflog reads a reflog; a line that git did not write is skipped.
func parseReflog(text string) []HeadEntry {
	var out []HeadEntry
	for line := range strings.Lines(text) {
		head, why, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		// Anyone can write a reflog, so other lines are skipped.
		if fields := strings.Fields(head); len(fields) > 1 && layout.IsHash(fields[0]) && layout.IsHash(fields[1]) {
			out = append(out, HeadEntry{fields[0], fields[1], why})
		}
	}
	return out
}

// Branches lists the local branches whose short names begin with prefix, sorted by name,
// without a process.
func (s *Store) Branches(ctx context.Context, prefix string) ([]Ref, error) {
	refs, err := s.List(ctx, layout.Heads+prefix)
	for i := range refs {
		refs[i].Name = strings.TrimPrefix(refs[i].Name, layout.Heads)
	}
	return refs, err
}

// List returns the refs whose full names begin with prefix, such as "refs/chant/rescue/", sorted by
// name, without a process.
func (s *Store) List(ctx context.Context, prefix string) ([]Ref, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	if !strings.HasPrefix(prefix, "refs/") {
		return nil, fmt.Errorf("prefix %q does not begin with \"refs/\"", prefix)
	}
	if s.Site.Format.Reftable {
		return s.refsByGit(ctx, prefix)
	}
	found := map[string]string{} // "" = not a ref, so that a packed one of the same name does not count
	// Loose before packed: git writes the packed file before it removes a loose one.
	if err := s.looseRefs(prefix, found); err != nil {
		return nil, err
	}
	err := s.packedRefs(func(name, hash string) bool {
		if _, loose := found[name]; !loose && strings.HasPrefix(name, prefix) {
			found[name] = hash
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	refs := make([]Ref, 0, len(found))
	for name, hash := range found {
		if hash == "" {
			continue
		}
		refs = append(refs, Ref{Name: name, Hash: hash})
	}
	slices.SortFunc(refs, func(a, b Ref) int { return strings.Compare(a.Name, b.Name) })
	return refs, nil
}

// Read returns the object that a full ref name points to, or ErrNotFound.
func (s *Store) Read(ctx context.Context, name string) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", context.Cause(ctx)
	}
	if !layout.ValidRef(name) {
		return "", fmt.Errorf("ref %q: %w", name, layout.ErrNotFound)
	}
	if s.Site.Format.Reftable {
		return s.refByGit(ctx, name)
	}
	return s.FileRef(name, 0)
}

// refsByGit and refByGit read refs that are not files.
func (s *Store) refsByGit(ctx context.Context, prefix string) ([]Ref, error) {
	folder := prefix[:strings.LastIndexByte(prefix, '/')]
	out, err := s.Git.Run(ctx, gitexec.Call{Dir: s.Site.Home, Args: []string{"for-each-ref", "--sort=refname", "--format=%(objectname) %(refname)", folder}})
	if err != nil {
		return nil, err
	}
	var refs []Ref
	for line := range strings.Lines(string(out)) {
		hash, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasPrefix(name, prefix) {
			refs = append(refs, Ref{Name: name, Hash: hash})
		}
	}
	return refs, nil
}

func (s *Store) refByGit(ctx context.Context, name string) (string, error) {
	refs, err := s.refsByGit(ctx, name)
	if err != nil {
		return "", err
	}
	// for-each-ref also lists what is below a folder of that name.
	if len(refs) == 0 || refs[0].Name != name {
		return "", fmt.Errorf("ref %q: %w", name, layout.ErrNotFound)
	}
	return refs[0].Hash, nil
}

// ErrUnborn says that there is no commit yet.
var ErrUnborn = errors.New("the branch has no commit yet")

// ErrChanged says that a ref did not have the expected value.
var ErrChanged = errors.New("the ref was changed by someone else")

// BrokenError says that the file of a ref holds neither a hash nor the name of another ref.
type BrokenError struct{ Ref, File, Value string }

// Error names the ref and what it holds.
func (e *BrokenError) Error() string {
	return fmt.Sprintf("ref %q is broken: it holds %q", e.Ref, truncate(e.Value))
}

// truncate is what a person needs to see of a value that should be a name.
func truncate(value string) string { return value[:min(len(value), 100)] }
