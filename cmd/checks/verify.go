package checks

import (
	"fmt"
	"io"
	"slices"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/evidence/criteria"
	"chant/engine/spec/next"
	"chant/engine/store/disk"
	"chant/engine/verify"
	"chant/text"

	"github.com/spf13/cobra"
)

// NewVerify returns the command "chant verify".
func NewVerify(a *console.App) *cobra.Command {
	var in verify.VerifyAllInput
	format, exitCode, attestation := "text", true, ""
	c := &cobra.Command{
		Use:   "verify [ID...]",
		Short: "Verify specs: run their criteria in clean worktrees",
		Long: `Run the criteria of specs in clean worktrees.

Each spec is checked on its run's branch if it has one, otherwise on the target branch;
with --changed at the end of the range, with --at in that commit. A completed spec moves to
needs_attention if a command that ran no longer passes; --no-write only reports.
Results are cached for each command and tree; --fresh runs every command again.

With --changed, a completion without evidence counts as forged. In a clone, fetch the
evidence first: git fetch origin refs/notes/chant:refs/notes/chant
It also reports changes of what runs are checked by, as "chant ci" does.

Exits with 9 if a check fails or a spec has nothing to verify.`,
		Example: `chant verify 001
chant verify --all --no-write --format junit > report.xml
chant verify --changed origin/main...HEAD --no-write
chant verify 001 --at 1a2b3c4
chant verify 001 --attestation evidence.json`,
		RunE: func(c *cobra.Command, args []string) error {
			in.IDs = args
			if err := checkFormat(a, "verify", format, "text", "json", "junit", "sarif", "markdown"); err != nil {
				return err
			}
			if attestation != "" && len(args) != 1 {
				return &engine.Error{Code: engine.Usage, Message: "--attestation goes with the id of one spec", Next: next.Verify.Help()}
			}
			p, err := a.Open()
			if err != nil {
				return err
			}
			// First, because verification may move the spec to needs_attention, in which it has no evidence.
			if attestation != "" {
				if err := writeAttestation(a, c, p, args[0], attestation); err != nil {
					return err
				}
			}
			result, err := verify.VerifyAll(c.Context(), p, in)
			if err != nil {
				return err
			}
			if err := showVerified(a, result, len(args) == 1, verifyWriter(format)); err != nil || !exitCode {
				return err
			}
			return unverified(result)
		},
	}
	f := c.Flags()
	f.BoolVar(&in.All, "all", false, "every completed spec")
	f.StringSliceVarP(&in.Labels, "label", "l", nil, "completed specs with one of these labels")
	f.StringVar(&in.Changed, "changed", "", "completed specs that a range changes, such as main..HEAD")
	f.StringVar(&in.At, "at", "", "in this commit, compared with its evidence")
	f.BoolVar(&in.NoWrite, "no-write", false, "only report, change no spec")
	f.BoolVar(&in.Fresh, "fresh", false, "run every command anew, whatever the cache has")
	f.BoolVar(&exitCode, "exit-code", true, "exit with 9 if a check fails")
	f.Var(console.AtLeast(1, &in.Repeat), "repeat", "run every command this often; one that also fails is flaky")
	f.StringVar(&in.Agent, "provider", "", "provider that judges criteria without a command")
	console.Renamed(c, "agent", "provider")
	f.StringVar(&attestation, "attestation", "", "first write the signed evidence to this file (DSSE)")
	f.StringVarP(&format, "format", "f", format, "one of text, json, junit, sarif, markdown")
	return c
}

// writeAttestation writes the signed evidence of a completed spec to a file.
func writeAttestation(a *console.App, c *cobra.Command, p *engine.Project, id, file string) error {
	found, err := verify.Attestation(c.Context(), p, verify.AttestationInput{ID: id})
	if err != nil {
		return err
	}
	if err := disk.Write(a.Below(file), found.Envelope, disk.Options{}); err != nil {
		return &engine.Error{Code: engine.Usage, Message: err.Error(), Next: next.Verify.Help(), Err: err}
	}
	return nil
}

