package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"chant/cmd/console"
	"chant/cmd/wizard"
	"chant/engine"
	"chant/engine/author/planning"
	"chant/engine/spec/next"

	"github.com/spf13/cobra"
)

func newPlan(a *console.App) *cobra.Command {
	var in planning.PlanInput
	c := &cobra.Command{
		Use:   "plan IDEA | FILE.md | -",
		Short: "Make specs of an idea, whose criteria were run before anyone works on them",
		Long: `Make specs of an idea: a sentence, a Markdown file, or "-" for what is on stdin.

An agent reads the project in a worktree that it must not change, and drafts specs. Every
command of their criteria is then run on the target as it is: it must fail because the work
is missing ("red"), or hold if it is a guard. What does something else goes back to the
agent, up to plan.rounds times; what could not be run in the end, a person ticks.

In a terminal the agent's questions are asked, and you decide about each spec. Elsewhere
the answers count that it proposes, and the plan waits on a branch for "chant plan accept".
--yes accepts it at once, in one commit.`,
		Example: "chant plan \"Let people sort the list by price\"\nchant plan docs/prd.md --provider codex\nchant plan - --yes --json < idea.md",
		Args:    cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) (err error) {
			// Words beside another source are added to it.
			if len(args) > 0 || in.FromIssue == "" && in.FromTodo == "" && !in.FromDrift {
				if in.Idea, err = ideaOf(a, args); err != nil {
					return err
				}
			}
			asks, talks := wizard.On(a)
			if in.Accept || a.JSON || !talks {
				return console.Do(a, c, planning.Plan, in, renderPlan)
			}
			in.Decide = askQuestions(asks)
			p, err := a.Open()
			if err != nil {
				return err
			}
			r, err := planning.Plan(c.Context(), p, in)
			if err != nil {
				return err
			}
			return (&planWalk{app: a, c: c, p: p, asks: asks}).walk(c.Context(), r)
		},
	}
	f := c.Flags()
	f.StringVar(&in.FromIssue, "from-issue", "", "address or number of an issue, read through gh or glab")
	f.StringVar(&in.FromTodo, "from-todo", "", "glob of files whose TODO, FIXME, HACK and XXX comments are planned")
	f.BoolVar(&in.FromDrift, "from-drift", false, "plan how completed specs and drifted code agree again")
	f.BoolVarP(&in.Accept, "yes", "y", false, "accept the plan at once, and ask nothing")
	planAgent(c, &in.Provider, &in.Model)
	c.AddCommand(newPlanList(a), newPlanShow(a), newPlanAccept(a), newPlanDrop(a), newPlanChange(a), newPlanRevise(a), newPlanResume(a))
	return c
}

func planAgent(c *cobra.Command, provider, model *string) {
	c.Flags().StringVar(provider, "provider", "", "provider that plans instead of the project's")
	c.Flags().StringVar(model, "model", "", "model to use (default: plan.model, then that of the project)")
}

// ideaOf reads an idea: words, the path of a Markdown file, or stdin.
func ideaOf(a *console.App, args []string) (string, error) {
	text := strings.Join(args, " ")
	switch {
	case len(args) == 0:
		return "", engine.Fail(engine.Usage, next.Plan.Help(), "name an idea, a Markdown file, or - for stdin")
	case text == "-":
		src, err := io.ReadAll(a.In)
		return string(src), err
	case len(args) == 1 && strings.EqualFold(filepath.Ext(text), ".md") && !strings.ContainsAny(text, "\n"):
		src, err := os.ReadFile(text)
		if errors.Is(err, os.ErrNotExist) {
			return "", engine.Fail(engine.NotFound, next.Plan.Help(), "no file %q", text)
		}
		return string(src), err
	}
	return text, nil
}

