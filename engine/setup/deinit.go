package setup

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"chant/engine"
	"chant/engine/evidence/sandbox"
	"chant/engine/format/agentfile"
	"chant/engine/format/report"
	"chant/engine/prompt"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/local"
	"chant/engine/verify/gate"
	"chant/engine/work"
	"chant/gitops"
	"chant/gitops/lockfile"
	"chant/gitops/rootdir"
)

// DeinitInput says whether to remove anything or only to list it.
type DeinitInput struct {
	DryRun bool `json:"dry_run,omitempty" jsonschema:"List what would be removed, remove nothing"`
}

// DeinitResult lists what Deinit has done: paths below home, settings of git, and folders elsewhere.
type DeinitResult struct {
	Removed     []string `json:"removed"`
	Changed     []string `json:"changed,omitempty"` // files from which chant's part was removed
	Kept        []string `json:"kept,omitempty"`    // copies in git's folder of files that are in no commit
	Left        []string `json:"left,omitempty"`    // of .chant: specs, and what people have written
	Uncommitted []string `json:"uncommitted,omitempty"`
	Commit      string   `json:"commit,omitempty"`
	DryRun      bool     `json:"dry_run,omitempty"`
}

// Deinit takes back what Init and runs have made in the repository around dir and on this machine. Specs, other files that people have
// written, and the history stay. A file of chant's that no commit has as it is goes to the folder chant-kept in git's. Errors: NotFound,
// State while a branch has work that has not landed in a worktree, Conflict while a process of chant works here.
func Deinit(ctx context.Context, dir string, o engine.Options, in DeinitInput) (DeinitResult, error) {
	p, err := openLeniently(dir, o)
	if err != nil {
		return DeinitResult{}, err
	}
	if err := engine.MayInside(p, "deinit", ""); err != nil {
		return DeinitResult{}, err
	}
	d := &remover{p: p, dry: in.DryRun, result: DeinitResult{Removed: []string{}, DryRun: in.DryRun}}
	for _, step := range []func(context.Context) error{d.checkRuns, d.removeHooks, d.editAgentFiles, d.removeOwnFiles, d.commit, d.unhide, d.removeLocal} {
		if err := step(ctx); err != nil {
			return d.result, engine.Wrap(err, "")
		}
	}
	return d.result, nil
}

type remover struct {
	p      *engine.Project
	dry    bool
	others bool            // the repository has further projects, which use the same hooks and settings of git
	dirty  map[string]bool // files that git shows as changed or unknown
	files  []gitops.File
	result DeinitResult
}

// checkRuns removes what runs have left, and refuses while there is more.
func (d *remover) checkRuns(ctx context.Context) error {
	locks, err := filepath.Glob(filepath.Join(d.p.Store.LocalPath(local.Locks, ""), "*.lock"))
	if err != nil {
		return err
	}
	for _, path := range locks {
		if holder, held := lockfile.HeldBy(path); held && holder.PID != os.Getpid() {
			return engine.Fail(engine.Conflict, next.Status.On(), "a process of chant (%d) works in this project", holder.PID)
		}
	}
	if _, err := work.RemoveLeftovers(ctx, d.p, d.dry, false); err != nil {
		return err
	}
	trees, err := d.p.Repo.Worktrees(ctx)
	if err != nil {
		return err
	}
	for _, tree := range trees {
		if id, run := strings.CutPrefix(tree.Branch, d.p.Store.Branch("")); run && !tree.Main && !d.dry {
			return engine.Fail(engine.State, next.Reset.On(id), "the worktree %q has work that has not landed: land it, or drop it", tree.Path)
		}
	}
	if d.others, err = d.hasOthers(ctx); err != nil {
		return err
	}
	status, err := d.p.Repo.Status(ctx, d.p.Repo.Home())
	d.dirty = map[string]bool{}
	for _, s := range status {
		d.dirty[s.Path] = true
	}
	return err
}