// unverified returns the error for a spec that did not pass.
func unverified(r verify.VerifyAllResult) error {
	for _, one := range r.Specs {
		if one.Verified {
			continue
		}
		err := &engine.Error{Code: engine.Unverified, Next: next.Show.On(one.SpecID), Message: fmt.Sprintf("spec %q is not verified: %s", one.SpecID, one.Notes)}
		// The step of a single spec is better than one for all.
		switch n := r.Failed + r.Partial + r.Nothing + r.Invalid; {
		case one.Invalid != "" && n == 1:
			err.Next = next.Edit.On(one.SpecID)
		case one.NoEvidence:
			err.Next = next.Shell("git fetch origin refs/notes/chant:refs/notes/chant")
		case one.Flagged:
			err.Next = next.Diagnose.On(one.SpecID)
		case n > 1:
			err.Message = fmt.Sprintf("%d of %d specs are not verified; the first is %q: %s", n, len(r.Specs), one.SpecID, one.Notes)
		}
		return err
	}
	return nil
}

// renderVerifyAll prints the specs and what was left out.
func renderVerifyAll(w io.Writer, r verify.VerifyAllResult) {
	renderVerified(w, r)
	if n := len(r.Skipped); n > 0 {
		fmt.Fprintf(w, "%s completed before verify.since: not verified\n", console.Plural(n, "spec"))
	}
}

// renderVerified prints the specs, then what concerns all of them.
func renderVerified(w io.Writer, r verify.VerifyAllResult) {
	for _, one := range r.Specs {
		if len(r.Specs) > 1 {
			fmt.Fprintf(w, "%s\n", one.SpecID)
		}
		renderVerify(w, one)
	}
	renderNotices(w, r)
	switch {
	case len(r.Specs) > 1:
		fmt.Fprintf(w, "%d specs: %s\n", len(r.Specs), verifyCounts(r))
	case len(r.Specs) == 0:
		fmt.Fprintln(w, "no completed spec to verify")
	}
}

// renderBriefly prints a line for each spec that passed, and of the others what did not.
func renderBriefly(w io.Writer, r verify.VerifyAllResult) {
	for _, one := range r.Specs {
		switch {
		case one.Verified:
			fmt.Fprintf(w, "ok    %s: %d of %d criteria hold%s%s\n", one.SpecID, one.Criteria.Checked, one.Criteria.Total, markedText(one), signedText(one))
		case one.Status == criteria.Nothing && len(one.Forged) == 0:
			fmt.Fprintf(w, "      %s: %s\n", one.SpecID, one.Notes)
		default:
			fmt.Fprintf(w, "FAIL  %s\n", one.SpecID)
			one.Verdicts = slices.DeleteFunc(slices.Clone(one.Verdicts), func(v criteria.Verdict) bool { return v.Holds })
			renderVerify(w, one)
			continue
		}
		renderFindingsOf(w, one)
	}
	renderNotices(w, r)
}

// markedText says which criteria of a spec that passed are less certain than others.
func markedText(r verify.VerifyResult) string {
	flaky, judged := 0, 0
	for _, v := range r.Verdicts {
		switch {
		case v.Flaky:
			flaky++
		case v.How == criteria.ByAgent:
			judged++
		}
	}
	text := ""
	switch r.Verdict {
	case criteria.RegressionOnly:
		text = ", regression only"
	case criteria.NothingToVerify:
		text = ", nothing to verify: boxes are claims"
	}
	if flaky > 0 {
		text += fmt.Sprintf(", %d flaky", flaky)
	}
	if judged > 0 {
		text += fmt.Sprintf(", %d judged by an agent", judged)
	}
	return text
}

