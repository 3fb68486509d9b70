package cmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"chant/cmd/console"
	"chant/cmd/wizard"
	"chant/engine/setup"
	"chant/engine/store"
	"chant/text"

	"github.com/spf13/cobra"
)

func newInit(a *console.App) *cobra.Command {
	var in setup.InitInput
	yes := false
	c := &cobra.Command{
		Use:   "init",
		Short: "Set up chant in this repository: make it a chant project",
		Long: `Make this repository a chant project, or add the parts that are missing.

It changes nothing outside the repository, replaces no file, and makes one
commit of exactly what it made. Commands that every spec must pass run once, for
at most a minute, on what is committed. Run it again with --provider, --model or
--name to change that setting. Without flags, it asks on a terminal.`,
		Example: "chant init\nchant init --yes\nchant init --provider claude --model sonnet --verify 'go test ./...'\n" +
			"chant init --hooks --gitignore --ci github\nchant init --rules\nchant init --silent --minimal\ncd services/api && chant init --here",
		Args: func(c *cobra.Command, args []string) error {
			if slices.Equal(args, []string{"prompts"}) {
				return nil
			}
			return console.NoArgs(c, args)
		},
		RunE: func(c *cobra.Command, args []string) (err error) {
			// With the Rust chant, this copies the newest prompts into the project.
			if len(args) > 0 {
				if !a.Quiet && !a.JSON {
					fmt.Fprintln(a.Err, "prompts are part of the program; files in .chant/prompts replace them, and are yours to update or remove")
				}
				return runInstead(c, []string{"prompt", "list"}, nil)
			}
			if screen, asks := wizard.On(a); asks && !wizard.Begun(c) {
				if in, err = initByQuestions(a, c, screen); err != nil {
					return err
				}
			}
			result, err := setup.Init(c.Context(), a.Dir, a.Options(a.Line), in)
			if err != nil {
				return err
			}
			return console.Show(a, result, renderInit)
		},
	}
	f := c.Flags()
	f.StringVar(&in.Name, "name", "", "project name (default: that of the folder)")
	f.StringVar(&in.Provider, "provider", "", "default provider")
	f.StringVar(&in.Model, "model", "", "default model")
	f.StringSliceVar(&in.Agents, "agent", nil, "agents to configure for chant mcp: claude, codex, cursor, gemini, opencode, copilot, kiro or all")
	f.BoolVar(&in.Silent, "silent", false, "keep .chant out of git")
	f.BoolVar(&in.Minimal, "minimal", false, "create only the folder, settings and ignore rules")
	f.StringArrayVar(&in.Verify, "verify", nil, "command that must pass for every spec (verify.defaults of the settings); may be repeated")
	f.BoolVar(&in.Rules, "rules", false, "add .chant/rules.md: first rules that all work follows")
	f.BoolVar(&in.GitIgnore, "gitignore", false, "list local state in the .gitignore of the top too, for programs that read only that")
	f.BoolVar(&in.Hooks, "hooks", false, "install the git hooks of chant (guide hooks)")
	f.StringVar(&in.CI, "ci", "", "one of github, gitlab (the CI system to which the job that checks specs is added)")
	f.BoolVar(&in.NoTry, "no-try", false, "do not run the commands of --verify now, on what is committed")
	f.BoolVar(&in.Here, "here", false, "make a project of this folder, such as one of a monorepo, also inside of another project")
	f.BoolVarP(&yes, "yes", "y", false, "ask nothing; what no flag names gets its default")
	return c
}

// initByQuestions asks how a new project is set up. One that exists only gets what it lacks, without questions.
func initByQuestions(a *console.App, c *cobra.Command, screen wizard.Screen) (setup.InitInput, error) {
	found, err := setup.Survey(c.Context(), a.Dir, a.Options(a.Line), setup.SurveyInput{})
	if err != nil || found.Project {
		return setup.InitInput{}, err
	}
	in, err := wizard.Init(c.Context(), screen, found)
	if err == nil {
		screen.Same(wizard.InitStep(in))
	}
	return in, err
}

func renderInit(w io.Writer, r setup.InitResult) {
	for _, group := range []struct {
		word  string
		paths []string
	}{{"made", r.Made}, {"changed", r.Changed}, {"left", r.Left}, {"yours to commit", r.Uncommitted}} {
		for _, p := range group.paths {
			fmt.Fprintf(w, "%-8s %s\n", group.word, p)
		}
	}
	if r.Commit != "" {
		fmt.Fprintf(w, "Committed as %s.\n", r.Commit[:7])
	}
	if r.First != "" {
		fmt.Fprintf(w, "Created %s, the first commit of this repository, without files.\n", r.First[:7])
	}
	fmt.Fprintf(w, "chant is ready in %s\n", r.Home)
	if r.Inside != "" {
		fmt.Fprintf(w, "The folder %s is in that project; chant init --here makes a project of its own there.\n", text.Quote(r.Inside))
	}
	if r.LandsOn != "" && r.LandsOn != "main" && r.LandsOn != "master" {
		fmt.Fprintf(w, "Work lands on %q, which is checked out; main_branch in .chant/config.md says so.\n", r.LandsOn)
	}
	renderAgents(w, r)
	renderTried(w, r)
	if !r.Next.IsZero() {
		fmt.Fprintf(w, "next: %s\n", r.Next)
	}
}

// renderTried says how runs get the packages that they need, and whether what every spec must pass holds now.
func renderTried(w io.Writer, r setup.InitResult) {
	if len(r.Linked) > 0 {
		fmt.Fprintf(w, "Runs get links to %s (worktree.link in .chant/config.md).\n", text.Quote(strings.Join(r.Linked, ", ")))
	}
	for _, command := range r.Setup {
		fmt.Fprintf(w, "Packages are not installed: run %s here, or let each run do it, over the network: worktree: {setup: [%s]} in .chant/config.md\n", command, command)
	}
	red := false
	for _, t := range r.Tried {
		if t.Passed {
			fmt.Fprintf(w, "ok       %s\n", text.Quote(t.Command))
			continue
		}
		red = true
		fmt.Fprintf(w, "FAIL     %s\n", text.Quote(t.Why))
		if t.Last != "" {
			fmt.Fprintf(w, "         %s\n", t.Last)
		}
	}
	if red {
		from := "verify.defaults"
		if slices.Contains(r.Made, store.RulesPath) {
			from += " or " + store.RulesPath
		}
		fmt.Fprintf(w, "This fails on what is committed, in a clean tree, and so would every spec: repair it first, or take it out of %s.\n", from)
	}
}

// renderAgents says which agents can work here.
func renderAgents(w io.Writer, r setup.InitResult) {
	found := "none on PATH"
	if len(r.Installed) > 0 {
		found = strings.Join(r.Installed, ", ")
	}
	fmt.Fprintf(w, "agents   %s\n", found)
	if r.Missing != "" {
		fmt.Fprintf(w, "The provider in the settings is %q, but its program %q is not on PATH.\n", r.Provider, r.Missing)
	}
}