func newPlanList(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List plans with their progress", Example: "chant plan list\nchant plan list --json",
		Args: console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return console.Do(a, c, planning.List, struct{}{}, func(w io.Writer, r planning.ListResult) {
				for _, one := range r.Plans {
					switch {
					case one.Invalid != "":
						fmt.Fprintf(w, "%s  invalid: %s\n", one.Plan, one.Invalid)
					case one.Status == planning.Accepted:
						fmt.Fprintf(w, "%s  %s  %s\n", one.Plan, one.Progress.Words(), one.Title)
					default:
						fmt.Fprintf(w, "%s  %s: %s  %s\n", one.Plan, one.Status, one.Counts, one.Title)
					}
				}
			})
		},
	}
}

// planCommand is a command about one plan.
func planCommand[R any](a *console.App, use, short, long, example string, op func(context.Context, *engine.Project, planning.SelectInput) (R, error), render console.Render[R]) *cobra.Command {
	return &cobra.Command{
		Use: use + " [PLAN]", Short: short, Long: long, Example: example, Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			var in planning.SelectInput
			if len(args) > 0 {
				in.ID = args[0]
			}
			return console.Do(a, c, op, in, render)
		},
	}
}

func newPlanShow(a *console.App) *cobra.Command {
	return planCommand(a, "show", "Show a plan: its specs, and how each criterion ended",
		"Show a plan: its specs, and how each of their criteria ended before any work. Without a\nname it is the newest one that waits for a decision.",
		"chant plan show\nchant plan show sort-the-list --json", planning.Show, renderPlan)
}

func newPlanAccept(a *console.App) *cobra.Command {
	return planCommand(a, "accept", "Write the specs of a plan, in one commit",
		"Write the specs of a plan and its document in one commit. The branch of the draft is removed.",
		"chant plan accept\nchant plan accept sort-the-list", planning.Accept, renderPlan)
}

func newPlanDrop(a *console.App) *cobra.Command {
	return planCommand(a, "drop", "Drop a plan that was not accepted",
		"Drop a plan that was not accepted. Its commits stay under a ref, which is printed.",
		"chant plan drop sort-the-list", planning.Drop, func(w io.Writer, r planning.DropResult) {
			fmt.Fprintf(w, "Dropped %s; its commits are %s\n", r.Plan, r.Kept)
		})
}

func newPlanResume(a *console.App) *cobra.Command {
	return planCommand(a, "resume", "Run the criteria of a plan that was interrupted",
		"Run the criteria of a plan whose planning was interrupted after its agent had answered.",
		"chant plan resume", planning.Resume, renderPlan)
}

func newPlanRevise(a *console.App) *cobra.Command {
	var in planning.ReviseInput
	c := &cobra.Command{
		Use:   "revise PLAN REQUEST...",
		Short: "Have an agent change a plan, also one that was accepted",
		Long: `Have an agent change a plan. What is in work or done stays as it is; the rest is drafted
anew, and each difference is shown. "chant plan accept" then applies it.`,
		Example: "chant plan revise sort-the-list \"Leave the mobile view out\"",
		Args:    cobra.MinimumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			in.ID, in.Request = args[0], strings.Join(args[1:], " ")
			if asks, talks := wizard.On(a); talks && !a.JSON {
				in.Decide = askQuestions(asks)
			}
			return console.Do(a, c, planning.Revise, in, renderPlan)
		},
	}
	planAgent(c, &in.Provider, &in.Model)
	return c
}