// hasOthers reports whether the repository has further projects, by what is committed and by their state on this machine.
func (d *remover) hasOthers(ctx context.Context) (bool, error) {
	for _, other := range d.p.Store.EachProject() {
		if other.State() != d.p.Store.State() && engine.Exists(filepath.Join(other.State(), string(local.Runs))) {
			return true, nil
		}
	}
	files, err := d.p.Repo.Whole().Files(ctx, "HEAD")
	if errors.Is(err, gitops.ErrNotFound) {
		return false, nil
	}
	own := d.p.Repo.FromTop(store.ConfigPath)
	return slices.ContainsFunc(files, func(f gitops.Entry) bool {
		return f.Name != own && strings.HasSuffix("/"+f.Name, "/"+store.ConfigPath)
	}), err
}

func (d *remover) removeHooks(ctx context.Context) error {
	if d.others {
		return nil
	}
	hooks, err := gate.HooksStatus(ctx, d.p.Repo.Home(), d.p.Options, gate.HooksInput{})
	if err != nil {
		return err
	}
	for _, h := range hooks.Hooks {
		if h.State == gate.HookActive {
			d.result.Removed = append(d.result.Removed, "hook "+h.Name)
		}
	}
	if !d.dry {
		// With those that are files of the repository: a person has asked for it, and commits them.
		if _, err := gate.HooksRemove(ctx, d.p.Repo.Home(), d.p.Options, gate.HooksInput{Tracked: true}); err != nil {
			return err
		}
	}
	keys, err := gate.DropSettings(ctx, d.p.Repo, d.dry)
	for _, key := range keys {
		d.result.Removed = append(d.result.Removed, "git config "+key)
	}
	return err
}

// editAgentFiles removes chant's part of the files that agents and CI systems read.
func (d *remover) editAgentFiles(ctx context.Context) error {
	section := func(name string) func([]byte) ([]byte, error) {
		return func(have []byte) ([]byte, error) { return agentfile.RemoveSection(name, have) }
	}
	for _, a := range agentfile.All() {
		for _, name := range []string{a.Config, a.Variant} {
			if err := d.edit(ctx, name, func(have []byte) ([]byte, error) { return a.Remove(name, have) }); err != nil {
				return err
			}
		}
		if err := d.edit(ctx, a.Guide, section(a.Guide)); err != nil {
			return err
		}
		texts, err := a.Texts()
		if err != nil {
			return err
		}
		for _, text := range texts {
			if err := d.edit(ctx, text.Path, removeSame(text.Content)); err != nil {
				return err
			}
		}
	}
	for _, system := range report.Systems() {
		files, _ := report.Files(system, report.Release{Version: "@VERSION@", Address: "@RELEASES@"})
		for _, f := range files {
			err := d.edit(ctx, f.Path, func(have []byte) ([]byte, error) {
				if f.Is(have) {
					return nil, nil
				}
				return have, nil
			})
			if err != nil {
				return err
			}
		}
	}
	return d.edit(ctx, topIgnore, removeRules)
}

// removeSame returns an edit that removes a file with exactly this text.
func removeSame(text []byte) func([]byte) ([]byte, error) {
	return func(have []byte) ([]byte, error) {
		if bytes.Equal(have, text) {
			return nil, nil
		}
		return have, nil
	}
}

// removeRules takes back what mergeRules has added.
func removeRules(have []byte) ([]byte, error) {
	newline := "\n"
	if bytes.Contains(have, []byte("\r\n")) {
		newline = "\r\n"
	}
	block := "# Local state of chant" + newline
	for rule := range strings.Lines(ignoreRules) {
		block += "/" + store.Dir + strings.TrimSpace(rule) + newline
	}
	before, after, found := strings.Cut(string(have), block)
	if !found {
		return have, nil
	}
	if rest := strings.TrimSuffix(before, newline) + after; rest != "" {
		return []byte(rest), nil
	}
	return nil, nil
}

