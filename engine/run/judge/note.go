package judge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"chant/engine/evidence/attest"
	"chant/engine/evidence/criteria"
	"chant/engine/evidence/journal"
	"chant/engine/evidence/keyfile"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/engine/store/touched"
)

// Note stores the evidence as a git note on the commit that it is about, signed if this machine has a key.
func (j *Judge) Note(ctx context.Context, commit string) error {
	if j.History.Trusted == nil { // as of a driver, which is judged by its own file
		return j.NoteOf(ctx, j.Report, commit, journal.Trusted{}, nil)
	}
	start, err := j.Trusted(ctx)
	if err != nil {
		return err
	}
	report := j.Report
	if report.Programs, err = j.programs(ctx); err != nil {
		return err
	}
	return j.NoteOf(ctx, report, commit, *j.History.Trusted, start)
}

// programs lists the files that the run's branch changes and that other programs run or trust.
func (j *Judge) programs(ctx context.Context) ([]string, error) {
	base, err := j.Base(ctx)
	if err != nil {
		return nil, err
	}
	return touched.Commits{Repo: j.Repo, Store: j.Store}.Programs(ctx, base, "refs/heads/"+j.Job.Branch)
}

// NoteOf stores the evidence of a spec as a git note on a commit. from says where the criteria that count are, and start
// is the spec that has them, nil for those of the commit.
func (j *Judge) NoteOf(ctx context.Context, report criteria.Report, commit string, from journal.Trusted, start *spec.File) error {
	at, err := j.Repo.ReadCommit(ctx, commit)
	if err != nil {
		return err
	}
	about := criteria.Circumstances{
		Commit: at.Hash, Tree: at.Tree, Start: from.Commit, SpecPath: store.SpecPath(report.SpecID),
		Git: j.Repo.GitVersion(), Chant: j.Version, Outside: j.Outside,
	}
	if state := j.Sandbox().State(); state.InForce {
		about.Sandbox, about.Network = state.By, state.Network
	}
	if about.Sandbox != "" {
		about.Caches = string(j.Sandbox().Settings.Caches)
	}
	if start != nil {
		sum := sha256.Sum256(start.Doc.Bytes())
		about.SpecHash = hex.EncodeToString(sum[:])
	}
	text, err := report.Attest(ctx, about, j.signer())
	if err != nil {
		return err
	}
	return j.Repo.AddNote(ctx, attempt.NotesRef, at.Hash, text)
}

// signer returns what signs with this machine's key, nil without a key. It reports a key that cannot sign: the evidence
// then is unsigned, which every check of it shows.
func (j *Judge) signer() attest.Signer {
	own, err := keyfile.Load(j.Environ)
	if own == nil && err == nil {
		return nil
	}
	if err == nil {
		var s attest.Signer
		if s, err = own.Signer(); err == nil {
			return s
		}
	}
	j.Announce(journal.Complete, "warning", "the evidence is UNSIGNED: %s", err)
	return nil
}
