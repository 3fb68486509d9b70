package cmd

import (
	"fmt"
	"io"
	"strings"

	"chant/cmd/console"
	"chant/engine/author"

	"github.com/spf13/cobra"
)

func newArchive(a *console.App) *cobra.Command {
	var many author.ArchiveManyInput
	restore := ""
	c := &cobra.Command{
		Use:   "archive [ID]",
		Short: "Move finished specs to the archive, drivers with their members",
		Long: `Move a finished spec to the archive, a driver with its members. Without ID, all
finished specs move, in one commit. Finished are completed specs that have landed,
and cancelled ones; --restore brings one back.`,
		Example: "chant archive 001\nchant archive --older-than 30d --dry-run\nchant archive\nchant archive --restore 001",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case restore != "" && (len(args) > 0 || many != author.ArchiveManyInput{}):
				return console.UsageError(c, "--restore takes one spec and no other flags")
			case restore != "":
				return console.Do(a, c, author.Restore, author.RestoreInput{ID: restore}, renderRestored)
			case len(args) > 0 && (many.OlderThan != "" || many.DryRun):
				return console.UsageError(c, "--older-than and --dry-run are for all specs, without ID")
			case len(args) > 0:
				return console.Do(a, c, author.Archive, author.ArchiveInput{ID: args[0], Unfinished: many.Unfinished}, renderArchived)
			}
			// The Rust chant takes a number of days.
			if many.OlderThan != "" && strings.Trim(many.OlderThan, "0123456789") == "" {
				many.OlderThan += "d"
			}
			return console.Do(a, c, author.ArchiveMany, many, renderArchivedMany)
		},
	}
	f := c.Flags()
	f.StringVar(&many.OlderThan, "older-than", "", "only specs that were completed before this time, such as 30d or 2026-11-01")
	f.BoolVar(&many.DryRun, "dry-run", false, "only print what would be archived")
	f.BoolVar(&many.Unfinished, "allow-non-completed", false, "specs in any status that have no run")
	f.StringVar(&restore, "restore", "", "bring this archived spec back, a driver with its members")
	return c
}

func renderArchived(w io.Writer, r author.ArchiveResult) {
	for _, m := range r.Moved {
		fmt.Fprintf(w, "Archived %s -> %s\n", m.ID, m.Path)
	}
}

func renderRestored(w io.Writer, r author.ArchiveResult) {
	for _, m := range r.Moved {
		fmt.Fprintf(w, "Restored %s -> %s\n", m.ID, m.Path)
	}
}

func renderArchivedMany(w io.Writer, r author.ArchiveManyResult) {
	word := "Archived"
	if r.DryRun {
		word = "would archive"
	}
	for _, m := range r.Moved {
		fmt.Fprintf(w, "%s %s -> %s\n", word, m.ID, m.Path)
	}
	for _, l := range r.Left {
		fmt.Fprintf(w, "left %s: %s\n", l.ID, l.Why)
	}
	if len(r.Moved) == 0 {
		fmt.Fprintln(w, "Nothing to archive")
	}
}
