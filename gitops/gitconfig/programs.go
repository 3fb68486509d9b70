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

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// Programs are the things that make git run programs, or take one thing for another, in this
// repository: hooks, settings that name programs or leave files out, wherever git reads them,
// attributes and objects outside of the repository, replaced objects, refs that lead to others.
func (s *Settings) Programs(ctx context.Context) (map[string]string, error) {
	found := map[string]string{}
	for _, look := range []func(context.Context, map[string]string) error{s.hooks, s.runningSettings, s.stoodIn, s.symbolic} {
		if err := look(ctx, found); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"info/attributes", "info/grafts", "info/sparse-checkout", "objects/info/alternates"} {
		if err := digest(filepath.Join(s.Site.Common, filepath.FromSlash(name)), "git's "+name, found); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// hooks finds what lies where git looks for hooks by default.
func (s *Settings) hooks(_ context.Context, found map[string]string) error {
	folder := filepath.Join(s.Site.Common, "hooks")
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
		if err := digest(filepath.Join(folder, entry.Name()), `git hook "`+entry.Name()+`"`, found); err != nil {
			return err
		}
	}
	return nil
}

// runningSettings finds the settings by which git runs something, or looks elsewhere.
func (s *Settings) runningSettings(ctx context.Context, found map[string]string) error {
	return s.settings(ctx, runsSomething, found)
}

// OtherSettings are the settings that Programs leaves out, with the same keys, except for those
// that git and its extensions write by themselves.
func (s *Settings) OtherSettings(ctx context.Context) (map[string]string, error) {
	found := map[string]string{}
	err := s.settings(ctx, func(key string) bool { return !runsSomething(key) && !writtenByItself(key) }, found)
	return found, err
}

func (s *Settings) settings(ctx context.Context, wanted func(key string) bool, found map[string]string) error {
	out, err := s.Git.Run(ctx, gitexec.Call{Dir: s.Site.Home, Args: []string{"config", "--includes", "-z", "--list"}})
	if err != nil {
		return err
	}
	for _, entry := range gitexec.Records(out) {
		key, value, _ := strings.Cut(entry, "\n")
		if wanted(key) {
			found[`git setting "`+key+`"`] += "\n" + value
		}
	}
	return nil
}

// writtenByItself reports whether git or an extension writes a setting as part of another command: what a branch
// tracks, which submodules are active, how the server of large files is reached.
func writtenByItself(key string) bool {
	section, rest, _ := strings.Cut(key, ".")
	name := rest[strings.LastIndexByte(rest, '.')+1:]
	return section == "branch" || section == "lfs" || section == "submodule" && (name == "url" || name == "active")
}

// runsSomething reports whether a setting, in git's lower-case spelling, names a program,
// lets another file or address stand in, leaves files out, or changes what a checkout writes.
func runsSomething(key string) bool {
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

// stoodIn finds objects in whose place git shows others.
func (s *Settings) stoodIn(ctx context.Context, found map[string]string) error {
	refs, err := s.Refs.List(ctx, "refs/replace/")
	for _, ref := range refs {
		found[`git replacement "`+ref.Name+`"`] = ref.Hash
	}
	return err
}

// symbolic finds branches and notes that lead to other refs: what is written to one would
// move another.
func (s *Settings) symbolic(ctx context.Context, found map[string]string) error {
	refs, err := s.Refs.Symbolic(ctx, "refs/heads", "refs/notes", "refs/chant")
	for name, to := range refs {
		found[`symbolic ref "`+name+`"`] = to
	}
	return err
}

// digest adds the content of a file, or where a link leads, if it is there.
func digest(path, what string, found map[string]string) error {
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
	sum := sha256.Sum256(append(content, info.Mode().String()...))
	found[what] = hex.EncodeToString(sum[:8])
	return nil
}
