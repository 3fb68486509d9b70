package tree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/evidence/journal"
	"chant/engine/evidence/sandbox"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/fileset"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/gitops"
	"chant/gitops/rootdir"
	"chant/providers"
	"chant/providers/secret"
	"chant/text"
)

// IncludeFile, at the top of home and in the form of gitignore(5), names the ignored files of which every new worktree
// gets a copy.
const IncludeFile = ".worktreeinclude"

// SetupPrefix begins every line in a run's log about setting up its worktree.
const SetupPrefix = "set-up: "

// Setup gives a worktree what git does not: copies of ignored files such as .env, links to ignored folders such as
// node_modules, and the results of the project's set-up commands. tree is a worktree of chant; files already there are
// not replaced.
func (t *Trees) Setup(ctx context.Context, tree string) error {
	// Once for all globs and both uses, since git looks through every ignored folder for it.
	named, err := t.Repo.IgnoredFiles(ctx, t.Settings.Copy)
	if err != nil {
		return err
	}
	// Once in a run, and not for each tree in which its criteria run.
	if tree == t.Tree {
		for _, entry := range FindUnmatched(t.Repo.Home(), t.Settings.Link, t.Settings.Copy, named) {
			if err := t.setupLine(entry.Message()); err != nil {
				return err
			}
		}
	}
	if err := t.copyIgnored(ctx, tree, named); err != nil {
		return err
	}
	for _, path := range t.Settings.Link {
		if err := t.linkIn(ctx, tree, path); err != nil {
			return err
		}
	}
	if len(t.Settings.SetupCmd) == 0 {
		return nil
	}
	// Copies and links may show as changes already, which the commands are not to blame for.
	before, err := t.Repo.Status(ctx, tree)
	if err != nil {
		return err
	}
	for _, line := range t.Settings.SetupCmd {
		if err := t.setupCommand(ctx, tree, line); err != nil {
			return err
		}
	}
	after, err := t.Repo.Status(ctx, tree)
	if err != nil {
		return err
	}
	return changedBySetup(before, after)
}

// Unmatched is an entry of the settings below worktree that does nothing.
type Unmatched struct {
	Key  string // link or copy
	Text string
}

// Message says why the entry does nothing.
func (u Unmatched) Message() string {
	if u.Key == "link" {
		return fmt.Sprintf("worktree.link: %q does not exist in your checkout", u.Text)
	}
	return fmt.Sprintf("worktree.copy: %q matches no file of your checkout that git ignores", u.Text)
}

// FindUnmatched lists the entries of worktree.link that do not exist in home, and the globs of worktree.copy that match none of
// the ignored files that git finds for all of them.
func FindUnmatched(home string, link, globs, ignored []string) (list []Unmatched) {
	for _, path := range link {
		if _, err := os.Lstat(filepath.Join(home, filepath.FromSlash(path))); errors.Is(err, fs.ErrNotExist) {
			list = append(list, Unmatched{"link", path})
		}
	}
	for _, glob := range globs {
		matches := func(file string) bool { return fileset.MatchPathspec(glob, file) }
		// Only git knows what [[:digit:]] matches.
		if !strings.Contains(glob, "[:") && !slices.ContainsFunc(ignored, matches) {
			list = append(list, Unmatched{"copy", glob})
		}
	}
	return list
}

