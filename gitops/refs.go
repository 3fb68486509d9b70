package gitops

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

// Ref is a name and the object it points to.
type Ref struct{ Name, Hash string }

// Head is what is checked out in a worktree: Branch is a short name, "" when detached.
type Head struct{ Branch, Hash string }

// Head tells what the worktree whose top is dir has checked out, without a process.
// With ErrUnborn the Branch is given all the same. Errors: ErrUnborn, ErrNotRepository.
func (r *Repo) Head(ctx context.Context, dir string) (Head, error) {
	p, err := r.site.Place(dir)
	if err != nil {
		return Head{}, err
	}
	return r.headOf(ctx, p)
}

// RealBranch is the branch behind a name that is a symbolic ref, as an alias that was left for
// a renamed branch is; any other name is returned as it is.
func (r *Repo) RealBranch(ctx context.Context, name string) (string, error) {
	if !r.site.Format.Reftable && layout.ValidRef(layout.Heads+name) && !r.namesRef(layout.Heads+name) {
		return name, ctx.Err()
	}
	out, err := r.git.Run(ctx, gitexec.Call{Dir: r.site.Home, Args: []string{"symbolic-ref", "-q", layout.Heads + name}})
	if gitexec.ExitCode(err) == 1 {
		return name, nil
	}
	return strings.TrimPrefix(strings.TrimSpace(string(out)), layout.Heads), err
}

// LastHead is the commit that the worktree at dir had checked out last, by the reflog of
// its HEAD: also where the branch it was on is gone. Errors: ErrNotFound without a reflog,
// ErrNotRepository.
func (r *Repo) LastHead(dir string) (string, error) {
	all, _, err := r.HeadLog(dir, 0)
	if err != nil {
		return "", err
	}
	if len(all) == 0 {
		return "", fmt.Errorf("reflog of %q: %w", dir, ErrNotFound)
	}
	return all[len(all)-1], nil
}

// HeadLog are the commits that the worktree at dir has had checked out, by the reflog of its HEAD, oldest first: those
// of the entries behind the first after bytes. size is the length of the reflog, for a later call. A reflog that is
// shorter was rewritten and is read as a whole. Errors: ErrNotFound without a reflog, ErrNotRepository.
func (r *Repo) HeadLog(dir string, after int) (commits []string, size int, err error) {
	p, err := r.site.Place(dir)
	if err != nil {
		return nil, 0, err
	}
	text, err := layout.ReadPlain(filepath.Join(p.GitDir, "logs", "HEAD"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, fmt.Errorf("reflog of %q: %w", dir, ErrNotFound)
	}
	if err != nil {
		return nil, 0, err
	}
	if after > len(text) {
		after = 0
	}
	for line := range strings.Lines(string(text[after:])) {
		if fields := strings.Fields(line); len(fields) > 1 && layout.IsHash(fields[1]) { // old hash, new hash, who, when, why
			commits = append(commits, fields[1])
		}
	}
	return commits, len(text), nil
}

// Branches lists the local branches whose short names begin with prefix, sorted by name,
// without a process.
func (r *Repo) Branches(ctx context.Context, prefix string) ([]Ref, error) {
	refs, err := r.Refs(ctx, layout.Heads+prefix)
	for i := range refs {
		refs[i].Name = strings.TrimPrefix(refs[i].Name, layout.Heads)
	}
	return refs, err
}

// Refs lists the refs whose full names begin with prefix, such as "refs/chant/rescue/",
// sorted by name, without a process.
func (r *Repo) Refs(ctx context.Context, prefix string) ([]Ref, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	if !strings.HasPrefix(prefix, "refs/") {
		return nil, fmt.Errorf("prefix %q does not begin with \"refs/\"", prefix)
	}
	if r.site.Format.Reftable {
		return r.refsByGit(ctx, prefix)
	}
	found := map[string]string{}
	// Loose before packed: git writes the packed file before it removes a loose one.
	if err := r.looseRefs(prefix, found); err != nil {
		return nil, err
	}
	err := r.packedRefs(func(name, hash string) bool {
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
		refs = append(refs, Ref{Name: name, Hash: hash})
	}
	slices.SortFunc(refs, func(a, b Ref) int { return strings.Compare(a.Name, b.Name) })
	return refs, nil
}

// readRef is the object that a full ref name points to, or ErrNotFound.
func (r *Repo) readRef(ctx context.Context, name string) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", context.Cause(ctx)
	}
	if !layout.ValidRef(name) {
		return "", fmt.Errorf("ref %q: %w", name, ErrNotFound)
	}
	if r.site.Format.Reftable {
		return r.refByGit(ctx, name)
	}
	return r.fileRef(name, 0)
}

// refsByGit and refByGit read refs that are not files.
func (r *Repo) refsByGit(ctx context.Context, prefix string) ([]Ref, error) {
	folder := prefix[:strings.LastIndexByte(prefix, '/')]
	out, err := r.git.Run(ctx, gitexec.Call{Dir: r.site.Home, Args: []string{"for-each-ref", "--sort=refname", "--format=%(objectname) %(refname)", folder}})
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

func (r *Repo) refByGit(ctx context.Context, name string) (string, error) {
	refs, err := r.refsByGit(ctx, name)
	if err != nil {
		return "", err
	}
	if len(refs) == 0 || refs[0].Name != name {
		return "", fmt.Errorf("ref %q: %w", name, ErrNotFound)
	}
	return refs[0].Hash, nil
}
