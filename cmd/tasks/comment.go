package tasks

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine/task/tasks"

	"github.com/spf13/cobra"
)

func newComment(a *console.App) *cobra.Command {
	var in tasks.BulkCommentInput
	index := 0
	c := &cobra.Command{
		Use:   "comment ID... -m TEXT",
		Short: "Comment on tasks, or replace a comment",
		Example: `chant task comment AUTH-12 -m "The parser is next"
chant task comment AUTH-12 AUTH-13 -m "Moved to the next sprint"
chant task comment AUTH-12 --index 0 -m "The parser is done"`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if !c.Flags().Changed("index") {
				in.IDs = args
				return bulkDo(a, c, tasks.BulkComment, in, "Commented on")
			}
			if len(args) > 1 {
				return console.UsageError(c, "--index is about one task")
			}
			one := tasks.CommentUpdateInput{CommentInput: tasks.CommentInput{ID: args[0], Project: in.Project, Text: in.Text}, Index: index}
			return do(a, c, writes, tasks.CommentUpdate, one, func(w io.Writer, r tasks.CommentResult) {
				fmt.Fprintf(w, "Replaced comment %d of %s\n", *r.Index, r.ID)
			})
		},
	}
	bulkFlags(c, &in.BulkInput)
	c.Flags().StringVarP(&in.Text, "message", "m", "", "text of the comment")
	c.Flags().Var(console.AtLeast(0, &index), "index", "replace this comment, from 0")
	_ = c.MarkFlagRequired("message")
	return c
}
