package refstore

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/rootdir"
)

// Symbolic returns the symbolic refs below these folders, such as "refs/heads", and what each of them names, also if
// that does not exist. It starts no process, since packed refs are never symbolic.
func (s *Store) Symbolic(ctx context.Context, folders ...string) (map[string]string, error) {
	if s.Site.Format.Reftable {
		return s.symbolicByGit(ctx, folders)
	}
	found := map[string]string{}
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(s.Site.Common, filepath.FromSlash(folder)), func(path string, entry fs.DirEntry, err error) error {
			if layout.Absent(err) || rootdir.TooDeep(err) {
				return nil // removed while we looked, or not a ref
			}
			if err != nil || entry.IsDir() {
				return err
			}
			rel, err := filepath.Rel(s.Site.Common, path)
			if err != nil {
				return err
			}
			if to, name := leadsTo(path, entry), filepath.ToSlash(rel); to != "" && layout.ValidRef(name) {
				found[name] = to
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// leadsTo returns what a symbolic ref names, "" for any other one. Early versions of git made symbolic links.
func leadsTo(path string, entry fs.DirEntry) string {
	if entry.Type()&fs.ModeSymlink != 0 {
		to, _ := os.Readlink(path) // "" if it was removed meanwhile
		return to
	}
	text, err := layout.ReadName(path)
	if err != nil {
		return ""
	}
	to, symbolic := strings.CutPrefix(strings.TrimSpace(string(text)), "ref:")
	if !symbolic {
		return ""
	}
	return strings.TrimSpace(to)
}

func (s *Store) symbolicByGit(ctx context.Context, folders []string) (map[string]string, error) {
	args := append([]string{"for-each-ref", "--format=%(refname) %(symref)"}, folders...)
	out, err := s.Git.Run(ctx, gitexec.Call{Dir: s.Site.Home, Args: args})
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if name, to, _ := strings.Cut(strings.TrimSpace(line), " "); to != "" {
			found[name] = to
		}
	}
	return found, nil
}