// edit changes a file below home, or removes it with the folders that are empty then. Links and files that cannot be read stay.
func (d *remover) edit(ctx context.Context, name string, change func([]byte) ([]byte, error)) error {
	path := filepath.Join(d.p.Repo.Home(), filepath.FromSlash(name))
	info, err := os.Lstat(path)
	if name == "" || err != nil || !info.Mode().IsRegular() || info.Size() > maxAgentFile {
		return nil //nolint:nilerr // there is nothing of chant's
	}
	have, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	want, err := change(have)
	if err != nil || want != nil && bytes.Equal(have, want) {
		// A file that init could not read either has nothing of chant's.
		return nil //nolint:nilerr
	}
	if want == nil {
		d.result.Removed = append(d.result.Removed, name)
	} else {
		d.result.Changed = append(d.result.Changed, name)
	}
	if d.dry {
		return nil
	}
	tracked, err := d.p.Repo.Tracked(ctx, d.p.Repo.Home(), path)
	if err == nil {
		// With the content that was read, so that a change of a person meanwhile is kept.
		err = d.p.Store.Write(ctx, d.p.Repo.Home(), name, have, want)
	}
	if err != nil {
		return conflictIfRaced(err, name)
	}
	switch {
	case tracked && d.dirty[name]:
		d.result.Uncommitted = append(d.result.Uncommitted, name)
	case tracked:
		d.files = append(d.files, gitops.File{Path: name, Content: want, Executable: info.Mode()&0o111 != 0})
	}
	if want == nil {
		removeEmptyAbove(d.p.Repo.Home(), path)
	}
	return nil
}

// removeEmptyAbove removes the folders above a path that are empty, which git does not know.
func removeEmptyAbove(home, path string) {
	for dir := filepath.Dir(path); dir != home && os.Remove(dir) == nil; {
		dir = filepath.Dir(dir)
	}
}