// changedBySetup is the failure of set-up commands that have changed what git tracks: it would be taken for work of the
// agent, and no criterion would judge what is committed. before and after are what git shows as changed.
func changedBySetup(before, after []gitops.StatusEntry) error {
	known := map[string]bool{}
	for _, e := range before {
		known[e.Path] = true
	}
	var changed []string
	for _, e := range after {
		// Untracked files are left alone: they are removed with the tree, or committed with the agent's work.
		if !known[e.Path] && e.Code != "??" {
			changed = append(changed, e.Path)
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return &journal.Failure{
		Kind: spec.ReasonSetup, Details: changed, Next: next.ByHand("have the set-up only create files that git ignores, as `npm ci` does").See(next.Config.On().Flag("validate")),
		Message: "worktree.setup changed tracked files: " + strings.Join(attempt.ClipList(changed), ", "),
	}
}

// HasSetup reports whether the project asks for any set-up.
func (t *Trees) HasSetup() bool {
	_, err := os.Lstat(filepath.Join(t.Store.Home(), IncludeFile))
	return !errors.Is(err, fs.ErrNotExist) || len(t.Settings.Copy)+len(t.Settings.Link)+len(t.Settings.SetupCmd) > 0
}

// copyIgnored copies what .worktreeinclude names, and then the files that worktree.copy names.
func (t *Trees) copyIgnored(ctx context.Context, tree string, named []string) error {
	included, err := t.Repo.IgnoredBy(ctx, IncludeFile)
	if err != nil {
		return err
	}
	if err := t.copyLoad(ctx, tree, load{IncludeFile, included}); err != nil {
		return err
	}
	return t.copyLoad(ctx, tree, load{"worktree.copy", named})
}

// linkIn links an ignored path of home into the worktree. A path that does not exist in home, or exists in the
// worktree, is skipped.
func (t *Trees) linkIn(ctx context.Context, tree, path string) error {
	from := filepath.Join(t.Store.Home(), path)
	if _, err := os.Lstat(from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	there := false
	at := filepath.FromSlash(t.Repo.FromTop(filepath.ToSlash(path)))
	// Through a root, since a link that an agent has left in the worktree could lead anywhere.
	err := rootdir.In(tree, func(root *os.Root) error {
		if _, err := root.Lstat(at); err == nil {
			there = true
			return nil
		}
		if err := root.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		return root.Symlink(from, at)
	})
	// An agent may have left a link there in an earlier attempt.
	if leads := rootdir.LinkAbove(tree, filepath.ToSlash(at)); err != nil && leads != "" {
		return t.setupLine(fmt.Sprintf("left out %s, since %s of the worktree leads out of it", path, leads))
	}
	if err != nil || there {
		return err
	}
	if err := t.setupLine("linked " + path); err != nil {
		return err
	}
	// A rule such as "node_modules/" does not cover a link, which would be committed.
	return t.Repo.Exclude(ctx, tree, filepath.ToSlash(path))
}

// setupCommand runs one command and logs its output as it comes.
func (t *Trees) setupCommand(ctx context.Context, tree, line string) (err error) {
	t.Announce(journal.Setup, "command", "%s", line)
	if err := t.Log.Line(SetupPrefix + "$ " + line); err != nil {
		return err
	}
	// Set-up runs code of the branch, so it gets the same wall as the agent.
	bounds, err := t.Sandbox().ForSetup(tree)
	if err == nil {
		err = bounds.Prepare()
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bounds.Clear()) }()
	out := &lineWriter{line: func(text string) error { return t.Log.Line(SetupPrefix + text) }, full: t.Log.Full}
	res, err := providers.RunCommand(ctx, providers.Command{
		Line: line, Dir: t.Folder(tree), Env: append(t.commandEnv(tree), bounds.Env...), Timeout: t.Settings.SetupFor, RunID: t.Job.RunID, Output: out,
		Secrets: t.Secrets.Redactor, Wall: bounds.Wall,
	})
	if err = errors.Join(err, out.end()); err != nil {
		return err
	}
	if err := t.Log.Line(fmt.Sprintf("%sexit %d after %.1f s", SetupPrefix, res.ExitCode, res.Duration.Seconds())); err != nil {
		return err
	}
	switch {
	case res.TimedOut:
		return &journal.Failure{Kind: spec.ReasonSetup, Next: next.EditFile(store.ConfigPath), Message: fmt.Sprintf("set-up command `%s` did not end within %s%s", line, t.Settings.SetupFor, quoteTail(res.Tail))}
	case res.ExitCode != 0:
		return &journal.Failure{Kind: spec.ReasonSetup, Next: next.EditFile(store.ConfigPath), Message: fmt.Sprintf("set-up command `%s` exited with %d%s", line, res.ExitCode, quoteTail(res.Tail)+refusedNote(t.Sandbox(), &bounds, res.Tail))}
	}
	return nil
}

// refusedNote says what the wall has refused a command that failed, "" if nothing.
func refusedNote(box *sandbox.Sandbox, bounds *sandbox.Bounds, output string) string {
	if said := box.Explain(bounds.Refused(output), "sandbox.write"); said != "" {
		return "\n  " + said
	}
	return ""
}

// setupLine reports a step of the set-up in the log and as progress.
func (t *Trees) setupLine(text string) error {
	t.Announce(journal.Setup, "step", "%s", text)
	return t.Log.Line(SetupPrefix + text)
}

// quoteTail returns lines of a command's output, each on a line of its own: the last ones, or those from the first that is an
// error, since tools such as npm say much after it.
func quoteTail(output string) string {
	const most = 10
	output = strings.TrimSpace(output)
	if output == "" {
		return ", and printed nothing"
	}
	lines := strings.Split(output, "\n")
	first := max(0, len(lines)-most)
	if at := slices.IndexFunc(lines, text.IsError); at >= 0 {
		first = min(first, at)
	}
	return ":\n  " + strings.Join(lines[first:min(first+most, len(lines))], "\n  ")
}

// commandEnv returns the environment of set-up commands and criteria.
func (t *Trees) commandEnv(tree string) []string {
	env := append(append([]string(nil), t.Environ...), t.PortEnv()...)
	return append(env,
		"CHANT_SPEC_ID="+t.Job.ID,
		"CHANT_WORKTREE=1",
		"CHANT_WORKTREE_PATH="+tree,
		"CHANT_BRANCH="+t.Job.Branch,
		"CHANT_PROJECT="+t.Settings.Project,
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(tree),
	)
}

// Hidden returns an environment without secrets, as evidence may keep it.
func (t *Trees) Hidden(vars map[string]string) map[string]string {
	out := make(map[string]string, len(vars))
	for name, value := range vars {
		if secret.Named(name) {
			out[name] = secret.Mark(name)
			continue
		}
		out[name] = t.Secrets.Text(value)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// maxLine bounds what is kept of a line without an end, in bytes.
const maxLine = 64 << 10

// lineWriter passes on what is written to it line by line, until that fails.
type lineWriter struct {
	line func(string) error
	full func() bool // whether no line is wanted any more; nil = all are
	rest []byte
	err  error // the first one
}

// Write returns the first error of passing on a line.
func (w *lineWriter) Write(p []byte) (int, error) {
	// Output without end must not cost a call for each line.
	if w.full != nil && w.full() {
		w.rest = w.rest[:0]
		return len(p), w.err
	}
	for part := range bytes.Lines(p) {
		w.rest = append(w.rest, part...)
		// A line without an end must not grow in memory.
		if bytes.HasSuffix(part, []byte("\n")) || len(w.rest) >= maxLine {
			w.pass()
		}
	}
	if w.err != nil {
		return 0, w.err
	}
	return len(p), nil
}

func (w *lineWriter) pass() {
	text := string(bytes.TrimRight(w.rest, "\r\n"))
	w.rest = w.rest[:0]
	if w.err == nil {
		w.err = w.line(text)
	}
}

// end passes on a last line without a newline, and returns the first error.
func (w *lineWriter) end() error {
	if len(w.rest) > 0 {
		w.pass()
	}
	return w.err
}

// Bounds of what is copied into one worktree. More is refused.
const (
	maxCopyFiles = 50_000
	maxCopyBytes = 4 << 30
)

// load is what to copy, slash-separated from home, and which setting names it.
type load struct {
	by    string
	paths []string
}

// carrier copies ignored files of home into a worktree. It writes nowhere else, whatever links the worktree has, and
// does not replace files.
type carrier struct {
	home  string
	tree  *os.Root
	files int
	bytes int64
	left  []string // links below which files would have had to be written
}

// copyLoad copies a load into a worktree and reports what it did.
func (t *Trees) copyLoad(ctx context.Context, tree string, l load) (err error) {
	if l.paths, err = t.keepIgnored(ctx, tree, l); err != nil || len(l.paths) == 0 {
		return err
	}
	// All is counted before the first byte is copied: half a copy would look like a complete one.
	if err := t.checkLoad(ctx, l); err != nil {
		return err
	}
	root, err := rootdir.Open(tree)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	// Files of the project are copied by their paths from the top.
	c := &carrier{home: t.Repo.Whole().Home(), tree: root}
	paths := slices.Clone(l.paths)
	for i, name := range paths {
		paths[i] = t.Repo.FromTop(name)
	}
	if err := c.copyAll(ctx, paths); err != nil {
		return err
	}
	for _, leads := range slices.Compact(c.left) {
		if err := t.setupLine(fmt.Sprintf("left out files named by %s, since %s of the worktree leads out of it", l.by, leads)); err != nil {
			return err
		}
	}
	return t.setupLine(fmt.Sprintf("copied %d files, %d bytes, by %s", c.files, c.bytes, l.by))
}

// keepIgnored leaves out what is in .chant, and what home ignores and the run's branch does not: that would be committed with
// the agent's work.
func (t *Trees) keepIgnored(ctx context.Context, tree string, l load) ([]string, error) {
	// Specs, keys and logs of chant are not the agent's, whatever a pattern matches.
	paths := slices.DeleteFunc(l.paths, func(name string) bool { return strings.HasPrefix(name, store.Dir+"/") })
	// Home and branch may ignore different files, and the branch's rules decide what git commits.
	ignored, err := t.Repo.IgnoredIn(ctx, tree, paths...)
	if err != nil {
		return nil, err
	}
	kept := slices.DeleteFunc(slices.Clone(paths), func(name string) bool { return !ignored[name] })
	if left := len(paths) - len(kept); left > 0 {
		err = t.setupLine(fmt.Sprintf("left out %d files named by %s, which branch %q does not ignore", left, l.by, t.Job.Branch))
	}
	return kept, err
}

// checkLoad refuses a load that is too large to copy for every run, before anything is copied.
func (t *Trees) checkLoad(ctx context.Context, l load) error {
	var total int64
	for _, name := range l.paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		info, err := os.Lstat(filepath.Join(t.Store.Home(), filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) {
			// It has gone since git listed it.
			continue
		}
		if err != nil {
			return err
		}
		total += info.Size()
	}
	if len(l.paths) <= maxCopyFiles && total <= maxCopyBytes {
		return nil
	}
	return &journal.Failure{
		Kind: spec.ReasonSetup, Message: fmt.Sprintf("%s matches %d files of %d bytes in all; no more than %d files and %d bytes are copied into a worktree: name less, or link it by worktree.link",
			l.by, len(l.paths), total, maxCopyFiles, int64(maxCopyBytes)),
	}
}

// copyAll copies files until the context ends.
func (c *carrier) copyAll(ctx context.Context, paths []string) error {
	for _, name := range paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := c.copy(name)
		if leads := rootdir.LinkAbove(c.tree.Name(), name); err != nil && leads != "" {
			c.left = append(c.left, leads)
			continue
		}
		if err != nil {
			return fmt.Errorf("copy %q into the worktree: %w", name, err)
		}
	}
	return nil
}

// copy copies one file or link, with its mode.
func (c *carrier) copy(name string) error {
	from := filepath.Join(c.home, filepath.FromSlash(name))
	info, err := os.Lstat(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	// What is there stays, which also lets a killed run repeat the step.
	if _, err := c.tree.Lstat(name); err == nil {
		return nil
	}
	if err := c.folder(path.Dir(name)); err != nil {
		return err
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		err = c.link(from, name)
	case info.Mode().IsRegular():
		err = c.file(from, name, info.Mode().Perm())
	// A socket or a pipe belongs to the process that made it.
	default:
		return nil
	}
	if err == nil {
		c.files++
		c.bytes += info.Size()
	}
	return err
}

// folder creates a folder with its mode in home.
func (c *carrier) folder(name string) error {
	if _, err := c.tree.Stat(name); err == nil {
		return nil
	}
	if err := c.folder(path.Dir(name)); err != nil {
		return err
	}
	mode := fs.FileMode(0o755)
	if info, err := os.Stat(filepath.Join(c.home, filepath.FromSlash(name))); err == nil {
		// The owner's bits are set in any case, or nothing could be copied into the folder.
		mode = info.Mode().Perm() | 0o700
	}
	if err := c.tree.Mkdir(name, mode); err != nil {
		return err
	}
	// Mkdir has applied the umask.
	return c.tree.Chmod(name, mode)
}

// link copies a link. A relative link that leads out of home is changed to lead to the same place from the worktree.
func (c *carrier) link(from, name string) error {
	target, err := os.Readlink(from)
	if err != nil {
		return err
	}
	if up := path.Join(path.Dir(name), filepath.ToSlash(target)); !filepath.IsAbs(target) && (up == ".." || strings.HasPrefix(up, "../")) {
		target = filepath.Join(filepath.Dir(from), target)
	}
	return c.tree.Symlink(target, name)
}

func (c *carrier) file(from, name string, mode fs.FileMode) (err error) {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	// O_EXCL neither replaces a file nor follows a link that has come meanwhile.
	dst, err := c.tree.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode|0o200)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	if err = errors.Join(err, dst.Close()); err != nil {
		return err
	}
	// Last, since a file without write permission could not be filled.
	return c.tree.Chmod(name, mode)
}
