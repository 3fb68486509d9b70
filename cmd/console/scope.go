package console

import (
	"chant/engine/view"

	"github.com/spf13/cobra"
)

// ScopeFlags adds the flags of commands that show several projects.
func ScopeFlags(c *cobra.Command, to *view.Scope) {
	f := c.Flags()
	f.StringVar(&to.Repo, "repo", "", "projects of this repository of the setting repos")
	f.StringVar(&to.Project, "project", "", "only the project of this name or folder")
	f.BoolVar(&to.Global, "global", false, "all projects, also of the repositories of repos")
}
