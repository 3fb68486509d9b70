package refstore

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
)

// Snapshot is where all refs point at one time, and what the worktrees have checked out. It is immutable.
type Snapshot struct {
	own    map[string]string // of refs with a file of their own: the hash, or "ref: NAME" for a symbolic one
	packed *packedText
	// Heads is the content of HEAD of each worktree by the name of its git folder, "" for the main one.
	Heads map[string]string
}

// packedText is the text of the file of packed refs, read only when two snapshots differ in it.
type packedText struct {
	text string
	once sync.Once
	refs map[string]string
}

// all returns the refs of the text, which is parsed once.
func (p *packedText) all() map[string]string {
	p.once.Do(func() {
		p.refs = map[string]string{}
		eachPacked(p.text, func(name, hash string) bool {
			p.refs[name] = hash
			return true
		})
	})
	return p.refs
}

// SnapshotRefs reads all refs in one pass, without a process where refs are files. Packed refs cost the reading of their
// file; they are parsed only if that has changed.
func (s *Store) SnapshotRefs(ctx context.Context) (*Snapshot, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	heads, err := s.heads()
	if err != nil {
		return nil, err
	}
	if s.Site.Format.Reftable {
		own, err := s.allByGit(ctx)
		return &Snapshot{own: own, packed: &packedText{}, Heads: heads}, err
	}
	now := &Snapshot{own: map[string]string{}, Heads: heads}
	// Loose before packed: git writes the packed file before it removes a loose one.
	if err := s.ownRefs(now.own); err != nil {
		return nil, err
	}
	text, err := layout.ReadPlain(filepath.Join(s.Site.Common, "packed-refs"))
	if err != nil && !layout.Absent(err) {
		return nil, err
	}
	s.packedMu.Lock()
	defer s.packedMu.Unlock()
	if s.packed == nil || s.packed.text != string(text) {
		s.packed = &packedText{text: string(text)}
	}
	now.packed = s.packed
	return now, nil
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
			return nil // a pipe is no ref
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
			continue // not a worktree, or not one any more
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

// SnapshotOf returns a snapshot with these refs, as All returned them.
func SnapshotOf(refs map[string]string) *Snapshot {
	return &Snapshot{own: refs, packed: &packedText{}}
}

// At returns where a ref pointed, "" if it did not exist: a hash, or "ref: NAME".
func (s *Snapshot) At(name string) string {
	return cmp.Or(s.own[name], s.packed.all()[name])
}

// All returns where each ref pointed.
func (s *Snapshot) All() map[string]string {
	out := make(map[string]string, len(s.own)+len(s.packed.all()))
	for name, to := range s.packed.all() {
		out[name] = to
	}
	for name, to := range s.own {
		out[name] = to
	}
	return out
}

// Move is a ref that was changed from one place to another; From is "" if it was added, To is "" if it was removed.
type Move struct{ Name, From, To string }

// Moves lists what differs in a later snapshot, sorted by name. That refs were packed or unpacked is no difference.
func (s *Snapshot) Moves(later *Snapshot) []Move {
	names := map[string]bool{}
	for _, of := range []map[string]string{s.own, later.own} {
		for name := range of {
			names[name] = true
		}
	}
	if s.packed != later.packed && s.packed.text != later.packed.text {
		for name, hash := range s.packed.all() {
			if later.packed.all()[name] != hash {
				names[name] = true
			}
		}
		for name := range later.packed.all() {
			if _, known := s.packed.all()[name]; !known {
				names[name] = true
			}
		}
	}
	var out []Move
	for name := range names {
		if s.own[name] != "" && s.own[name] == later.own[name] {
			continue
		}
		if m := (Move{name, s.At(name), later.At(name)}); m.From != m.To {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b Move) int { return strings.Compare(a.Name, b.Name) })
	return out
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