// removeOwnFiles removes the files of .chant that init makes. What no commit has goes to git's folder first.
func (d *remover) removeOwnFiles(ctx context.Context) error {
	standard, err := prompt.Shipped(prompt.Standard)
	if err != nil {
		return err
	}
	own := map[string][]byte{
		store.ConfigPath: nil, store.Dir + "/.gitignore": []byte(ignoreRules), store.Dir + "/.gitattributes": nil, store.SpecsDir + "/.gitkeep": {},
		store.PromptsDir + "/" + prompt.Standard + ".md": standard.Source,
	}
	for _, name := range []string{store.ConfigPath, store.Dir + "/.gitignore", store.Dir + "/.gitattributes", store.SpecsDir + "/.gitkeep", store.PromptsDir + "/" + prompt.Standard + ".md"} {
		path := filepath.Join(d.p.Repo.Home(), filepath.FromSlash(name))
		tracked, err := d.p.Repo.Tracked(ctx, d.p.Repo.Home(), path)
		if err != nil {
			return err
		}
		err = d.edit(ctx, name, func(have []byte) ([]byte, error) {
			if tracked && !d.dirty[name] || own[name] != nil && bytes.Equal(have, own[name]) || d.dry {
				return nil, nil
			}
			kept, err := d.keep(name, have)
			d.result.Kept = append(d.result.Kept, kept)
			return nil, err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// keep writes a text that is in no commit to git's folder, beside what an earlier call has kept there, and returns its path.
func (d *remover) keep(name string, text []byte) (string, error) {
	first := filepath.Join(d.p.Repo.CommonDir(), "chant-kept", filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(first), 0o755); err != nil {
		return first, err
	}
	for path, n := first, 2; ; path, n = first+"."+strconv.Itoa(n), n+1 {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return path, err
		}
		_, err = f.Write(text)
		return path, errors.Join(err, f.Close())
	}
}

// commit commits exactly what was removed and changed.
func (d *remover) commit(ctx context.Context) error {
	if len(d.files) == 0 {
		return nil
	}
	hash, changed, err := d.p.Repo.CommitFiles(ctx, gitops.CommitOptions{Dir: d.p.Repo.Home(), Files: d.files, Message: "chant: deinit\n\nChant-Event: deinit\n"})
	if changed {
		d.result.Commit = hash
	}
	return err
}

// unhide removes the rules for files of chant from the exclude file of the repository, and that for .chant if nothing is left there.
func (d *remover) unhide(context.Context) error {
	drop := []string{}
	for _, a := range agentfile.All() {
		texts, err := a.Texts()
		if err != nil {
			return err
		}
		for _, name := range append([]string{a.Config, a.Variant, a.Guide}, pathsOf(texts)...) {
			if name != "" && !engine.Exists(filepath.Join(d.p.Repo.Home(), filepath.FromSlash(name))) {
				drop = append(drop, "/"+name)
			}
		}
	}
	if d.result.Left = d.left(); len(d.result.Left) == 0 && !d.others {
		drop = append(drop, "/"+d.p.Repo.FromTop(store.Dir))
	}
	path := filepath.Join(d.p.Repo.CommonDir(), "info", "exclude")
	have, err := os.ReadFile(path)
	if err != nil {
		return nil //nolint:nilerr // there are no rules
	}
	lines := slices.DeleteFunc(strings.SplitAfter(string(have), "\n"), func(line string) bool { return slices.Contains(drop, strings.TrimSpace(line)) })
	if want := strings.Join(lines, ""); want != string(have) {
		d.result.Changed = append(d.result.Changed, "info/exclude")
		if !d.dry {
			return os.WriteFile(path, []byte(want), 0o644)
		}
	}
	return nil
}

func pathsOf(texts []agentfile.Text) (paths []string) {
	for _, text := range texts {
		paths = append(paths, text.Path)
	}
	return paths
}

// left lists what is in .chant beside local state and what is removed.
func (d *remover) left() (names []string) {
	entries, _ := os.ReadDir(filepath.Join(engine.Home(d.p), store.Dir))
	for _, e := range entries {
		name := store.Dir + "/" + e.Name()
		below, _ := os.ReadDir(filepath.Join(engine.Home(d.p), store.Dir, e.Name()))
		if slices.Contains(localFolders(), local.Kind(e.Name())) || slices.Contains(d.result.Removed, name) || e.IsDir() && len(below) == 0 {
			continue
		}
		// In a dry run, the files are still there.
		if len(below) == 1 && slices.Contains(d.result.Removed, name+"/"+below[0].Name()) {
			continue
		}
		names = append(names, name)
	}
	return names
}

// localFolders are those of .chant whose files chant has written. Held-out criteria are a person's.
func localFolders() []local.Kind {
	return []local.Kind{local.Logs, local.Runs, local.Worktrees, local.Locks, local.Cache}
}

// removeLocal removes logs, journals and caches of the project.
func (d *remover) removeLocal(context.Context) error {
	folders, kept := d.stateFolders()
	d.result.Left = append(d.result.Left, kept...)
	for _, kind := range localFolders() {
		folders = append(folders, filepath.Join(engine.Home(d.p), store.Dir, string(kind)))
	}
	for _, f := range CacheOf(d.p) {
		folders = append(folders, f.Path)
	}
	for _, folder := range folders {
		if !engine.Exists(folder) {
			continue
		}
		d.result.Removed = append(d.result.Removed, folder)
		if !d.dry {
			if err := rootdir.Remove(folder); err != nil {
				return err
			}
		}
	}
	if !d.dry {
		for _, name := range []string{store.SpecsDir, store.PromptsDir, store.Dir} {
			// It fails for a folder with files, which stay.
			_ = os.Remove(filepath.Join(engine.Home(d.p), filepath.FromSlash(name)))
		}
		for _, name := range []string{"chant-hooks.lock", "chant-worktrees.lock"} {
			_ = os.Remove(filepath.Join(d.p.Repo.CommonDir(), name))
		}
	}
	return nil
}

// stateFolders lists what the project keeps in git's folder, and what of that stays: the state of other projects, and what a
// fleet keeps there, which can be work that has landed nowhere.
func (d *remover) stateFolders() (gone, kept []string) {
	state := d.p.Store.State()
	entries, _ := os.ReadDir(state)
	for _, e := range entries {
		path := filepath.Join(state, e.Name())
		switch name := e.Name(); {
		case strings.HasPrefix(name, "fleet"):
			kept = append(kept, path)
		case d.others && (name == "projects" || !slices.Contains(ownState(), local.Kind(name))):
		default:
			gone = append(gone, path)
		}
	}
	if len(kept) == 0 && !d.others {
		return []string{state}, nil
	}
	return gone, kept
}

// ownState are the folders that no two projects of a repository share.
func ownState() []local.Kind {
	return []local.Kind{local.Runs, local.Locks, local.Numbers, local.Writes, local.Questions}
}

// CacheOf lists the folders of a project among chant's caches on this machine.
func CacheOf(p *engine.Project) []CacheFolder {
	key := sandbox.FolderKey(p.Repo.Home(), p.Repo.CommonDir())
	return slices.DeleteFunc(cacheFolders(p.Environ), func(f CacheFolder) bool { return !strings.HasPrefix(filepath.Base(f.Path), key) })
}
