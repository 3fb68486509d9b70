package worktrees

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/objectstore"
)

// wanted is what a checkout of a commit would write.
type wanted struct {
	files map[string]objectstore.Entry // by path, slash-separated
	how   map[string]treatment
	modes fs.FileMode // the permissions of a new executable file
}

// treatment is how it is decided whether a file can stay.
type treatment int

const (
	compareByGit treatment = iota // git compares the content
	compareBytes                  // git takes contents for equal that no checkout writes, such as other line ends
	writeAgain                    // a checkout converts the content
)

// wantedFiles reads what a checkout would write into a worktree whose index has the files of the commit.
func (t *Trees) wantedFiles(ctx context.Context, p layout.Place, commit string) (w wanted, err error) {
	all, err := t.Revs.Files(ctx, commit)
	if err != nil {
		return w, err
	}
	w.files = make(map[string]objectstore.Entry, len(all))
	var names bytes.Buffer
	for _, e := range all {
		w.files[e.Name] = e
		names.WriteString(e.Name + "\x00")
	}
	if w.how, err = t.treatments(ctx, p, names.Bytes()); err != nil {
		return w, err
	}
	w.modes, err = newModes(p.GitDir)
	return w, err
}

// newModes returns the permissions that a new executable file gets. The folder is one of ours.
func newModes(folder string) (fs.FileMode, error) {
	probe := filepath.Join(folder, "chant-probe")
	f, err := os.OpenFile(probe, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o777)
	if err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if removeErr := os.Remove(probe); err == nil {
		err = removeErr
	}
	if err != nil {
		return 0, err
	}
	return info.Mode().Perm(), nil
}

// treatments asks for the attributes of files, as the commit and the settings have them. Files that are compared by git
// are left out.
func (t *Trees) treatments(ctx context.Context, p layout.Place, names []byte) (map[string]treatment, error) {
	how, err := t.Config.Summary(ctx)
	if err != nil {
		return nil, err
	}
	settings := strings.Split(strings.ToLower(how.Checkout), "\n")
	crlf := runtime.GOOS == "windows" || slices.Contains(settings, "core.eol=crlf")
	always := compareByGit
	for _, s := range settings {
		if value, ok := strings.CutPrefix(s, "core.autocrlf="); ok && value != "false" {
			always, crlf = compareBytes, crlf || value != "input"
		}
	}
	args := []string{"check-attr", "--cached", "-z", "--stdin", "text", "eol", "crlf", "ident", "filter", "working-tree-encoding"}
	out, err := t.Git.Run(ctx, gitexec.Call{Dir: p.Top, Args: args, Stdin: names})
	if err != nil {
		return nil, err
	}
	found := map[string]treatment{}
	records := gitexec.Records(out) // path, attribute, value
	if len(records)%3 != 0 {
		return nil, fmt.Errorf("git check-attr: %d fields are not a multiple of three", len(records))
	}
	for i := 0; i < len(records); i += 3 {
		path := records[i]
		as := max(always, ofAttribute(records[i+1], records[i+2]), found[path])
		if as == compareBytes && crlf {
			as = writeAgain
		}
		if as != compareByGit {
			found[path] = as
		}
	}
	return found, nil
}

// ofAttribute returns what one attribute demands.
func ofAttribute(name, value string) treatment {
	switch {
	case value == "unspecified" || value == "unset":
		return compareByGit
	case name == "text" || name == "eol" && value == "lf":
		return compareBytes
	}
	return writeAgain
}

// removeUnlike removes what a checkout of these files would not make: repositories inside, content that it would not
// write although git takes it for unchanged, files that have another name elsewhere, by which they could be changed
// later, other permissions, and what is neither a file, a link nor a folder. The files that stay get one time, since
// build tools compare times.
func (w wanted) removeUnlike(top string, now time.Time) error {
	now = now.Add(-2 * time.Second) // git reads files again that are as young as its index
	return filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == top || path == filepath.Join(top, ".git") {
			return err
		}
		name, err := filepath.Rel(top, path)
		if err != nil {
			return err
		}
		entry, known := w.files[filepath.ToSlash(name)]
		switch {
		case strings.EqualFold(d.Name(), ".git"):
			return removeHere(path, d)
		case d.IsDir():
			return w.checkFolder(path, d, known && entry.Mode == objectstore.ModeSubmodule)
		case d.Type()&fs.ModeSymlink != 0 || !known:
			return nil // git compares links, and removes other files
		}
		same, err := w.same(path, d, entry)
		if err == nil && same {
			return os.Chtimes(path, now, now)
		}
		if err == nil {
			err = os.Remove(path)
		}
		return err
	})
}

// checkFolder makes a folder accessible. That of a submodule is emptied: git does not look into it.
func (w wanted) checkFolder(path string, d fs.DirEntry, submodule bool) error {
	info, err := d.Info()
	if err == nil && info.Mode().Perm()&0o700 != 0o700 {
		err = os.Chmod(path, 0o755)
	}
	if err != nil || !submodule {
		return err
	}
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	if err := os.Mkdir(path, 0o777); err != nil {
		return err
	}
	return fs.SkipDir
}

// same reports whether a file is as a checkout would write it, as far as git does not decide that.
func (w wanted) same(path string, d fs.DirEntry, entry objectstore.Entry) (bool, error) {
	info, err := d.Info()
	if err != nil {
		return false, err
	}
	perm := w.modes
	if entry.Mode != objectstore.ModeExecutable {
		perm &^= 0o111
	}
	const special = fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky
	mode := info.Mode()
	if !mode.IsRegular() || mode&special != 0 || runtime.GOOS != "windows" && mode.Perm() != perm || names(info) > 1 {
		return false, nil
	}
	switch w.how[entry.Name] {
	case writeAgain:
		return false, nil
	case compareBytes:
		text, err := os.ReadFile(path)
		return err == nil && objectstore.IsBlob(text, entry.Hash), err
	case compareByGit:
	}
	return true, nil
}

// removeHere removes a file, or a folder with what is in it.
func removeHere(path string, d fs.DirEntry) error {
	if err := os.RemoveAll(path); err != nil || !d.IsDir() {
		return err
	}
	return fs.SkipDir
}

// clearGitDir removes from the git folder of a linked worktree what a new one does not have. It refuses the folder of
// another worktree, to which an agent could have let ".git" lead.
func clearGitDir(p layout.Place) error {
	text, err := layout.ReadName(filepath.Join(p.GitDir, "gitdir"))
	if err != nil {
		return err
	}
	if at := layout.Resolve(p.GitDir, strings.TrimSpace(string(text))); layout.RealPath(filepath.Dir(at)) != p.Top {
		return fmt.Errorf("%q is registered as %q: %w", p.Top, filepath.Dir(at), layout.ErrNotRepository)
	}
	entries, err := os.ReadDir(p.GitDir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !slices.Contains([]string{"HEAD", "commondir", "gitdir", "locked", checkoutMark}, e.Name()) {
			if err := os.RemoveAll(filepath.Join(p.GitDir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}
