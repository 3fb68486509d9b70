package cmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/next"

	"github.com/spf13/cobra"
)

// group is a heading of commands in the help.
type group struct {
	name, about string
	commands    []string // by name, in the order of use
}

// first are the groups of the first page of help: what most people need most days.
func first() []group {
	return []group{
		{"Begin", "", []string{"init", "add", "demo", "guide"}},
		{"Work", "", []string{"work", "answer", "review", "approve", "merge", "reset"}},
		{"Look", "", []string{"board", "list", "show", "status", "diagnose", "log"}},
	}
}

// groups are those of `chant help GROUP`, in the order of `chant help all`. Each command is in one of them.
func groups() []group {
	return []group{
		{"begin", "Begin", []string{"init", "demo", "guide", "help", "config", "schema", "completion", "version", "doctor", "cache", "deinit"}},
		{"specs", "Write specs", []string{"plan", "add", "edit", "update", "split", "cancel", "archive", "template", "derive", "adopt", "import"}},
		{"runs", "Work them", []string{"work", "watch", "log", "pause", "takeover", "ask", "answer", "finalize", "merge", "queue", "reset", "cleanup", "worktree"}},
		{"look", "Look", []string{"board", "list", "show", "status", "ready", "search", "diagnose", "diff", "deps", "dag", "activity", "stats", "open", "export", "site", "serve"}},
		{"decide", "Check and decide", []string{"review", "approve", "reject", "check", "verify", "prove", "undo", "lint", "ci", "drift", "converge", "hook", "hooks", "key"}},
		{"plan", "Plan, alone or with several people and machines", []string{"task", "sprint", "feature", "whoami", "fleet"}},
		{"find", "Find code and documents", []string{"code", "docs", "research", "index"}},
		{"agents", "Serve and prompt agents", []string{"mcp", "prep", "prompt", "command"}},
	}
}

// exitCodes are the last lines of `chant help all`.
const exitCodes = `Exit codes: 0 done, 1 internal, 2 usage, 3 not found, 4 invalid file or value,
5 forbidden in this status, 6 blocked, 7 conflict, 8 agent failed,
9 unverified, 130 stopped.`

// frontPage is the help of the program.
func frontPage(root *cobra.Command) string {
	var page strings.Builder
	page.WriteString("chant turns Markdown specs into verified, merged commits. A spec is a Markdown\nfile in .chant/specs with acceptance criteria.\n")
	for _, g := range first() {
		fmt.Fprintf(&page, "\n%s\n", g.name)
		console.WriteCommands(&page, named(root, g.commands))
	}
	fmt.Fprintf(&page, `
chant COMMAND --help  what a command does, with examples
chant help GROUP      more commands; a group is one of
                      %s
chant help all        all commands, and the exit codes
chant guide           the manual`, strings.Join(groupNames(), ", "))
	return page.String()
}

func groupNames() []string {
	var names []string
	for _, g := range groups() {
		names = append(names, g.name)
	}
	return names
}

// named returns the commands of these names, in their order.
func named(root *cobra.Command, names []string) []*cobra.Command {
	var found []*cobra.Command
	for _, name := range names {
		if at := slices.IndexFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == name }); at >= 0 {
			found = append(found, root.Commands()[at])
		}
	}
	return found
}

// newHelp returns the command "chant help".
func newHelp(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND | GROUP | all]",
		Short: "Explain a command, or list a group of commands or all",
		Long: `Explain a command, or list the commands of a group: ` + strings.Join(groupNames()[:4], ", ") + `,
` + strings.Join(groupNames()[4:], ", ") + `. "chant help all" lists all of them.`,
		Example: "chant help work\nchant help sprint create\nchant help decide\nchant help all",
		RunE: func(c *cobra.Command, words []string) error {
			a.Ran = true
			root := c.Root()
			for _, g := range groups() {
				if len(words) == 1 && words[0] == g.name {
					return console.AsText(writeGroups)(a.Screen.Out, listed{root, []group{g}})
				}
			}
			if len(words) == 1 && words[0] == "all" {
				if err := console.AsText(writeGroups)(a.Screen.Out, listed{root, groups()}); err != nil {
					return err
				}
				_, err := fmt.Fprintf(a.Screen.Out, "\n%s\n", exitCodes)
				return err
			}
			found, rest, err := root.Find(words)
			if err != nil || len(rest) > 0 {
				return unknownTopic(root, words)
			}
			return console.AsText(a.WriteHelp)(a.Screen.Out, found)
		},
	}
}

// unknownTopic refuses a word that is neither a command nor a group.
func unknownTopic(root *cobra.Command, words []string) error {
	topic := strings.Join(words, " ")
	names := append(groupNames(), "all")
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	return engine.Fail(engine.Usage, next.Shell("chant help all"), "no command or group %q%s", topic, spec.DidYouMean(spec.Nearest(topic, names)))
}

// listed are groups of the commands below root.
type listed struct {
	root   *cobra.Command
	groups []group
}

func writeGroups(w io.Writer, l listed) {
	for i, g := range l.groups {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, g.about)
		console.WriteCommands(w, named(l.root, g.commands))
	}
}
