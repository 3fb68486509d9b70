package gitconfig

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/gitops/layout"
)

// Reading is what changes how git works in a repository, beside its objects and refs. A key says what it is in words,
// such as `git hook "pre-commit"`; the value changes with its content.
type Reading struct {
	// Programs make git run programs, or take one thing for another: hooks, settings that name programs or leave files
	// out, wherever git reads them, attributes and objects outside of the repository, replaced objects, refs that lead to
	// others.
	Programs map[string]string
	// Kept are further settings and files by which git runs something, or reaches another address, in commands that
	// people and chant use.
	Kept map[string]string
	// Seen are all other settings, apart from those of the branches of runs, and where history is cut off.
	Seen map[string]string
	// Files are the paths from which each of Programs and Kept was read. A setting that is in no file is not among them.
	Files map[string][]string
	// Modes are the content and the permissions of each hook, with a space between them.
	Modes map[string]string
}

// ReadGit reads what makes git run programs, take one thing for another or reach an address: settings, wherever git
// reads them, hooks, attributes, replaced and borrowed objects, refs that lead to others. tree is a worktree whose own
// settings are read too, "" for none; settings of branches that begin with runs are left out. It starts one process.
func (s *Settings) ReadGit(ctx context.Context, tree, runs string) (Reading, error) {
	r := Reading{map[string]string{}, map[string]string{}, map[string]string{}, map[string][]string{}, map[string]string{}}
	list, origins, err := s.listOrigins(ctx)
	if err != nil {
		return r, err
	}
	for i, entry := range list {
		key, value, _ := strings.Cut(entry, "\n")
		name := `git setting "` + key + `"`
		if !slices.Contains(r.Files[name], origins[i]) {
			r.Files[name] = append(r.Files[name], origins[i])
		}
		switch {
		case runsProgram(key):
			r.Programs[name] += "\n" + value
		case mayRunProgram(key):
			r.Kept[name] += "\n" + value
		// The settings of the branches of runs change with every run.
		case runs == "" || !strings.HasPrefix(key, "branch."+runs):
			r.Seen[name] += "\n" + value
		}
	}
	// The values may hold secrets, and only equality counts.
	for _, settings := range []map[string]string{r.Kept, r.Seen} {
		for name, value := range settings {
			settings[name] = shortDigest([]byte(value))
		}
	}
	for name, files := range r.Files {
		// A setting of the environment or of the command line is in no file.
		if slices.Contains(files, "") {
			delete(r.Files, name)
		}
	}
	for _, look := range []func(context.Context, Reading) error{s.addHooks, s.addReplacements, s.addSymbolicRefs} {
		if err := look(ctx, r); err != nil {
			return r, err
		}
	}
	files := []struct {
		path, what string
		into       map[string]string
	}{
		{s.commonPath("info/attributes"), "git's info/attributes", r.Programs},
		{s.commonPath("info/grafts"), "git's info/grafts", r.Programs},
		{s.commonPath("info/sparse-checkout"), "git's info/sparse-checkout", r.Programs},
		{s.commonPath("objects/info/alternates"), "git's objects/info/alternates", r.Programs},
		{s.commonPath("objects/info/http-alternates"), "git's objects/info/http-alternates", r.Kept},
		{s.commonPath("shallow"), "git's shallow, where history is cut off,", r.Seen},
	}
	if tree != "" {
		admin := s.Site.AdminDir(tree)
		files = append(files, struct {
			path, what string
			into       map[string]string
		}{filepath.Join(admin, "config.worktree"), "git's config.worktree of the run's worktree", r.Kept})
	}
	for _, f := range files {
		if r.Files[f.what] = []string{f.path}; err == nil {
			err = addDigest(f.path, f.what, f.into)
		}
	}
	if err != nil {
		return r, err
	}
	return r, nil
}

func (s *Settings) commonPath(name string) string {
	return filepath.Join(s.Site.Common, filepath.FromSlash(name))
}

// addHooks finds what lies where git looks for hooks by default.
func (s *Settings) addHooks(_ context.Context, r Reading) error {
	folder := s.commonPath("hooks")
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), ".sample") || entry.IsDir() {
			continue
		}
		path, name := filepath.Join(folder, entry.Name()), `git hook "`+entry.Name()+`"`
		if err := addDigest(path, name, r.Programs); err != nil {
			return err
		}
		r.Files[name] = []string{path}
		content, err := layout.ReadPlain(path)
		// Where this fails, digest has not read the hook either.
		if info, bad := os.Stat(path); err == nil && bad == nil {
			r.Modes[name] = shortDigest(content) + " " + info.Mode().String()
		}
	}
	return nil
}

// OtherSettings are the settings that are not among the Programs of ReadGit, with the same keys, except for those that git and its
// extensions write by themselves. Those that are in a file for which left reports true are left out.
func (s *Settings) OtherSettings(ctx context.Context, left func(file string) bool) (map[string]string, error) {
	found := map[string]string{}
	list, origins, err := s.listOrigins(ctx)
	for i, entry := range list {
		if key, value, _ := strings.Cut(entry, "\n"); !runsProgram(key) && !writtenByItself(key) && !left(origins[i]) {
			found[`git setting "`+key+`"`] += "\n" + value
		}
	}
	return found, err
}