// renderFindingsOf prints what was found about a spec beside its criteria.
func renderFindingsOf(w io.Writer, r verify.VerifyResult) {
	for _, line := range r.WeakenedLines() {
		fmt.Fprintf(w, "WEAKENED %s\n", line)
	}
	if r.Strength != nil {
		fmt.Fprintf(w, "NOTE  strength of %s: %s\n", r.SpecID, r.Strength.Words())
	}
	if r.HeldOut != "" {
		fmt.Fprintf(w, "NOTE  %s\n", r.HeldOut)
	}
	for _, what := range r.Loosened {
		fmt.Fprintf(w, "NOTE  since it was completed: %s\n", what)
	}
	for _, one := range r.Reworded {
		fmt.Fprintf(w, "NOTE  since its evidence was recorded, %s\n", one)
	}
	if r.NotRenewed != "" {
		fmt.Fprintf(w, "NOTE  nothing is recorded for this wording: %s\n", r.NotRenewed)
	}
	if r.Renewed != "" {
		fmt.Fprintf(w, "recorded for this wording, beside commit %.7s\n", r.Renewed)
	}
	if r.Recorded != nil {
		fmt.Fprintf(w, "recorded %s: %s%s%s\n", text.LocalTime(r.Recorded.At), r.Recorded.StatusText(), console.EditedMark(r.Recorded), r.Recorded.Signature.AfterComma())
	}
	if r.NotWritten != "" {
		fmt.Fprintf(w, "NOTE  its result is not in the spec: %s\n", r.NotWritten)
	}
	if r.Flagged {
		fmt.Fprintf(w, "%s needs attention now\n", r.SpecID)
	}
}

// renderNotices prints what concerns all specs.
func renderNotices(w io.Writer, r verify.VerifyAllResult) {
	for _, what := range r.Lost {
		fmt.Fprintf(w, "NOTE  %s\n", what)
	}
	for _, n := range r.Notices {
		fmt.Fprintf(w, "%s %s\n", noticeMark(n), noticeText(n))
	}
}

// signedText says how the evidence of a spec is signed, behind what was counted.
func signedText(r verify.VerifyResult) string {
	if r.Signature == nil || r.Signature.String() == "" {
		return ""
	}
	return ", evidence " + r.Signature.String()
}

// noticeMark is the word with which the line of a notice begins.
func noticeMark(n verify.Notice) string {
	switch n.Kind {
	case verify.NoticeAccepted:
		return "ACCEPTED"
	case verify.NoticeWaived:
		return "WAIVED"
	case verify.NoticeUnverified:
		return "UNVERIFIED"
	}
	return "RULES"
}

// noticeText says what was changed or decided, and by which run.
func noticeText(n verify.Notice) string {
	switch {
	case n.SpecID == "":
		return n.Text
	case n.Decision():
		return fmt.Sprintf("%s (%s, commit %.7s)", n.Text, n.SpecID, n.Commit)
	}
	return fmt.Sprintf("%s by the run of %s", n.Text, n.SpecID)
}

// verifyCounts counts specs by what became of them.
func verifyCounts(r verify.VerifyAllResult) string {
	text := fmt.Sprintf("%d passed, %d partial, %d failed", r.Passed, r.Partial, r.Failed)
	if r.Nothing > 0 {
		text += fmt.Sprintf(", %d with %s", r.Nothing, criteria.Nothing)
	}
	if r.Invalid > 0 {
		text += fmt.Sprintf(", %d cannot be read", r.Invalid)
	}
	return text
}

func renderVerify(w io.Writer, r verify.VerifyResult) {
	if r.Invalid != "" {
		fmt.Fprintf(w, "FAIL  %s\n", r.Notes)
		return
	}
	console.RenderVerdicts(w, r.Verdicts)
	for _, why := range r.Forged {
		fmt.Fprintf(w, "FORGED %s\n", why)
	}
	if why := whyUnverified(r); why != "" {
		fmt.Fprintf(w, "FAIL  %s\n", why)
	}
	if r.Criteria.Total > 0 {
		fmt.Fprintf(w, "%d of %d criteria hold\n", r.Criteria.Checked, r.Criteria.Total)
	} else {
		fmt.Fprintln(w, r.Notes)
	}
	if r.Signature != nil && r.Signature.String() != "" {
		fmt.Fprintf(w, "evidence %s\n", r.Signature)
	}
	renderFindingsOf(w, r)
}

// whyUnverified returns why a spec is not verified although every criterion holds, "" otherwise.
func whyUnverified(r verify.VerifyResult) string {
	if r.Verified || r.Criteria.Total == 0 || r.Criteria.Unchecked > 0 || len(r.Forged) > 0 {
		return ""
	}
	return r.Notes
}
