package gitops

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"chant/gitops/gitconfig"
	"chant/gitops/gitexec"
	"chant/gitops/gitindex"
	"chant/gitops/layout"
	"chant/gitops/lockfile"

	"chant/gitops/objectstore"
	"chant/gitops/refstore"
	"chant/gitops/revision"
)

// Repo is an open repository. It holds no lock and no file, needs no closing, and may be
// used by several goroutines.
//
// Most of its methods are those of its parts.
type Repo struct {
	git    *gitexec.Runner
	site   *layout.Site
	folder string // from which it is seen, "" for its top; see folder.go
	*refs
	*objects
	*revs
	*config
	*index
	*trees
	*merger
	*nested
	*commits
}

// Open finds the repository that dir lies in, like git: upward from dir, through ".git"
// files, symbolic links resolved. It starts no process. Errors: ErrNotRepository, ErrBare.
func Open(dir string) (*Repo, error) {
	site, err := layout.Find(dir)
	if err != nil {
		return nil, err
	}
	r := newRepo(site)
	// Only then is git asked, since that takes a process at every start.
	if ownedByOther(site.Home) || ownedByOther(site.Common) {
		// Git decides whether it works there, before anything is written that the owner could not remove.
		if _, err := r.git.Run(context.Background(), gitexec.Call{Dir: site.Home, Args: []string{"rev-parse", "--git-dir"}}); err != nil {
			return nil, &OwnerError{site.Home, err}
		}
	}
	return r, nil
}

// OwnerError says that git does not work in the repository at Top, since that is another user's.
type OwnerError struct {
	Top string
	Err error
}

// Error begins with what git said.
func (e *OwnerError) Error() string {
	return fmt.Sprintf("%s: %q belongs to another user; work as that user, or tell git that you trust it", e.Err, e.Top)
}

// Unwrap returns git's error.
func (e *OwnerError) Unwrap() error { return e.Err }

// OpenAt opens the repository of a main worktree, or of a folder in it, as one that was found from tree, one of its worktrees or
// home itself. What the files in tree say about that does not count.
func OpenAt(home, tree string) (*Repo, error) {
	site, err := layout.Find(home)
	if err != nil {
		return nil, err
	}
	if site.Dir = site.Home; tree != home {
		site.Dir = layout.RealPath(tree)
	}
	return newRepo(site), nil
}

// OpenOther opens another repository, whose git processes are confined like those of r.
func (r *Repo) OpenOther(dir string) (*Repo, error) {
	other, err := Open(dir)
	if err == nil {
		other.git.Places, other.git.Programs, other.refs.Runs = r.git.Places, r.git.Programs, r.refs.Runs
		// Worktrees of another repository have claims of their own, which this one cannot judge.
		if other.site.Common == r.site.Common {
			other.site.Claims = r.site.Claims
		}
	}
	return other, err
}

// Confine has git start in places of others, such as the worktree of an agent, as a function says: see
// gitexec.Runner.Places. Agents can write the branches in the folder of those whose names begin with runs, such as
// "chant/": none of those is followed to another ref. And they can write what git keeps of their worktrees, which claims
// judges: see layout.Site. It is called before the repository is shared.
func (r *Repo) Confine(runs string, places func(dir string, writes bool) Starter, claims func(admin, tree string) Claim) {
	r.git.Places, r.site.Claims = places, claims
	// Without a folder there is no sandbox either.
	if folder := path.Dir(runs + "x"); folder != "." {
		r.refs.Runs = layout.Heads + folder + "/"
	}
}

// RunApart has a program start those that git starts by itself in the folders of a person: see gitconfig.Settings.Apart. It is
// called before the repository is shared.
func (r *Repo) RunApart(program ...string) {
	r.git.Programs = func(ctx context.Context, dir string) ([][2]string, error) { return r.config.Apart(ctx, dir, program) }
}

// Program is what such a program has to start.
type Program = gitconfig.Program

// Unpack reads it from the arguments; ok is false for other words.
func Unpack(words []string) (p Program, ok bool) { return gitconfig.Unpack(words) }

// OnFailedHook has a function called for each hook that fails after git has done its work, such as post-checkout, with the
// last line that it printed. It is called before the repository is shared.
func (r *Repo) OnFailedHook(report func(hook, said string)) { r.git.HookFailed = report }