func newPlanChange(a *console.App) *cobra.Command {
	var in planning.ChangeInput
	var numbers []string
	c := &cobra.Command{
		Use:   "change [PLAN]",
		Short: "Drop, merge, split or move specs of a plan, or add a criterion",
		Long: `Change a plan before it is accepted. Specs are named by their numbers in the plan, or by
their IDs. The criteria are run again.`,
		Example: "chant plan change --drop 3\nchant plan change --join 1,2\nchant plan change --split 2 --criteria 2,3 --title \"Sort in the API\"\nchant plan change --move 3 --place 1\nchant plan change --of 1 --criterion 'Prices are sorted `$ go test ./list`'",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				in.ID = args[0]
			}
			for _, text := range numbers {
				n, err := strconv.Atoi(text)
				if err != nil {
					return engine.Fail(engine.Usage, next.Plan.Help(), "--criteria %q is not a number of a criterion", text)
				}
				in.Criteria = append(in.Criteria, n)
			}
			return console.Do(a, c, planning.Edit, in, renderPlan)
		},
	}
	f := c.Flags()
	f.StringVar(&in.Drop, "drop", "", "spec that is not wanted")
	f.StringSliceVar(&in.Merge, "join", nil, "specs that become one, the first of them")
	f.StringVar(&in.Split, "split", "", "spec of which --criteria become a spec of their own")
	f.StringSliceVar(&numbers, "criteria", nil, "those criteria, by their numbers")
	f.StringVar(&in.Title, "title", "", "title of the spec that is split off")
	f.StringVar(&in.Move, "move", "", "spec that comes to --place")
	f.Var(console.AtLeast(1, &in.To), "place", "place of the spec that is moved, from 1")
	f.StringVar(&in.Criterion, "criterion", "", "criterion to add to the spec --of")
	f.StringVar(&in.Of, "of", "", "spec that gets the criterion")
	return c
}

// renderPlan prints a plan.
func renderPlan(w io.Writer, r planning.PlanResult) {
	fmt.Fprintf(w, "%s: %s\n", r.Plan, r.Title)
	if r.Brief.Goal != "" {
		fmt.Fprintf(w, "%s\n", r.Brief.Goal)
	}
	for _, list := range []struct {
		name  string
		items []string
	}{{"not wanted", r.Brief.NonGoals}, {"risk", r.Brief.Risks}} {
		for _, one := range list.items {
			fmt.Fprintf(w, "%s: %s\n", list.name, one)
		}
	}
	for _, one := range r.Done {
		fmt.Fprintf(w, "there already: %s (%s)\n", one.What, one.Where)
	}
	for _, q := range r.Questions {
		fmt.Fprintf(w, "question: %s\n  %s\n", q.Question, q.Answered())
	}
	fmt.Fprintf(w, "%s\n", r.Counts)
	for i, s := range r.Specs {
		fmt.Fprintf(w, "\n%d. %s  %s", i+1, s.ID, s.Title)
		if r.Status == planning.Accepted {
			fmt.Fprintf(w, "  [%s]", s.Status)
		}
		if len(s.DependsOn) > 0 {
			fmt.Fprintf(w, "\n   after %s", strings.Join(s.DependsOn, ", "))
		}
		fmt.Fprintln(w)
		renderCriteria(w, s.Criteria)
	}
	for _, s := range r.Amends {
		fmt.Fprintf(w, "\namended: %s  %s\n", s.ID, s.Title)
		renderCriteria(w, s.Criteria)
	}
	for _, one := range r.Retires {
		fmt.Fprintf(w, "\nretired: %s: %s\n", one.ID, one.Why)
	}
	if len(r.Changes) > 0 {
		fmt.Fprintln(w)
	}
	for _, ch := range r.Changes {
		fmt.Fprintf(w, "%s %s  %s\n", ch.Kind, ch.ID, ch.Title)
	}
	if r.Commit != "" {
		fmt.Fprintf(w, "\nAccepted in %s\n", r.Commit[:7])
	}
	if !r.Next.IsZero() {
		fmt.Fprintf(w, "\nnext: %s\n", r.Next)
	}
}

func renderCriteria(w io.Writer, all []planning.Tried) {
	for _, t := range all {
		fmt.Fprintf(w, "   %-10s %s", strings.ReplaceAll(string(t.State), "_", " "), t.Text)
		if t.Command != "" {
			fmt.Fprintf(w, " `$ %s`", t.Command)
		}
		fmt.Fprintln(w)
		if t.Why != "" {
			fmt.Fprintf(w, "              %s\n", t.Why)
		}
	}
}
