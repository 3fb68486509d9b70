package run

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"chant/engine/evidence/criteria"
	"chant/engine/run/attempt"
	"chant/engine/run/guard"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
)

// complete commits the final front matter on the branch, and its evidence as a note on that commit.
func (r *Run) complete(ctx context.Context) (string, error) {
	tip, err := r.Repo.Resolve(ctx, "refs/heads/"+r.Job.Branch)
	if err != nil {
		return "", err
	}
	if done, err := r.isCompletedAt(ctx, tip); err != nil || done {
		return r.Commit, err
	}
	commits, err := r.AgentCommits(ctx, tip)
	if err != nil {
		return "", err
	}
	// The approval becomes part of the complete commit, so it is settled before the commit and vouched for after.
	approval, err := r.Guard.SettleApproval(ctx)
	if err != nil {
		return "", err
	}
	decisions, err := guard.Decisions(ctx, r.Guard)
	if err != nil {
		return "", err
	}
	out, err := r.Store.Transition(ctx, store.Change{
		ID: r.Job.ID, Event: spec.Complete, Attempt: r.Job.Attempt, Force: attempt.UnderWay(), More: decisions,
		Edits: r.FinalFields(r.Judge.Report, commits),
		Edit:  chainEdits(r.FinalAt(ctx, r.Judge.Report, tip), guard.SetApproval(approval)),
	})
	if err == nil {
		err = r.Guard.VouchApproval(approval)
	}
	if err != nil {
		return "", err
	}
	// Nothing is committed in silent mode, or where the file is complete already.
	r.Commit = cmp.Or(out.Commit, tip)
	r.Judge.Completed(r.Commit)
	return r.Commit, r.Judge.Note(ctx, r.Commit)
}

// isCompletedAt reports whether the tip is the complete commit of this attempt, made by a process that was killed
// before it landed. Its evidence becomes that of this process.
func (r *Run) isCompletedAt(ctx context.Context, tip string) (bool, error) {
	own, err := r.OwnSpec(ctx)
	// The status alone can be the agent's: only the commit that the journal names counts.
	if err != nil || own.Status != spec.Completed || r.Job.Silent || r.LastComplete() != tip {
		return false, err
	}
	r.Commit = tip
	return true, r.Judge.Note(ctx, tip)
}

// chainEdits applies one change of a document after the other.
func chainEdits(first, second func(*markdown.Document) (*markdown.Document, error)) func(*markdown.Document) (*markdown.Document, error) {
	return func(doc *markdown.Document) (*markdown.Document, error) {
		doc, err := first(doc)
		if err != nil {
			return nil, err
		}
		return second(doc)
	}
}

// Final makes the further changes of a spec that completes, and sets the boxes of criteria with commands by their
// results.
func (r *Run) Final(doc *markdown.Document, report criteria.Report) (*markdown.Document, error) {
	if r.ExtraEdit != nil {
		var err error
		if doc, err = r.ExtraEdit(doc); err != nil {
			return nil, err
		}
	}
	return spec.Check(r.appendOutput(doc), criteria.Boxes(report.Criteria))
}

// outputHeading is the heading of what agents have said at the end of their runs. It does not belong to the content of the spec.
const outputHeading = "Agent Output"

// maxOutput is how much of it is kept, in bytes, as the older chant has it. The log has all.
const maxOutput = 5000

// appendOutput appends to the document what the agent has said at the end, where the settings ask for it: the time, and
// the text in a code block, without what is too long.
func (r *Run) appendOutput(doc *markdown.Document) *markdown.Document {
	if !r.Settings.AppendOutput || r.Launcher.Agent == nil || strings.TrimSpace(r.Launcher.Agent.Text) == "" {
		return doc
	}
	// Secrets go before the cut, which could leave the half of one that nothing recognises.
	said := strings.TrimSpace(strings.ToValidUTF8(r.Secrets.Text(r.Launcher.Agent.Text), "\uFFFD"))
	cut := ""
	if len(said) > maxOutput {
		whole := len(said)
		said = strings.ToValidUTF8(said[:maxOutput], "")
		cut = fmt.Sprintf("\n... (%d of %d bytes; the log has all)", len(said), whole)
	}
	fence := "```"
	// A fence in the text would end the block, and what follows would be read as part of the spec.
	for strings.Contains(said, fence) {
		fence += "`"
	}
	text := fmt.Sprintf("%s\n\n%s\n%s%s\n%s\n", r.Now().UTC().Format(time.RFC3339), fence, said, cut, fence)
	return doc.AppendToSection(outputHeading, []byte(text))
}

// FinalFields returns the front matter of a spec that is completed by a report, with the commits of the work.
func (r *Run) FinalFields(report criteria.Report, commits []string) []markdown.Edit {
	shorts := make([]string, len(commits))
	for i, c := range commits {
		shorts[i] = attempt.Short(c)
	}
	now := r.Now().UTC().Format(time.RFC3339)
	edits := append(spec.ClearReason(), markdown.Set("completed_at", now), markdown.Unset(retryKey))
	if len(shorts) > 0 {
		edits = append(edits, markdown.Set("commits", shorts))
	}
	if r.Launcher.Agent != nil && r.Launcher.Agent.Model != "" {
		edits = append(edits, markdown.Set("model", r.Launcher.Agent.Model))
	}
	return append(edits, summary(report)...)
}

// summary returns the keys of front matter that sum up a report.
func summary(report criteria.Report) []markdown.Edit {
	return attempt.Summary(report.At, criteria.Sum(report.Criteria), criteria.Failures(report.Criteria))
}
