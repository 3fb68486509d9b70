package checks

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"io"
	"os"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/format/report"
	"chant/engine/spec/next"
	"chant/engine/verify/gate"

	"github.com/spf13/cobra"
)

// NewCI returns the command "chant ci".
func NewCI(a *console.App) *cobra.Command {
	var in gate.CIInput
	var files ciFiles
	verbose := false
	c := &cobra.Command{
		Use:   "ci [RANGE]",
		Short: "Check specs in a CI job: lint, criteria of completed specs, drift",
		Long: `Check specs in a CI job: lint, the criteria of the completed specs in the change, and
drift, which is only reported. The change is RANGE, or the one that GitHub Actions or GitLab
reports, or else the commits of the branch that are not in origin's main branch. If it is
empty, as on the main branch itself or for a tag, every spec completed since verify.since is
verified. Evidence of completions is fetched from origin (refs/notes/chant).

It also reports what the change does to protected files, settings, prompts, providers,
templates, schemas and the criteria of other specs (RULES), changes of runs that a person
accepted (ACCEPTED), and approvals that were waived (WAIVED), from its commits alone. A run
that changed a protected file without that counts as forged, and so does one that weakened
a test (WEAKENED) where verify.weakened asks for a decision.

In a person's clone it also checks what origin's target branch, as it was last fetched, has and
the target lacks, and names the commits there that chant has not verified (UNVERIFIED): an
agent that pushes to the remote passes chant by.

On GitHub, findings appear beside the lines of a pull request and on the job's page.
Exits with 9 if a spec is not verified, otherwise with 4 if lint finds an error.`,
		Example: "chant ci --verbose\nchant ci origin/main..HEAD --junit chant.xml\nchant ci --sarif chant.sarif --codequality gl-code-quality-report.json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				in.Range = args[0]
			}
			p, err := a.Open()
			if err != nil {
				return err
			}
			if !verbose {
				p = onlyWarnings(p)
			}
			result, err := gate.CI(c.Context(), p, in)
			if err != nil {
				return err
			}
			if err := errors.Join(files.write(a, result), showCI(a, result, verbose)); err != nil {
				return err
			}
			if a.JSON {
				return result.Verdict()
			}
			return result.BriefVerdict()
		},
	}
	f := c.Flags()
	f.BoolVarP(&verbose, "verbose", "v", false, "also print what is well, warnings of lint, and drift")
	f.StringVar(&files.junit, "junit", "", "write criteria as JUnit XML to this file")
	f.StringVar(&files.sarif, "sarif", "", "write findings as SARIF to this file")
	f.StringVar(&files.quality, "codequality", "", "write findings as GitLab's code quality report to this file")
	f.StringVar(&files.summary, "summary", "", "add a summary in Markdown to this file (default: GITHUB_STEP_SUMMARY)")
	return c
}

// onlyWarnings returns the project without reports of steps that begin.
func onlyWarnings(p *engine.Project) *engine.Project {
	report := p.Progress
	if report == nil {
		return p
	}
	return p.WithProgress(func(ev engine.Event) {
		if ev.Kind == "warning" {
			report(ev)
		}
	}, p.Interrupts)
}

// ciFiles are the files that a job leaves.
type ciFiles struct{ junit, sarif, quality, summary string }

func (f ciFiles) write(a *console.App, r gate.CIResult) error {
	found := ciFindings(r)
	for _, each := range []struct {
		path string
		put  func(io.Writer) error
	}{
		{f.junit, func(w io.Writer) error { return report.JUnit(w, ciSuites(r)) }},
		{f.sarif, func(w io.Writer) error { return report.SARIF(w, console.ThisBuild().Version, ciRules(), found) }},
		{f.quality, func(w io.Writer) error { return report.CodeQuality(w, found) }},
	} {
		if each.path == "" {
			continue
		}
		// Written as a whole, because a report that is cut off cannot be read.
		var text bytes.Buffer
		if err := each.put(&text); err != nil {
			return err
		}
		if err := os.WriteFile(a.Below(each.path), text.Bytes(), 0o644); err != nil {
			return writeError(err)
		}
	}
	return addSummary(a, cmp.Or(f.summary, r.Summary), r)
}

// addSummary adds to a file what others may have begun.
func addSummary(a *console.App, path string, r gate.CIResult) error {
	if path == "" {
		return nil
	}
	// Other steps of the job write to the same file.
	file, err := os.OpenFile(a.Below(path), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return writeError(err)
	}
	err = console.AsText(renderCIMarkdown)(file, r)
	return errors.Join(err, file.Close())
}

func writeError(err error) error {
	return &engine.Error{Code: engine.Usage, Message: err.Error(), Next: next.CI.Help(), Err: err}
}

// showCI prints the result, on GitHub with what it shows beside lines.
func showCI(a *console.App, r gate.CIResult, verbose bool) error {
	render := renderCI
	if verbose {
		render = renderAllOfCI
	}
	if r.System == "github" {
		w := a.Out
		// stdout has the JSON alone.
		if a.JSON {
			w = a.Err
		}
		if err := report.Annotations(w, ciFindings(r)); err != nil {
			return err
		}
	}
	if r.System != "github" || a.JSON {
		return console.Show(a, r, render)
	}
	// Lines that agents have written must not be commands for GitHub.
	return report.StopCommands(a.Out, rand.Text(), func(w io.Writer) error { return console.AsText(render)(w, r) })
}