// writtenByItself reports whether git or an extension writes a setting as part of another command: what a branch
// tracks, which submodules are active, how the server of large files is reached.
func writtenByItself(key string) bool {
	section, rest, _ := strings.Cut(key, ".")
	name := rest[strings.LastIndexByte(rest, '.')+1:]
	return section == "branch" || section == "lfs" || section == "submodule" && (name == "url" || name == "active")
}

// runsProgram reports whether a setting, in git's lower-case spelling, names a program,
// lets another file or address stand in, leaves files out, or changes what a checkout writes.
func runsProgram(key string) bool {
	section, rest, _ := strings.Cut(key, ".")
	name := rest[strings.LastIndexByte(rest, '.')+1:]
	switch section {
	case "alias", "include", "includeif", "url", "credential", "filter", "gpg", "user", "author", "committer", "pager", "extensions":
		return true
	case "core":
		return slices.Contains([]string{
			"hookspath", "fsmonitor", "sshcommand", "editor", "pager", "attributesfile", "gitproxy", "askpass", "worktree", "alternaterefscommand", "sparsecheckout", "sparsecheckoutcone",
			// what a checkout writes, and what git then takes for unchanged
			"symlinks", "autocrlf", "eol", "filemode", "ignorecase", "precomposeunicode", "protecthfs", "protectntfs", "checkroundtripencoding", "trustctime", "checkstat", "ignorestat", "untrackedcache", "bigfilethreshold",
		}, rest)
	case "diff":
		return name == "external" || name == "command" || name == "textconv"
	case "merge":
		return name == "driver" || rest == "default"
	case "branch":
		return name == "mergeoptions"
	}
	return section == "hook" || key == "sequence.editor" || key == "pull.twohead"
}

// mayRunProgram reports whether one of the other settings names a program, an address or a kind of transport that git uses in
// some command of a person or of chant, or changes what merges, fetches and pushes do.
func mayRunProgram(key string) bool {
	section, rest, _ := strings.Cut(key, ".")
	name := rest[strings.LastIndexByte(rest, '.')+1:]
	switch section {
	case "core", "protocol", "transfer", "receive", "uploadpack", "uploadarchive", "http", "https", "ssh", "tar",
		"browser", "web", "man", "help", "instaweb", "mergetool", "difftool", "sendemail", "imap", "trailer", "interactive",
		"merge", "pull", "push", "rebase", "rerere", "notes", "commit", "tag", "i18n", "index", "feature", "safe", "worktree",
		"fsck", "guitool", "gitweb", "gitcvs", "remotes", "svn", "svn-remote", "p4", "git-p4", "checkout", "apply", "am", "stash":
		return true
	case "init":
		return name == "templatedir"
	case "diff":
		return name == "tool" || name == "guitool" || name == "orderfile" || name == "ignoresubmodules"
	case "remote":
		return name != "gh-resolved" && name != "prune" && name != "tagopt" && name != "prunetags"
	case "submodule":
		return name == "update" || name == "ignore" || name == "alternatelocation" || rest == "recurse"
	case "lfs":
		return name == "url" || name == "pushurl" || strings.Contains(rest, "transfer") || strings.HasPrefix(rest, "extension.")
	}
	return false
}

// addReplacements finds objects in whose place git shows others.
func (s *Settings) addReplacements(ctx context.Context, r Reading) error {
	refs, err := s.Refs.List(ctx, "refs/replace/")
	for _, ref := range refs {
		name := `git replacement "` + ref.Name + `"`
		r.Programs[name], r.Files[name] = ref.Hash, []string{s.commonPath(ref.Name)}
	}
	return err
}

// addSymbolicRefs finds branches and notes that lead to other refs: what is written to one would
// move another.
func (s *Settings) addSymbolicRefs(ctx context.Context, r Reading) error {
	all, err := s.Refs.SnapshotRefs(ctx)
	if err != nil {
		return err
	}
	for ref, value := range all.Refs {
		to, symbolic := strings.CutPrefix(value, "ref: ")
		top, _, _ := strings.Cut(strings.TrimPrefix(ref, "refs/"), "/")
		// What is written to a symbolic ref moves the ref that it names. Other namespaces have such refs in every clone, as
		// refs/remotes/origin/HEAD.
		if !symbolic || !slices.Contains([]string{"heads", "notes", "chant"}, top) {
			continue
		}
		name := `symbolic ref "` + ref + `"`
		r.Programs[name], r.Files[name] = to, []string{s.commonPath(ref)}
	}
	return nil
}

// addDigest adds the content of a file, or where a link leads, if it is there.
func addDigest(path, what string, found map[string]string) error {
	content, err := layout.ReadPlain(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	found[what] = HookDigest(content, info.Mode())
	return nil
}

// HookDigest is the value of a hook in a Reading.
func HookDigest(content []byte, mode fs.FileMode) string {
	return shortDigest(append(slices.Clip(content), mode.String()...))
}

func shortDigest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}
