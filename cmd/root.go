package cmd

import (
	"strings"

	"chant/engine"
	"chant/engine/view"
	"chant/providers/text"

	"github.com/spf13/cobra"
)

// newRoot builds the whole command tree: one explicit list.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "chant",
		Short: "Turn Markdown specs into verified, merged commits",
		Long: `chant turns Markdown specs into verified, merged commits.

A spec is a Markdown file in .chant/specs with acceptance criteria. "chant work"
gives it a git worktree and an agent, checks the criteria, and lands code and
status in one merge commit.

Exit codes: 0 done, 1 internal, 2 usage, 3 not found, 4 invalid file or value,
5 forbidden in this status, 6 blocked, 7 conflict, 8 agent failed,
9 unverified, 130 stopped.`,
		Example: `chant init
chant add "Parse dates" --criterion 'Tests pass ` + "`$ go test ./...`" + `'
chant work 001`,
		PersistentPreRun: func(*cobra.Command, []string) { a.ran = true },
	}
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print the result as JSON")
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "no progress on stderr")
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(
		newInit(a), newAdd(a), newList(a), newReady(a), newShow(a), newEdit(a), newStatus(a), newSearch(a), newExport(a),
		newWork(a), newWatch(a), newLog(a), newVerify(a), newFinalize(a), newMerge(a), newApprove(a), newReject(a), newDerive(a), newReset(a), newCancel(a), newArchive(a),
		newUpdate(a), newSplit(a), newCheck(a), newDeps(a), newPause(a), newTakeover(a), newDiagnose(a), newConfig(a), newLint(a), newDrift(a), newHooks(a), newCI(a), newPrep(a), newPrompt(a), newGuide(a), newCleanup(a), newWorktree(a), newDemo(a), newVersion(a),
		newMCP(a), newLoop(a), newMergeDriver(a),
	)
	for _, c := range root.Commands() {
		if strings.Contains(c.Use, " ID") || strings.Contains(c.Use, "[ID]") {
			c.ValidArgsFunction = a.completeID
		}
	}
	return root
}

// completeID offers the ids of active specs to a shell.
func (a *app) completeID(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 && !strings.HasSuffix(c.Use, "...") {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	p, err := a.open()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	list, err := view.List(c.Context(), p, view.ListInput{})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for _, row := range list.Specs {
		out = append(out, cobra.CompletionWithDesc(row.ID, string(text.Visible([]byte(row.Title)))))
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// oneID is the argument rule of commands about one spec.
func oneID(c *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return &engine.Error{
		Code: engine.Usage, Message: c.CommandPath() + " takes one spec ID", Hint: c.CommandPath() + " --help",
	}
}
