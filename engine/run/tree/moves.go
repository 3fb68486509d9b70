package tree

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"chant/engine/evidence/attest"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/disk"
	"chant/engine/store/message"
	"chant/engine/store/touched"
	"chant/gitops"
)

// This file finds which refs were moved while an agent worked or criteria ran, and by whom as far as that can be
// known: by chant, by people, or by neither.
//
// It moves nothing back and names no culprit: a person's git and an agent's git write the same.
//
// Rules:
//
//   - What chant does is known by more than its messages, which anyone can write: a landing is in the journal of its
//     spec, and a commit that keeps books changes only the file of its spec.
//   - A commit in the reflog of a checkout that chant has not created is a person's, also if an agent may have made
//     it there. A commit on a remote-tracking branch came from there.
//   - Each run guards its own branch. That of another run is looked at only while no process is at work on that run.
//
// Decisions:
//
// 2026-11-26: the agents of all runs can write to the folder of their branches, so a commit on the branch of a run whose
// process has ended counts only if the journal of that run, the reflog of a checkout of that branch, or a remote knows
// it: no agent can write to the reflog of a checkout that is not its own. Work does not continue on others, and no edit
// is taken from them. Rejected: moving the branch back, since a person may have moved it with "git branch -f"; believing
// its own reflog, which lies beside it; and asking who committed, which anyone can write.
//
// 2026-11-26: git's folder of a worktree whose name is one that chant gives is not a person's checkout, wherever it says
// that its worktree is: an agent can write to that of its own.
//
// 2026-11-26: commits on the target that neither chant nor a fetch brought stop the landing only if the checkout that
// has the target checked out knows nothing of them: its reflog has an entry for every commit, merge, pull, rebase,
// reset and push that a person makes there, and an agent that moves the branch from elsewhere leaves none. All others
// are reported with the rules that they change, such as protected files, and CI reports those again. Rejected:
// stopping for every such commit, or for those that change rules, since people commit to their branch while runs
// work; the time or the committer of a commit, and variables in the agent's environment, since the agent can choose
// them; and the text of reflogs for more than saying that a checkout was switched, since anyone can write it.
//
// 2026-11-26: evidence that was removed, or replaced by something else, stops the landing. Rejected: a warning, since
// no command of chant and no ordinary command of git does that, and evidence that is gone cannot be asked for later.
// Other evidence with a seal is only reported: a process that resumes a killed run judges again and writes that.

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

// maxListedRefs is up to how many refs of one folder, such as refs/tags, a journal holds one by one.
const maxListedRefs = 100

// ForJournal returns the reading for a journal: every ref, and instead of the refs of a folder that has many a digest.
func (w Watch) ForJournal(r Reading) (refs, heads map[string]string) {
	return w.foldRefs(r.refs.Refs), r.refs.Heads
}