// RunsOf returns the names of the runs and checks of which one can have a folder that git keeps of a worktree, by the name
// of the folder; none for that of a person's worktree.
func (r *Repo) RunsOf(admin string) []string { return layout.RunsOf(r.site.Common, admin) }

// newRepo puts the parts together, each from those before it.
func newRepo(site *layout.Site) *Repo {
	git, turns := &gitexec.Runner{}, lockfile.NewTurns(site.Common)
	r := &Repo{git: git, site: site}
	// Each part needs those before it.
	r.refs = &refstore.Store{Git: git, Site: site}
	r.objects = objectstore.New(git, site)
	r.revs = &revision.Reader{Git: git, Site: site, Refs: r.refs, Objects: r.objects}
	r.config = &gitconfig.Settings{Git: git, Site: site, Refs: r.refs}
	r.index = &gitindex.Index{Git: git, Site: site, Refs: r.refs, Objects: r.objects, Revs: r.revs, Config: r.config}
	r.trees = &Trees{Git: git, Site: site, Refs: r.refs, Revs: r.revs, Config: r.config}
	r.merger = &Merger{Git: git, Site: site, Refs: r.refs, Revs: r.revs, Index: r.index, Config: r.config}
	r.nested = &Finder{Git: git, Site: site, Index: r.index}
	r.commits = &Committer{Git: git, Site: site, Refs: r.refs, Objects: r.objects, Revs: r.revs, Config: r.config, Index: r.index, Turns: turns}
	return r
}

// GitVersion returns the version of the git that has run for a repository, "" while none has.
func (r *Repo) GitVersion() string { return r.git.Version() }

// FindVersion returns the version of the git on this machine, or an error that names it if it is missing or too old.
func FindVersion(ctx context.Context) (string, error) {
	g := new(gitexec.Runner)
	_, err := g.Run(ctx, gitexec.Call{Args: []string{"version"}})
	return g.Version(), err
}

// Init makes a repository in dir, which is created where missing, with branch as the
// branch to be born, and opens it.
func Init(ctx context.Context, dir, branch string) (*Repo, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := layout.ValidBranch(branch); err != nil {
		return nil, err
	}
	if _, err := new(gitexec.Runner).Run(ctx, gitexec.Call{Dir: abs, Args: []string{"init", "-q", "-b", branch}, Write: true}); err != nil {
		return nil, err
	}
	return Open(abs)
}

// Blank makes a repository without commits in dir, for what only reads it, and opens it. It is what git init makes, without
// the templates of hooks; no process is started, which would take longer than many a question about a repository.
func Blank(dir, branch string) (*Repo, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := layout.ValidBranch(branch); err != nil {
		return nil, err
	}
	if err := makeBlank(filepath.Join(abs, ".git"), branch); err != nil {
		return nil, err
	}
	return Open(abs)
}

