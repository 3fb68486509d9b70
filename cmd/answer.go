package cmd

import (
	"context"
	"fmt"
	"io"
	"strings"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/work/node"
	"chant/engine/work/questions"
	"chant/text"

	"github.com/spf13/cobra"
)

func newAnswer(a *console.App) *cobra.Command {
	var in questions.AnswerInput
	c := &cobra.Command{
		Use:   "answer [ID] [TEXT]...",
		Short: "Answer a question of an agent, or list the open ones",
		Long: `Answer a question that an agent has asked with needs_input.

Without TEXT it asks for the answer on a terminal, and prints the open questions elsewhere.
Without ID it answers the only open question. An agent at work gets the answer with the
next tool that it calls; otherwise "chant work" gives it to the next agent.`,
		Example: "chant answer\nchant answer 001 \"use port 8080\"\nchant answer 001 --question 2 \"yes, also on Windows\"",
		Args:    cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			p, err := a.Open()
			if err != nil {
				return err
			}
			return answer(a, c, p, in, args)
		},
	}
	c.Flags().Var(console.AtLeast(1, &in.Question), "question", "number of the question, if the spec has several open ones")
	return c
}

// answer answers with the text of a command line, or asks for it.
func answer(a *console.App, c *cobra.Command, p *engine.Project, in questions.AnswerInput, args []string) error {
	in.ID, args = splitAnswer(c.Context(), p, args)
	in.Text = strings.Join(args, " ")
	if len(args) == 0 {
		list, err := questions.List(c.Context(), p, questions.ListInput{ID: in.ID})
		if err != nil {
			return err
		}
		// An answer on a terminal is typed to one question; without a name, the list says which ones are open.
		asks := console.Terminal(a.In) && console.Terminal(a.Screen.Err) && !a.JSON && (in.ID != "" || in.Question > 0)
		if !asks || len(list.Questions) == 0 {
			return console.Show(a, list, renderQuestions)
		}
		if in, err = askAnswer(c.Context(), a, list.Questions, in); err != nil {
			return err
		}
	}
	result, err := node.Answer(c.Context(), p, in)
	if err != nil {
		return err
	}
	return console.Show(a, result, renderAnswer)
}

// splitAnswer divides arguments into the ID and the answer. A single one is the ID only if that has open questions;
// otherwise it is the answer to the only open question.
func splitAnswer(ctx context.Context, p *engine.Project, args []string) (id string, rest []string) {
	switch len(args) {
	case 0:
		return "", nil
	case 1:
		list, err := questions.List(ctx, p, questions.ListInput{ID: args[0]})
		// A text that names no spec with a question is the answer to the only open one.
		if err != nil || len(list.Questions) == 0 {
			return "", args
		}
	}
	return args[0], args[1:]
}

// askAnswer asks on the terminal for the answer to one of the open questions: the one that was named, or the oldest.
func askAnswer(ctx context.Context, a *console.App, open []questions.OpenQuestion, in questions.AnswerInput) (questions.AnswerInput, error) {
	for _, q := range open {
		if in.Question != 0 && in.Question != q.Question {
			continue
		}
		in.ID, in.Question = q.ID, q.Question
		renderQuestion(a.Err, q)
		lines, err := console.Ask(ctx, a, []string{"answer: "})
		in.Text = strings.Join(lines, "\n")
		return in, err
	}
	// The operation says that there is no such question.
	return in, nil
}

func renderQuestions(w io.Writer, r questions.ListResult) {
	if len(r.Questions) == 0 {
		fmt.Fprintln(w, "No question is open")
	}
	for i, q := range r.Questions {
		if i > 0 {
			fmt.Fprintln(w)
		}
		renderQuestion(w, q)
		fmt.Fprintf(w, "  next: %s\n", q.Next)
	}
}

// renderQuestion prints a question, indented below what it is about.
func renderQuestion(w io.Writer, q questions.OpenQuestion) {
	by := ""
	if q.By != "" {
		by = ", by " + text.Quote(q.By)
	}
	if q.Node != "" {
		by += ", on " + text.Quote(q.Node)
	}
	fmt.Fprintf(w, "%s  needs input (question %d%s)\n", text.Quote(q.ID), q.Question, by)
	for line := range strings.SplitSeq(strings.TrimRight(q.Prompt, "\n"), "\n") {
		fmt.Fprintf(w, "  %s\n", line)
	}
}

func renderAnswer(w io.Writer, r questions.AnswerResult) {
	fmt.Fprintf(w, "Answered question %d of %s\n", r.Question, text.Quote(r.ID))
	switch {
	case r.Running:
		fmt.Fprintln(w, "Its agent is at work, and gets the answer with the next tool that it calls")
	case !r.Next.IsZero():
		fmt.Fprintf(w, "next: %s\n", r.Next)
	}
}
