package refstore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// Snapshot is where all refs point at one time, and what the worktrees have checked out.
type Snapshot struct {
	Refs map[string]string // the hash, or "ref: NAME" for a symbolic one
	// Heads is the content of HEAD of each worktree by the name of its git folder, "" for the main one.
	Heads map[string]string
}

// SnapshotRefs reads all refs in one pass, without a process where refs are files.
func (s *Store) SnapshotRefs(ctx context.Context) (*Snapshot, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	heads, err := s.heads()
	if err != nil {
		return nil, err
	}
	if s.Site.Format.Reftable {
		all, err := s.allByGit(ctx)
		return &Snapshot{Refs: all, Heads: heads}, err
	}
	now := &Snapshot{Refs: map[string]string{}, Heads: heads}
	// Loose before packed: git writes the packed file before it removes a loose one.
	if err := s.ownRefs(now.Refs); err != nil {
		return nil, err
	}
	return now, s.packedRefs(func(name, hash string) bool {
		// A ref with a file of its own counts more than the packed one, which may be older.
		if now.Refs[name] == "" {
			now.Refs[name] = hash
		}
		return true
	})
}

// ownRefs adds the refs that are files of their own.
func (s *Store) ownRefs(found map[string]string) error {
	return s.walk("refs", func(name, path string, entry fs.DirEntry) error {
		if to := leadsTo(path, entry); to != "" {
			found[name] = "ref: " + to
			return nil
		}
		text, err := layout.ReadName(path)
		if layout.Absent(err) || errors.Is(err, layout.ErrNotFile) {
			// A pipe is not a ref.
			return nil
		}
		if value := strings.TrimSpace(string(text)); err == nil && value != "" {
			found[name] = value
		}
		return err
	})
}

// heads reads HEAD of every worktree.
func (s *Store) heads() (map[string]string, error) {
	out := map[string]string{}
	entries, err := os.ReadDir(filepath.Join(s.Site.Common, "worktrees"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	names := []string{""}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	for _, name := range names {
		dir := s.Site.Common
		if name != "" {
			dir = filepath.Join(dir, "worktrees", name)
		}
		text, err := layout.ReadName(filepath.Join(dir, "HEAD"))
		if layout.Absent(err) || errors.Is(err, layout.ErrNotFile) {
			// It is not a worktree, or not one any more.
			continue
		}
		if err != nil {
			return nil, err
		}
		out[name] = strings.TrimSpace(string(text))
	}
	return out, nil
}

// allByGit reads refs that are not files.
func (s *Store) allByGit(ctx context.Context) (map[string]string, error) {
	out, err := s.Git.Run(ctx, gitexec.Call{Dir: s.Site.Home, Args: []string{"for-each-ref", "--format=%(refname) %(objectname) %(symref)"}})
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		switch len(fields) {
		case 2:
			found[fields[0]] = fields[1]
		case 3:
			found[fields[0]] = "ref: " + fields[2]
		}
	}
	return found, nil
}

// Move is a ref that was changed from one place to another; From is "" if it was added, To is "" if it was removed.
type Move struct{ Name, From, To string }

// Moves lists what differs in a later snapshot, sorted by name. That refs were packed or unpacked is no difference.
func (s *Snapshot) Moves(later *Snapshot) []Move {
	var out []Move
	for name, from := range s.Refs {
		if to := later.Refs[name]; to != from {
			out = append(out, Move{name, from, to})
		}
	}
	for name, to := range later.Refs {
		// The loop above has seen all others.
		if s.Refs[name] == "" {
			out = append(out, Move{Name: name, To: to})
		}
	}
	slices.SortFunc(out, func(a, b Move) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// leadsTo returns what a symbolic ref names, "" for any other one. Early versions of git made symbolic links.
func leadsTo(path string, entry fs.DirEntry) string {
	if entry.Type()&fs.ModeSymlink != 0 {
		// The link may have been removed meanwhile, and then it leads nowhere.
		to, _ := os.Readlink(path)
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