// makeBlank makes a git folder without commits.
func makeBlank(own, branch string) error {
	for _, name := range []string{filepath.Join("objects", "info"), filepath.Join("objects", "pack"), filepath.Join("refs", "heads"), filepath.Join("refs", "tags")} {
		if err := os.MkdirAll(filepath.Join(own, name), 0o755); err != nil {
			return err
		}
	}
	for _, file := range []struct{ name, text string }{
		{"config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"},
		// HEAD comes last: by it a git folder is known, so a killed process leaves none that is half done.
		{"HEAD", "ref: " + layout.Heads + branch + "\n"},
	} {
		if err := os.WriteFile(filepath.Join(own, file.name), []byte(file.text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// OpenApart opens a folder that is in no repository as the worktree of one without commits, whose git folder is elsewhere
// and is made where it is missing. It is for asking which files of the folder git does not ignore: nothing is written
// into the folder.
func OpenApart(folder, gitDir string) (*Repo, error) {
	if !layout.IsGitDir(gitDir) {
		if err := makeBlank(gitDir, "main"); err != nil {
			return nil, err
		}
	}
	site, err := layout.Apart(folder, gitDir)
	if err != nil {
		return nil, err
	}
	r := newRepo(site)
	// Nothing in the folder leads to its git folder, so the variables do.
	r.git.Env = []string{"GIT_DIR=" + site.Common, "GIT_WORK_TREE=" + site.Home}
	return r, nil
}

// CommonDir is the folder that all worktrees share: objects, refs, configuration.
func (r *Repo) CommonDir() string { return r.site.Common }

// GitDir is the folder of a worktree of this repository that it shares with no other: its
// HEAD and index. Error: ErrNotRepository.
func (r *Repo) GitDir(tree string) (string, error) {
	p, err := r.site.Place(tree)
	return p.GitDir, err
}

// Shallow reports whether the history of the repository is cut off, as in a clone made
// with --depth.
func (r *Repo) Shallow() bool {
	return r.site.Shallow()
}

// Reftable reports whether a repository keeps its refs in one file instead of one for each.
func (r *Repo) Reftable() bool { return r.site.Format.Reftable }

// Gone reports whether the repository was removed or moved away since it was opened:
// what git knows a repository by is no longer there.
func (r *Repo) Gone() bool {
	return r.site.Gone()
}

// AdminDir is the folder in which git keeps what is a worktree's own, whatever has become of
// that: by what leads from there to the tree, else by what leads there, and of a tree that
// is planned by how git will name it. A tree that was moved keeps the folder that it had.
func (r *Repo) AdminDir(tree string) string {
	return r.site.AdminDir(tree)
}

// RemoveUntracked removes what the worktree at dir holds that is neither tracked nor
// ignored; repositories inside it stay. Errors: ErrNotRepository.
func (r *Repo) RemoveUntracked(ctx context.Context, dir string) error {
	p, err := r.site.Place(dir)
	if err != nil {
		return err
	}
	// A single -f leaves repositories inside.
	_, err = r.git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: []string{"clean", "-q", "-f", "-d"}, Limit: gitexec.LongLimit})
	return err
}

// HooksDir is the folder in which git looks for the hooks of the worktree at dir, absolute;
// it may not exist. That is what core.hooksPath says, else the folder "hooks" that all
// worktrees share. Errors: ErrNotRepository.
func (r *Repo) HooksDir(ctx context.Context, dir string) (string, error) {
	p, err := r.site.Place(dir)
	if err != nil {
		return "", err
	}
	// Git itself knows the rules for relative paths in this setting.
	out, err := r.git.Run(ctx, gitexec.Call{Dir: p.Top, Args: []string{"rev-parse", "--git-path", "hooks"}})
	if err != nil {
		return "", err
	}
	return layout.RealPath(layout.Resolve(p.Top, strings.TrimRight(string(out), "\r\n"))), nil
}

// Tracked reports whether git tracks a file of the worktree at dir; path is absolute.
// What lies outside of the worktree is not tracked.
func (r *Repo) Tracked(ctx context.Context, dir, path string) (bool, error) {
	p, err := r.site.Place(dir)
	if err != nil {
		return false, err
	}
	rel, err := filepath.Rel(p.Top, path)
	if err != nil || !filepath.IsLocal(rel) {
		// There is no way from one to the other, so the file is outside.
		return false, nil //nolint:nilerr
	}
	_, err = r.git.Run(ctx, gitexec.Call{Dir: p.Top, Env: []string{"GIT_LITERAL_PATHSPECS=1"},
		Args: []string{"ls-files", "--error-unmatch", "--", filepath.ToSlash(rel)}})
	if gitexec.ExitCode(err) == 1 {
		return false, nil
	}
	return err == nil, err
}

// Uncommit takes back the newest commit of the worktree at dir, which has to be commit:
// its branch stands at to again, and what the commit held lies in the tree, unstaged. No
// file changes. It does nothing when the branch has moved on. Errors: ErrNotRepository.
func (r *Repo) Uncommit(ctx context.Context, dir, commit, to string) error {
	p, err := r.site.Place(dir)
	if err != nil {
		return err
	}
	head, err := r.refs.HeadOf(ctx, p)
	// If the branch has moved on, the commit is part of the history of others.
	if err != nil || head.Hash != commit {
		return err
	}
	ref := "HEAD"
	if head.Branch != "" {
		ref = layout.Heads + head.Branch
	}
	if err := r.refs.Move(ctx, p, ref, to, commit, "chant: uncommit"); err != nil {
		// Another process may move it after the look, and then it stays as well.
		if errors.Is(err, refstore.ErrChanged) {
			return nil
		}
		return err
	}
	// Only the index is reset: the files keep what the commit held.
	_, err = r.git.Retry(ctx, gitexec.Call{Dir: p.Top, Args: []string{"reset", "-q", "--mixed"}, Limit: gitexec.LongLimit})
	return err
}