// foldRefs replaces the refs of large folders by one digest under the name of the folder, except for the target. Branches
// of runs are left out.
func (w Watch) foldRefs(all map[string]string) map[string]string {
	runs, target := w.Store.Branch(""), heads+w.Job.Target
	folders := map[string][]string{}
	for name := range all {
		// Every agent moves branches of runs, and other checks watch them.
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
		// A journal with thousands of tags in each attempt would be read by every command.
		if len(names) <= maxListedRefs {
			for _, name := range names {
				out[name] = all[name]
			}
			continue
		}
		// Maps have no order, and the digest has to be the same for the same refs.
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
	was, is := &gitops.RefSnapshot{Refs: refs, Heads: heads}, &gitops.RefSnapshot{Refs: w.foldRefs(now.refs.Refs), Heads: now.refs.Heads}
	return w.findMoved(ctx, was, is)
}

// FindMoved finds what was moved between two readings.
func (w Watch) FindMoved(ctx context.Context, was, now Reading) (Found, error) {
	return w.findMoved(ctx, was.refs, now.refs)
}

func (w Watch) findMoved(ctx context.Context, was, now *gitops.RefSnapshot) (out Found, err error) {
	moves := slices.DeleteFunc(was.Moves(now), func(m gitops.RefMove) bool { return w.isGuardedElsewhere(m.Name) })
	var people byPeople
	// Reading reflogs costs more than the comparison, and usually nothing has moved.
	if len(moves) > 0 {
		if people, err = w.commitsByPeople(ctx); err != nil {
			return out, err
		}
	}
	fetched := map[string]int{}
	for _, m := range moves {
		switch {
		case m.Name == attempt.NotesRef:
			err = w.reportEvidence(ctx, m, &out)
		case m.Name == heads+w.Job.Target:
			err = w.reportTarget(ctx, m, people, &out)
		case strings.HasPrefix(m.Name, heads+w.Store.Branch("")):
			err = w.reportOtherRun(ctx, m, &out)
		case strings.HasPrefix(m.Name, remotes):
			remote, _, _ := strings.Cut(strings.TrimPrefix(m.Name, remotes), "/")
			// Chant itself fetches from this remote.
			if remote != w.Settings.Fetches {
				fetched[remote]++
			}
		default:
			err = w.reportOther(ctx, m, people, &out)
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
	if err := w.reportSwitched(ctx, was.Heads, now.Heads, &out); err != nil {
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
	return strings.HasPrefix(name, "refs/chant/") && !strings.HasPrefix(name, RescueRefs)
}

// reportOther reports a branch, a tag, a stash or any other ref, unless a person has checked out or made what it holds now,
// or chant has landed it there.
func (w Watch) reportOther(ctx context.Context, m gitops.RefMove, people byPeople, out *Found) error {
	name := describeRef(m.Name)
	switch {
	case strings.HasPrefix(m.Name, RescueRefs):
		// New rescue refs are chant's; only one that is lost or moved loses work.
		if m.To == "" || m.From != "" {
			out.Seen = append(out.Seen, fmt.Sprintf("%s, which kept removed work, was %s", m.Name, describeMove(m)))
		}
	case strings.HasSuffix(m.Name, "/"):
		out.Seen = append(out.Seen, name+" was changed")
	// A person has had this commit checked out, so the move is theirs.
	case people.has(m.To):
	case m.From == "":
		out.Seen = append(out.Seen, name+" was added")
	case m.To == "":
		out.Seen = append(out.Seen, name+" was removed from "+attempt.Short(m.From))
	default:
		// Landings of other runs move a branch without a checkout.
		landed, err := w.landedOnly(ctx, m.From, m.To)
		if err != nil || landed {
			return err
		}
		out.Seen = append(out.Seen, name+" was moved from "+attempt.Short(m.From))
	}
	return nil
}

func describeMove(m gitops.RefMove) string {
	if m.To == "" {
		return "removed from " + attempt.Short(m.From)
	}
	return "moved from " + attempt.Short(m.From)
}

// describeRef returns a ref in words: `branch "release"`.
func describeRef(ref string) string {
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
			// A tag may name an object that is not a commit.
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if _, event := message.SpecAndEvent(c); event == "" || len(c.Parents) == 0 {
			return false, nil
		}
		tip = c.Parents[0]
	}
	return true, nil
}

// reportSwitched reports checkouts of people that have another branch checked out, which no switch has led to.
func (w Watch) reportSwitched(ctx context.Context, was, now map[string]string, out *Found) error {
	return w.eachPersonsTree(ctx, func(t gitops.Worktree) error {
		name := ""
		if !t.Main {
			admin, err := w.Repo.GitDir(t.Path)
			if err != nil {
				// It is being removed.
				return nil
			}
			name = filepath.Base(admin)
		}
		before, known := was[name]
		branch, onBranch := strings.CutPrefix(now[name], "ref: "+heads)
		// A detached HEAD says nothing about a branch.
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

// commitsByPeople reads the reflogs of the checkouts that chant has not created. Without a reflog, a person's work leaves no
// trace.
func (w Watch) commitsByPeople(ctx context.Context) (byPeople, error) {
	out := byPeople{}
	err := w.eachPersonsTree(ctx, func(t gitops.Worktree) error {
		entries, err := w.Repo.HeadEntries(t.Path)
		if errors.Is(err, gitops.ErrNotRepository) {
			// It is being removed.
			return nil
		}
		for _, e := range entries {
			from := []string{e.From}
			// A switch makes no commit, so it does not explain how one came to a branch.
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
		// Reflogs of runs and checks are written by agents and criteria.
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

// Stray is a commit on the branch of a run that neither the journal of the run nor a checkout knows, although no agent of
// the run was working: the agents of other runs can write to the folder of such branches, but not to the reflog of a
// checkout that is not their own.
type Stray struct {
	gitops.Commit
	Since     string // what the branch held when its last attempt ended
	Rewritten bool   // the branch no longer contains that
}

// FindStray finds the oldest stray commit that the branch of a run has received since its last attempt ended; nil if there
// is none, or if the journal does not say what the branch held.
func FindStray(ctx context.Context, a *attempt.Attempt) (*Stray, error) {
	last := a.Journal.History().Last()
	// Without the tip at the end of the attempt there is nothing to compare with.
	if last == nil || last.Gone || last.Tip == "" {
		return nil, nil
	}
	tip, err := a.Repo.Resolve(ctx, "refs/heads/"+a.Job.Branch)
	if errors.Is(err, gitops.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return strayBetween(ctx, a, last.Tip, tip, Watch{Attempt: a}.madeByChant)
}

// StrayBetween is FindStray from one commit of the branch to another, for a decision about what a person has edited: it
// believes no commit that says that it is chant's, also if that requires no less of the spec.
func StrayBetween(ctx context.Context, a *attempt.Attempt, since, tip string) (*Stray, error) {
	return strayBetween(ctx, a, since, tip, func(context.Context, gitops.Commit) (bool, error) { return false, nil })
}

func strayBetween(ctx context.Context, a *attempt.Attempt, since, tip string, ours func(context.Context, gitops.Commit) (bool, error)) (*Stray, error) {
	if since == tip {
		return nil, nil
	}
	known, err := knownCommits(ctx, a)
	// One step of a checkout led from one to the other, so all between came with it, also after a rewrite.
	if err != nil || known.has(tip) && slices.Contains(known[tip], since) {
		return nil, err
	}
	grown, err := a.Repo.IsAncestor(ctx, since, tip)
	if err != nil && !errors.Is(err, gitops.ErrNotFound) {
		return nil, err
	}
	if !grown {
		// It was rewritten in a checkout.
		if known.has(tip) {
			return nil, nil
		}
		c, err := a.Repo.ReadCommit(ctx, tip)
		return &Stray{Commit: c, Since: since, Rewritten: true}, err
	}
	return known.stray(ctx, a.Repo, since, tip, ours)
}

// stray returns the oldest commit on the first-parent line that is neither known nor on a remote-tracking branch.
func (p byPeople) stray(ctx context.Context, repo *gitops.Repo, since, tip string, ours func(context.Context, gitops.Commit) (bool, error)) (found *Stray, err error) {
	var local, explained []string
	for at := tip; at != since; {
		c, err := repo.ReadCommit(ctx, at)
		if err != nil {
			return nil, err
		}
		// An entry explains its commit and those back to where it came from: a merge brings many at once.
		explained = slices.DeleteFunc(append(explained, p[at]...), func(from string) bool { return from == at })
		if !p.has(at) && len(explained) == 0 {
			// Only when a commit is in doubt: asking git takes as long as all the rest.
			if local == nil {
				if local, err = repo.NotOnRemotes(ctx, since, tip); err != nil {
					return nil, err
				}
			}
			made, err := ours(ctx, c)
			if err != nil {
				return nil, err
			}
			if !made && slices.Contains(local, at) {
				found = &Stray{Commit: c, Since: since}
			}
		}
		// A root commit ends the line when since is not on it.
		if len(c.Parents) == 0 {
			break
		}
		at = c.Parents[0]
	}
	return found, nil
}

// knownCommits returns the commits of a run that its journal names, or that were made or checked out in its worktree or in a
// person's checkout.
func knownCommits(ctx context.Context, a *attempt.Attempt) (byPeople, error) {
	known, err := Watch{Attempt: a}.commitsByPeople(ctx)
	if err != nil {
		return nil, err
	}
	for _, commit := range a.Journal.History().Edits {
		known[commit] = nil
	}
	if t := a.Journal.History().Trusted; t != nil && t.Commit != "" {
		known[t.Commit] = nil
	}
	for _, one := range a.Journal.History().Attempts {
		for _, commit := range slices.Concat(one.Carried, []string{one.Tip, one.Collected, one.Commit, one.CaughtTo}) {
			if commit != "" {
				known[commit] = nil
			}
		}
	}
	own, err := a.TreePath(a.Job.ID)
	if err != nil {
		return nil, err
	}
	trees, err := a.Repo.Worktrees(ctx)
	for _, t := range trees {
		// The run's own worktree counts too, since what its agent commits there is the run's.
		if t.Path == disk.RealPath(own) || t.Branch == a.Job.Branch && !madeByChant(a.Repo, t) {
			err = errors.Join(err, known.add(a.Repo, t.Path))
		}
	}
	return known, err
}

// add adds the commits that a checkout has had checked out.
func (p byPeople) add(repo *gitops.Repo, dir string) error {
	entries, err := repo.HeadEntries(dir)
	if errors.Is(err, gitops.ErrNotRepository) {
		// It is being removed.
		return nil
	}
	for _, e := range entries {
		p[e.To] = append(p[e.To], e.From)
	}
	return err
}

// Describe says what came to a branch.
func (s *Stray) Describe(branch string) string {
	if s.Rewritten {
		return fmt.Sprintf("branch %q was moved from %s to %s since its last attempt, in no checkout of it", branch, attempt.Short(s.Since), attempt.Short(s.Hash))
	}
	return fmt.Sprintf("branch %q received commit %s (%s) since its last attempt, which was made in no checkout of it", branch, attempt.Short(s.Hash), firstLine(s.Message))
}

// Explain describes a stray commit, and what puts the branch back: the commit stays in the repository for some weeks.
func (s *Stray) Explain(ctx context.Context, a *attempt.Attempt) (why string, way next.Step) {
	why = s.Describe(a.Job.Branch) + "; put the branch back, or have finalize check what is there"
	// "git branch -f" refuses a branch that is checked out.
	if tree, err := a.TreePath(a.Job.ID); err == nil && a.Whole(tree) {
		return why, next.Shell("git -C %q reset --hard %s", tree, attempt.Short(s.Since))
	}
	return why, next.Shell("git branch -f %s %s", a.Job.Branch, attempt.Short(s.Since))
}

// reportOtherRun reports the branch of another run that was moved or removed while no process was at work on that run, unless
// its journal, a checkout or a remote explains that.
func (w Watch) reportOtherRun(ctx context.Context, m gitops.RefMove, out *Found) error {
	id := strings.TrimPrefix(m.Name, heads+w.Store.Branch(""))
	h, err := journal.ReadHistory(w.Store, id)
	if err != nil {
		return nil //nolint:nilerr // no spec has such an id: it is a person's branch
	}
	last := h.Last()
	// While an attempt is open, its own process watches the branch.
	if last == nil || last.Gone || h.Open() != nil || m.From == "" {
		return nil
	}
	branch := strings.TrimPrefix(m.Name, heads)
	if m.To == "" {
		out.Seen = append(out.Seen, fmt.Sprintf("branch %q of another run was removed; its last commit was %s", branch, attempt.Short(m.From)))
		return nil
	}
	other := w.ForJob(journal.Job{ID: id, Branch: branch}, h)
	stray, err := strayBetween(ctx, other, m.From, m.To, Watch{Attempt: other}.madeByChant)
	if errors.Is(err, gitops.ErrNotFound) {
		out.Seen = append(out.Seen, fmt.Sprintf("branch %q of another run was moved to %s, which cannot be read", branch, attempt.Short(m.To)))
		return nil
	}
	if err == nil && stray != nil {
		out.Seen = append(out.Seen, stray.Describe(branch)+"; it is the branch of another run, which will not continue from there")
	}
	return err
}

// reportTarget finds what came to the target that neither chant nor a fetch brought.
func (w Watch) reportTarget(ctx context.Context, m gitops.RefMove, people byPeople, out *Found) error {
	if m.From == "" || m.To == "" || strings.HasPrefix(m.To, "ref:") || strings.HasPrefix(m.From, "ref:") {
		// The landing finds that the target is gone, and other checks that it leads elsewhere.
		return nil
	}
	name := fmt.Sprintf("branch %q", w.Job.Target)
	logged, last, err := w.hasLog(ctx)
	if err != nil {
		return err
	}
	grown, err := w.Repo.IsAncestor(ctx, m.From, m.To)
	if errors.Is(err, gitops.ErrNotFound) {
		// Nothing lands on a target that is not a commit.
		return nil
	}
	if err != nil {
		return err
	}
	if !grown {
		// Without a reflog, a person's reset leaves no trace, and stopping would blame the agent for it.
		if (logged || w.Strict) && last != m.To {
			out.Stops = append(out.Stops, fmt.Sprintf("%s was rewound or rewritten: it "+attempt.Rewound+" %s, and no command in its checkout did that", name, attempt.Short(m.From)))
		}
		return nil
	}
	strange, decided, err := w.foreignCommits(ctx, m, people)
	if err != nil {
		return err
	}
	out.Seen = append(out.Seen, decided...)
	for _, c := range strange {
		what := fmt.Sprintf("%s received commit %s (%s)", name, attempt.Short(c.Hash), firstLine(c.Message))
		// Only a checkout with a reflog makes the missing entry a proof.
		if c.untraced && (logged || w.Strict) {
			out.Stops = append(out.Stops, what+", which was not made in the checkout of that branch")
			continue
		}
		rules, err := w.rules(ctx, c)
		if err != nil {
			return err
		}
		if len(rules) > 0 || c.untraced {
			out.Seen = append(out.Seen, strings.Join(append([]string{what}, attempt.ClipList(rules)...), "; "))
		}
	}
	return nil
}

// foreignCommit is a commit on the first-parent line of the target that chant has not made.
type foreignCommit struct {
	gitops.Commit
	untraced bool // no reflog of a person's checkout explains it
}

// foreignCommits returns the commits on the first-parent line of the target that neither chant has made nor a fetch has
// brought, newest first, and the decisions about specs that chant has committed there.
func (w Watch) foreignCommits(ctx context.Context, m gitops.RefMove, people byPeople) (out []foreignCommit, decided []string, err error) {
	local, err := w.Repo.NotOnRemotes(ctx, m.From, m.To)
	if err != nil {
		return nil, nil, err
	}
	// An entry explains the commits from where it came to where it led: a merge or a pull brings many at once.
	var explained []string
	for tip := m.To; slices.Contains(local, tip); {
		c, err := w.Repo.ReadCommit(ctx, tip)
		if err != nil {
			return nil, nil, err
		}
		ours, err := w.madeByChant(ctx, c)
		if err != nil {
			return nil, nil, err
		}
		// A decision in a commit of chant's can be asked for by an agent, so a person gets to see it.
		if id, event := message.SpecAndEvent(c); ours && isDecision(event) {
			decided = append(decided, fmt.Sprintf("spec %q was decided about on branch %q: %s, in commit %s", id, w.Job.Target, event, attempt.Short(tip)))
		}
		explained = slices.DeleteFunc(append(explained, people[tip]...), func(from string) bool { return from == tip })
		if !ours {
			out = append(out, foreignCommit{c, len(explained) == 0})
		}
		if len(c.Parents) == 0 {
			break
		}
		tip = c.Parents[0]
	}
	return out, decided, nil
}

// isDecision reports whether an event is a decision of a person about a spec, outside of its run.
func isDecision(event string) bool {
	return slices.Contains([]string{attempt.ApproveWord, attempt.RejectWord, attempt.ReviewWord, attempt.UndoWord, string(spec.Complete), string(spec.Cancel)}, event)
}

// madeByChant reports whether a commit is a landing that the journal of its spec has, or changes nothing but the
// files of specs and says so. What such a commit changes in a spec is checked like that of any other commit.
func (w Watch) madeByChant(ctx context.Context, c gitops.Commit) (bool, error) {
	id, event := message.SpecAndEvent(c)
	if event == "" || len(c.Parents) == 0 {
		return false, nil
	}
	// A message proves nothing: the journal must have the landing.
	if event == attempt.LandWord {
		for _, files := range w.Store.EachProject() {
			h, err := journal.ReadHistory(files, id)
			// With an error, no spec has such an id.
			if err == nil && slices.ContainsFunc(h.Attempts, func(a *journal.Attempt) bool { return a.Landing == c.Hash }) {
				return true, nil
			}
		}
		return false, nil
	}
	diff, err := w.Repo.Diff(ctx, c.Parents[0], c.Hash)
	if err != nil {
		return false, err
	}
	for _, ch := range diff {
		// Those of another project of the repository are chant's as well.
		own := touched.InProject(ch.Path)
		_, active := store.SpecOf(own)
		_, archived := store.ArchivedOf(own)
		// A commit that says it is chant's and touches code is not.
		if !active && !archived && touched.KindOf(own, nil) != "" || !strings.HasPrefix(own, store.Dir+"/") {
			return false, nil
		}
	}
	// Such a commit may loosen criteria, which chant's own never does.
	rules, err := w.rules(ctx, foreignCommit{Commit: c})
	return len(rules) == 0, err
}

// rules describes what a commit changes of what decides how work is made and judged.
func (w Watch) rules(ctx context.Context, c foreignCommit) ([]string, error) {
	if len(c.Parents) == 0 {
		return nil, nil
	}
	protect := w.Settings.Verify.Protect
	if start, err := w.Trusted(ctx); err == nil {
		protect = slices.Concat(protect, start.Checks().Protect)
	}
	things, err := touched.Commits{Repo: w.Repo, Store: w.Store}.Changes(ctx, c.Parents[0], c.Hash, touched.Rules{Protect: protect})
	var out []string
	for _, t := range things {
		// A changed program decides nothing about later work.
		if t.Kind != touched.Program {
			out = append(out, t.String())
		}
	}
	return out, err
}

// hasLog reports whether a checkout that chant has not created has the target checked out and keeps a reflog, and the
// newest commit in that: git adds to a reflog that is there, also if the settings
// turn them off.
func (w Watch) hasLog(ctx context.Context) (found bool, last string, err error) {
	err = w.eachPersonsTree(ctx, func(t gitops.Worktree) error {
		if t.Branch != w.Job.Target {
			return nil
		}
		// Otherwise it keeps none.
		if at, err := w.Repo.LastHead(t.Path); err == nil {
			found, last = true, at
		}
		return nil
	})
	return found, last, err
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// reportEvidence finds evidence of other specs that was removed or replaced. A process that resumes another run writes the
// evidence of its commit again.
func (w Watch) reportEvidence(ctx context.Context, m gitops.RefMove, out *Found) error {
	// The first note ever removes nothing.
	if m.From == "" {
		return nil
	}
	if m.To == "" {
		out.Stops = append(out.Stops, "all evidence was removed: "+attempt.NotesRef+" is gone")
		return nil
	}
	// Notes are not below the folder of a project.
	diff, err := w.Repo.Whole().Diff(ctx, m.From, m.To)
	if err != nil {
		out.Stops = append(out.Stops, fmt.Sprintf("the evidence in %s was replaced by something that cannot be read", attempt.NotesRef))
		return nil
	}
	// Git moves notes to other folders as they grow in number, which looks like a removal and an addition.
	added := map[string]bool{}
	for _, ch := range diff {
		added[commitOfNote(ch.Path)] = added[commitOfNote(ch.Path)] || ch.Status != 'D'
	}
	for _, ch := range diff {
		if ch.Status == 'A' || ch.Status == 'D' && added[commitOfNote(ch.Path)] {
			continue
		}
		how, sealed, err := w.describeLostNote(ctx, m, ch)
		switch {
		case err != nil:
			return err
		case sealed:
			out.Seen = append(out.Seen, how)
		case how != "":
			out.Stops = append(out.Stops, how)
		}
	}
	return nil
}

// commitOfNote returns the commit that a note is about.
func commitOfNote(path string) string { return strings.ReplaceAll(path, "/", "") }

// describeLostNote describes what became of a note, "" if it still says what it said or is about the run's own spec. sealed
// reports that the note in its place is evidence of the same spec with its seal, as a process leaves that resumes
// another run and judges again.
func (w Watch) describeLostNote(ctx context.Context, m gitops.RefMove, ch gitops.Change) (how string, sealed bool, err error) {
	src, err := w.Repo.Whole().ReadFile(ctx, m.From, ch.Path)
	if err != nil {
		return "", false, err
	}
	was, err := criteria.ReadNote(src)
	if err != nil && was.SpecID == "" || was.SpecID == w.Job.ID {
		// It is no evidence, or that of this run, which the landing compares.
		return "", false, nil
	}
	what := fmt.Sprintf("the evidence of spec %q at commit %s was ", was.SpecID, attempt.Short(commitOfNote(ch.Path)))
	if ch.Status == 'D' {
		return what + "removed", false, nil
	}
	src, err = w.Repo.Whole().ReadFile(ctx, m.To, ch.Path)
	if err != nil {
		return "", false, err
	}
	now, err := criteria.ReadNote(src)
	sealed = err == nil && now.SpecID == was.SpecID
	same := now.Tree == was.Tree && now.Commit == was.Commit && now.Verified == was.Verified
	// Times in a note change whenever a process judges again; result and key are what counts.
	if sealed && same && signature(ctx, now, commitOfNote(ch.Path)) == signature(ctx, was, commitOfNote(ch.Path)) {
		return "", false, nil
	}
	return what + "replaced", sealed, nil
}

// signature says by which key a note about a commit is signed.
func signature(ctx context.Context, n criteria.Note, commit string) attest.Signature {
	if n.Attestation == nil {
		return attest.Signature{State: attest.Unsigned}
	}
	return n.Attestation.Check(ctx, commit, "", nil)
}
