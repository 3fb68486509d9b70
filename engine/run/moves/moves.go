package moves

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/run/attempt"
	"chant/engine/run/tree"
	"chant/engine/store/message"
	"chant/gitops"
)

// Watch compares the refs of a run's repository with what they were.
type Watch struct {
	*attempt.Attempt
	// Strict has every commit on the target stop the run that nothing explains, also if no checkout could explain it:
	// while criteria run, for minutes, that is no person's.
	Strict bool
}

// Found is what was moved by neither chant nor, as far as can be known, a person.
type Found struct {
	Stops []string // keeps the run from landing
	Seen  []string // is reported
}

// Reading is the refs and the HEADs of worktrees at one time.
type Reading struct {
	refs *gitops.RefSnapshot
}

// Read reads them.
func (w Watch) Read(ctx context.Context) (Reading, error) {
	refs, err := w.Repo.SnapshotRefs(ctx)
	return Reading{refs}, err
}

// fewRefs is up to how many refs of one folder, such as refs/tags, a journal holds one by one.
const fewRefs = 100

// Recorded returns the reading for a journal: every ref, and instead of the refs of a folder that has many a digest.
func (w Watch) Recorded(r Reading) (refs, heads map[string]string) {
	return w.folded(r.refs.Refs), r.refs.Heads
}

// folded replaces the refs of large folders by one digest under the name of the folder, except for the target. Branches
// of runs are left out.
func (w Watch) folded(all map[string]string) map[string]string {
	runs, target := w.Store.Branch(""), heads+w.Job.Target
	folders := map[string][]string{}
	for name := range all {
		if !strings.HasPrefix(name, heads+runs) && name != target && name != attempt.NotesRef {
			folders[folderOf(name)] = append(folders[folderOf(name)], name)
		}
	}
	out := map[string]string{}
	for _, name := range []string{target, attempt.NotesRef} {
		if to, there := all[name]; there {
			out[name] = to
		}
	}
	for folder, names := range folders {
		if len(names) <= fewRefs {
			for _, name := range names {
				out[name] = all[name]
			}
			continue
		}
		slices.Sort(names)
		sum := sha256.New()
		for _, name := range names {
			fmt.Fprintf(sum, "%s %s\n", name, all[name])
		}
		out[folder] = hex.EncodeToString(sum.Sum(nil))
	}
	return out
}

// folderOf returns the folder of a ref below refs, such as "refs/tags/".
func folderOf(name string) string {
	parts := strings.SplitN(name, "/", 3)
	if len(parts) < 3 {
		return name
	}
	return parts[0] + "/" + parts[1] + "/"
}

const (
	heads   = "refs/heads/"
	tags    = "refs/tags/"
	remotes = "refs/remotes/"
)

// SinceRecorded is Since for a reading of a process that was killed, as the journal has it.
func (w Watch) SinceRecorded(ctx context.Context, refs, heads map[string]string, now Reading) (Found, error) {
	was, is := &gitops.RefSnapshot{Refs: refs, Heads: heads}, &gitops.RefSnapshot{Refs: w.folded(now.refs.Refs), Heads: now.refs.Heads}
	return w.since(ctx, was, is)
}

// Since finds what was moved between two readings.
func (w Watch) Since(ctx context.Context, was, now Reading) (Found, error) {
	return w.since(ctx, was.refs, now.refs)
}

func (w Watch) since(ctx context.Context, was, now *gitops.RefSnapshot) (out Found, err error) {
	moves := slices.DeleteFunc(was.Moves(now), func(m gitops.RefMove) bool { return w.isGuardedElsewhere(m.Name) })
	var people byPeople
	if len(moves) > 0 {
		if people, err = w.people(ctx); err != nil {
			return out, err
		}
	}
	fetched := map[string]int{}
	for _, m := range moves {
		switch {
		case m.Name == attempt.NotesRef:
			err = w.evidence(ctx, m, &out)
		case m.Name == heads+w.Job.Target:
			err = w.target(ctx, m, people, &out)
		case strings.HasPrefix(m.Name, heads+w.Store.Branch("")):
			err = w.otherRun(ctx, m, &out)
		case strings.HasPrefix(m.Name, remotes):
			remote, _, _ := strings.Cut(strings.TrimPrefix(m.Name, remotes), "/")
			if remote != w.Settings.Fetches { // else chant itself does
				fetched[remote]++
			}
		default:
			err = w.other(ctx, m, people, &out)
		}
		if err != nil {
			return out, err
		}
	}
	for remote, n := range fetched {
		noun := "branches"
		if n == 1 {
			noun = "branch"
		}
		out.Seen = append(out.Seen, fmt.Sprintf("%d %s of remote %q moved, as a fetch or a push does", n, noun, remote))
	}
	if err := w.switched(ctx, was.Heads, now.Heads, &out); err != nil {
		return out, err
	}
	slices.Sort(out.Seen)
	return out, nil
}

