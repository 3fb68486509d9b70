package verify

import (
	"context"
	"errors"
	"fmt"

	"chant/engine"
	"chant/engine/run"
	"chant/engine/spec"
	"chant/engine/spec/fileset"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/store/message"
	"chant/gitops"
	"chant/markdown"
)

// The states of a completed spec.
const (
	Same          = "same"     // its files have not changed since completion or landing
	Drifted       = "drifted"  // some of its files have changed
	StateReworded = "reworded" // its files are the same, but the spec has changed since its evidence was recorded
	Unknown       = "unknown"  // their content at completion is not known
)

// drifter compares specs with the tree of one commit. It keeps what it has read for the next spec.
type drifter struct {
	p  *engine.Project
	at string // revision

	now      fileset.Tree
	landings map[string]string       // ids to the commits that landed or completed them
	trees    map[string]fileset.Tree // by commit
}

// NewDrifter returns a drifter that compares completed specs with the tree of a revision.
func NewDrifter(p *engine.Project, at string) *drifter { return &drifter{p: p, at: at} }

// Compare compares one completed spec with the tree.
func (d *drifter) Compare(ctx context.Context, s *spec.Spec) (DriftedSpec, error) {
	out := DriftedSpec{ID: s.ID, Title: s.Title, Path: s.Path, State: Same}
	sources := s.Fields.DriftSources()
	if len(sources) == 0 {
		out.Why = "it names no tracks, origin, informed_by or target_files"
		if len(s.Fields.TargetFiles) > 0 {
			out.Why = "it names no tracks, origin or informed_by, and the content of its target_files at its completion was not recorded"
		}
		return out, nil
	}
	if d.now == nil {
		var err error
		if d.now, err = run.TreeAt(ctx, d.p.Repo, d.at); err != nil {
			return out, err
		}
	}
	now := d.now.Digests(s.ID, sources)
	// The recorded digests decide first: usually nothing has changed, and no commit has to be found.
	if out.Entries = fileset.DriftedEntries(s.Fields.Hashes, nil, now); len(out.Entries) == 0 {
		return out.withUnmatched(now), nil
	}
	since, why, err := d.completionCommit(ctx, s)
	if err != nil {
		return out, err
	}
	if since == "" {
		out.State, out.Why = Unknown, why
		return out, nil
	}
	then, err := d.tree(ctx, since)
	if err != nil {
		return out, err
	}
	// Entries without a recorded digest are compared with the tree of the landing.
	if out.Entries = fileset.DriftedEntries(s.Fields.Hashes, then.Digests(s.ID, sources), now); len(out.Entries) == 0 {
		return out.withUnmatched(now), nil
	}
	out.State, out.Since, out.Next = Drifted, since, next.Work.On(s.ID).Flag("replay").Because("files that it depends on have changed since it was completed")
	out.Files = fileset.Changes(s.ID, out.Entries, then, d.now)
	for _, entry := range out.Entries {
		out.Content += now.Find(entry) + " "
	}
	out.FilesTotal = len(out.Files)
	out.Files = out.Files[:min(len(out.Files), maxDriftFiles)]
	return out, nil
}

// maxDriftFiles is the largest number of files listed for one spec.
const maxDriftFiles = 20

// withUnmatched returns the result of a spec that has not drifted, with the entries that match no tracked file.
func (d DriftedSpec) withUnmatched(now fileset.Digests) DriftedSpec {
	for _, one := range now {
		if one.Sum == fileset.NoFiles {
			d.Unmatched = append(d.Unmatched, one.Entry)
		}
	}
	d.Entries = nil
	return d
}

// completionCommit returns the commit that landed the spec, found by its trailers in the history of the revision. Without such a
// commit, it returns the oldest one from which on the spec's file has its present completion. If neither exists, commit
// is "" and why describes the reason.
func (d *drifter) completionCommit(ctx context.Context, s *spec.Spec) (commit, why string, err error) {
	if d.landings == nil {
		if err := d.readLandings(ctx); err != nil {
			return "", "", err
		}
	}
	if commit := d.landings[s.ID]; commit != "" {
		return commit, "", nil
	}
	if commit, err = d.oldestCompletedCommit(ctx, s); commit != "" || err != nil {
		return commit, "", err
	}
	if d.p.Repo.Shallow() {
		return "", "the history of this clone is cut off before it was completed", nil
	}
	return "", fmt.Sprintf("no commit in the history of %q completes it", d.at), nil
}

// readLandings finds the newest landing of every spec.
func (d *drifter) readLandings(ctx context.Context) error {
	commits, err := d.p.Repo.Saying(ctx, d.at, "^Chant-Event: (land|complete)$")
	if err != nil {
		return err
	}
	d.landings = map[string]string{}
	for _, c := range commits {
		for _, r := range message.Records(c) {
			if d.landings[r.ID] == "" && (r.Event == "land" || r.Event == string(spec.Complete)) {
				d.landings[r.ID] = c.Hash
			}
		}
	}
	return nil
}

// oldestCompletedCommit returns the oldest commit from which on every version of the spec's file is completed with the same time
// of completion. It returns "" if there is none, or if the history of a shallow clone ends before the search does.
func (d *drifter) oldestCompletedCommit(ctx context.Context, s *spec.Spec) (string, error) {
	commits, err := d.p.Repo.Touching(ctx, d.at, store.Places(s.ID)...)
	if err != nil {
		return "", err
	}
	found := ""
	for _, c := range commits {
		there, err := d.p.Store.FindAt(ctx, c.Hash, s.ID)
		if _, unreadable := errors.AsType[*markdown.SyntaxError](err); unreadable || errors.Is(err, gitops.ErrNotFound) {
			break
		}
		if err != nil {
			return "", err
		}
		if there.Status != spec.Completed || there.Fields.CompletedAt != s.Fields.CompletedAt {
			break
		}
		// In a shallow clone the oldest commit may only be where the history was cut off.
		if len(c.Parents) == 0 && d.p.Repo.Shallow() {
			return "", nil
		}
		found = c.Hash
	}
	return found, nil
}

func (d *drifter) tree(ctx context.Context, commit string) (fileset.Tree, error) {
	if tree, known := d.trees[commit]; known {
		return tree, nil
	}
	tree, err := run.TreeAt(ctx, d.p.Repo, commit)
	if d.trees == nil {
		d.trees = map[string]fileset.Tree{}
	}
	// A listing of ten thousand files is a megabyte.
	if len(d.trees) < 16 {
		d.trees[commit] = tree
	}
	return tree, err
}

// DescribeFiles describes how each listed file has changed, for a message.
func (d DriftedSpec) DescribeFiles() []string {
	var out []string
	for _, f := range d.Files {
		out = append(out, f.Path+" was "+f.Change)
	}
	if more := d.FilesTotal - len(d.Files); more > 0 {
		out = append(out, fmt.Sprintf("%d more", more))
	}
	return out
}
