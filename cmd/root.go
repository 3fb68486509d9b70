package cmd

import (
	"strings"

	"chant/cmd/board"
	"chant/cmd/checks"

	"chant/cmd/console"

	"chant/cmd/fleet"

	"chant/cmd/overview"

	"chant/cmd/reviews"
	"chant/cmd/runs"
	"chant/cmd/tasks"

	"github.com/spf13/cobra"
)

// newRoot builds the whole command tree: one explicit list.
func newRoot(a *console.App) *cobra.Command {
	root := &cobra.Command{
		Use:              "chant",
		Short:            "Turn Markdown specs into verified, merged commits",
		PersistentPreRun: func(*cobra.Command, []string) { a.Ran = true },
	}
	root.PersistentFlags().BoolVar(&a.JSON, "json", false, "print the result as JSON")
	root.PersistentFlags().BoolVarP(&a.Quiet, "quiet", "q", false, "no progress on stderr")
	root.PersistentFlags().BoolVar(&a.NoPager, "no-pager", false, "print what is longer than the screen without a pager")
	root.SetFlagErrorFunc(console.FlagError)
	root.AddCommand(
		newInit(a), newAdd(a), newList(a), newReady(a), newShow(a), newDiff(a), newEdit(a), newOpen(a), newStatus(a), newSearch(a), newExport(a),
		runs.NewWork(a), runs.NewWatch(a), board.New(a), newLog(a), checks.NewVerify(a), checks.NewProve(a), checks.NewConverge(a), runs.NewFinalize(a), runs.NewMerge(a), runs.NewQueue(a), reviews.New(a), newApprove(a), newReject(a), newDerive(a), runs.NewReset(a), runs.NewCancel(a), runs.NewUndo(a), newArchive(a),
		newUpdate(a), newSplit(a), newPlan(a), newCheck(a), newDeps(a), overview.NewDag(a), overview.NewActivity(a), overview.NewStats(a), runs.NewPause(a), runs.NewTakeover(a), newAsk(a), newAnswer(a), newDiagnose(a), newConfig(a), checks.NewKey(a), checks.NewLint(a), checks.NewDrift(a), checks.NewHooks(a), checks.NewCI(a), newPrep(a), newPrompt(a), newTemplate(a), newGuide(a), NewSite(a), NewServe(a), runs.NewCleanup(a), runs.NewWorktree(a), newDemo(a), newVersion(a), newDoctor(a), newDeinit(a), newCache(a), newSchema(a),
		tasks.NewTask(a), tasks.NewSprint(a), tasks.NewWhoami(a),
		NewCommand(a, runs.WorkWith),
		fleet.New(a), NewAdopt(a), newImport(a), NewFeature(a), NewHook(a),
		NewIndex(a), NewCode(a), NewDocs(a), NewResearch(a),
		newMCP(a), newLoop(a), newEnter(), newApart(a), newMergeDriver(a), newRefresh(a), newSilent(a),
	)
	addRustFlags(a, root)
	for _, c := range root.Commands() {
		if strings.Contains(c.Use, " ID") || strings.Contains(c.Use, "[ID]") {
			c.ValidArgsFunction = a.CompleteID
		}
	}
	// Most commands have no use for the tables.
	if a.Completing {
		Register(a, root)
	}
	root.SetHelpCommand(newHelp(a))
	root.InitDefaultHelpCmd()
	root.Long = frontPage(root)
	return root
}
