package cmd

import (
	"slices"

	"github.com/spf13/cobra"
)

// group is a heading of commands in the help.
type group struct {
	title    string
	commands []string // by name, each in one group
}

// groups are those of the help, in its order. Commands without one are listed first, under "commands".
func groups() []group {
	return []group{
		{"begin", []string{"init", "demo", "guide", "config", "help", "completion", "version"}},
		{"write specs", []string{"add", "edit", "update", "split", "template", "derive", "adopt", "cancel", "archive"}},
		{"work them", []string{"work", "watch", "pause", "takeover", "log", "ask", "answer", "finalize", "merge", "reset", "cleanup", "worktree"}},
		{"look", []string{"board", "status", "list", "ready", "show", "diff", "open", "deps", "diagnose", "dag", "activity", "stats", "search", "export", "site", "serve"}},
		{"check and decide", []string{"verify", "check", "review", "approve", "reject", "undo", "lint", "drift", "ci", "hook", "hooks", "key"}},
		{"plan", []string{"task", "sprint", "feature", "whoami"}},
		{"work with several machines", []string{"fleet"}},
		{"find code", []string{"index", "code", "docs", "research"}},
		{"serve and prompt agents", []string{"mcp", "prep", "prompt", "command"}},
	}
}

// arrange puts the commands below root into their groups.
func arrange(root *cobra.Command) {
	for _, g := range groups() {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range root.Commands() {
			if slices.Contains(g.commands, c.Name()) {
				c.GroupID = g.title
			}
		}
		// cobra adds these two later.
		if slices.Contains(g.commands, "help") {
			root.SetHelpCommandGroupID(g.title)
			root.SetCompletionCommandGroupID(g.title)
		}
	}
}