// isGuardedElsewhere reports whether other checks find what happens to a ref: the branch of the run, while criteria run
// those of all runs, what is kept of them, and replaced objects.
func (w Watch) isGuardedElsewhere(name string) bool {
	if runs := heads + w.Store.Branch(""); strings.HasPrefix(name, runs) && (w.Strict || name == runs+w.Job.ID) {
		return true
	}
	for _, prefix := range []string{"refs/replace/", "refs/bisect/", "refs/worktree/", "refs/rewritten/"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return strings.HasPrefix(name, "refs/chant/") && !strings.HasPrefix(name, tree.RescueRefs)
}

// other reports a branch, a tag, a stash or any other ref, unless a person has checked out or made what it holds now,
// or chant has landed it there.
func (w Watch) other(ctx context.Context, m gitops.RefMove, people byPeople, out *Found) error {
	name := named(m.Name)
	switch {
	case strings.HasPrefix(m.Name, tree.RescueRefs):
		if m.To == "" || m.From != "" {
			out.Seen = append(out.Seen, fmt.Sprintf("%s, which kept removed work, was %s", m.Name, moved(m)))
		}
	case strings.HasSuffix(m.Name, "/"):
		out.Seen = append(out.Seen, name+" was changed")
	case people.has(m.To):
	case m.From == "":
		out.Seen = append(out.Seen, name+" was added")
	case m.To == "":
		out.Seen = append(out.Seen, name+" was removed from "+attempt.Short(m.From))
	default:
		landed, err := w.landedOnly(ctx, m.From, m.To)
		if err != nil || landed {
			return err
		}
		out.Seen = append(out.Seen, name+" was moved from "+attempt.Short(m.From))
	}
	return nil
}

func moved(m gitops.RefMove) string {
	if m.To == "" {
		return "removed from " + attempt.Short(m.From)
	}
	return "moved from " + attempt.Short(m.From)
}

// named returns a ref in words: `branch "release"`.
func named(ref string) string {
	if strings.HasSuffix(ref, "/") {
		return fmt.Sprintf("something below %q", ref)
	}
	for prefix, word := range map[string]string{heads: "branch", tags: "tag"} {
		if short, ok := strings.CutPrefix(ref, prefix); ok {
			return fmt.Sprintf("%s %q", word, short)
		}
	}
	return fmt.Sprintf("ref %q", ref)
}

// landedOnly reports whether a ref has only moved on by landings of other runs.
func (w Watch) landedOnly(ctx context.Context, before, tip string) (bool, error) {
	for tip != before {
		c, err := w.Repo.ReadCommit(ctx, tip)
		if errors.Is(err, gitops.ErrNotFound) {
			return false, nil // a tag of an object that is not a commit
		}
		if err != nil {
			return false, err
		}
		if _, event := message.Says(c); event == "" || len(c.Parents) == 0 {
			return false, nil
		}
		tip = c.Parents[0]
	}
	return true, nil
}

// switched reports checkouts of people that have another branch checked out, which no switch has led to.
func (w Watch) switched(ctx context.Context, was, now map[string]string, out *Found) error {
	return w.eachPersonsTree(ctx, func(t gitops.Worktree) error {
		name := ""
		if !t.Main {
			admin, err := w.Repo.GitDir(t.Path)
			if err != nil {
				return nil // it is being removed
			}
			name = filepath.Base(admin)
		}
		before, known := was[name]
		branch, onBranch := strings.CutPrefix(now[name], "ref: "+heads)
		if !known || before == now[name] || !onBranch {
			return nil
		}
		entries, err := w.Repo.HeadEntries(t.Path)
		if err != nil || switchedLast(entries, branch) {
			return err
		}
		out.Seen = append(out.Seen, fmt.Sprintf("the checkout %q was set from %s to branch %q without a switch", t.Path, strings.TrimPrefix(before, "ref: "+heads), branch))
		return nil
	})
}

// switchedLast reports whether the last switch, or renaming of a branch, in a reflog led to this branch.
func switchedLast(entries []gitops.HeadEntry, branch string) bool {
	for _, e := range slices.Backward(entries) {
		switch {
		case strings.HasPrefix(e.Why, "checkout: moving from "), strings.HasPrefix(e.Why, "Branch: renamed "):
			return strings.HasSuffix(e.Why, " to "+branch) || strings.HasSuffix(e.Why, " to "+heads+branch)
		}
	}
	return false
}

// byPeople holds the commits that people have made or checked out, each with those from which they came there: not by a
// mere switch, which makes nothing.
type byPeople map[string][]string

// has reports whether people have made or checked out a commit.
func (p byPeople) has(commit string) bool { _, known := p[commit]; return known }

// people reads the reflogs of the checkouts that chant has not created. Without a reflog, a person's work leaves no
// trace.
func (w Watch) people(ctx context.Context) (byPeople, error) {
	out := byPeople{}
	err := w.eachPersonsTree(ctx, func(t gitops.Worktree) error {
		entries, err := w.Repo.HeadEntries(t.Path)
		if errors.Is(err, gitops.ErrNotRepository) {
			return nil // it is being removed
		}
		for _, e := range entries {
			from := []string{e.From}
			if strings.HasPrefix(e.Why, "checkout: ") {
				from = nil
			}
			out[e.To] = append(out[e.To], from...)
		}
		return err
	})
	return out, err
}

// eachPersonsTree calls do with each worktree that chant has not created: not with those of runs and checks, and not
// with those that an earlier version has kept, whose reflogs name the commits of runs and checks that had them before.
func (w Watch) eachPersonsTree(ctx context.Context, do func(gitops.Worktree) error) error {
	trees, err := w.Repo.Worktrees(ctx)
	for _, t := range trees {
		if t.Main || !strings.HasPrefix(t.Branch, w.Store.Branch("")) && !madeByChant(w.Repo, t) {
			err = errors.Join(err, do(t))
		}
	}
	return err
}

// madeByChant reports whether git's folder of a worktree is one that chant has created, wherever its files say that the
// worktree is: an agent can write to the folder of its own.
func madeByChant(repo *gitops.Repo, t gitops.Worktree) bool {
	admin, err := repo.GitDir(t.Path)
	return err == nil && len(repo.RunsOf(filepath.Base(admin))) > 0
}
