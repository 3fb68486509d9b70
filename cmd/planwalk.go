package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"chant/cmd/console"
	"chant/cmd/wizard"
	"chant/engine"
	"chant/engine/author/planning"

	"github.com/spf13/cobra"
)

// askQuestions asks a person what an agent wants to know.
func askQuestions(asks wizard.Screen) func(context.Context, []planning.Question) ([]string, error) {
	return func(ctx context.Context, all []planning.Question) ([]string, error) {
		var out []string
		for i, q := range all {
			said, err := wizard.Line(ctx, asks, fmt.Sprintf("Question %d of %d: %s", i+1, len(all), q.Question), "empty: "+q.Proposed)
			if err != nil {
				return nil, err
			}
			out = append(out, said)
		}
		return out, nil
	}
}

// planWalk has a person decide about a plan.
type planWalk struct {
	app  *console.App
	c    *cobra.Command
	p    *engine.Project
	asks wizard.Screen
}

// walk shows the plan and applies one decision after the other, until it is accepted, dropped or left.
func (w *planWalk) walk(ctx context.Context, r planning.PlanResult) error {
	for {
		renderPlan(w.app.Err, r)
		if len(r.Specs)+len(r.Amends)+len(r.Retires) == 0 {
			return nil
		}
		choice, err := wizard.Choose(ctx, w.asks, fmt.Sprintf("What becomes of these %s?", console.Plural(len(r.Specs), "spec")),
			wizard.Choice{Name: "accept", Title: "Accept: write them in one commit"},
			wizard.Choice{Name: "edit", Title: "Edit the text of one"},
			wizard.Choice{Name: "criterion", Title: "Add a criterion to one"},
			wizard.Choice{Name: "drop", Title: "Drop one"},
			wizard.Choice{Name: "merge", Title: "Merge two"},
			wizard.Choice{Name: "split", Title: "Split one"},
			wizard.Choice{Name: "move", Title: "Move one to another place"},
			wizard.Choice{Name: "revise", Title: "Have the agent change the plan"},
			wizard.Choice{Name: "discard", Title: "Drop the whole plan"},
			wizard.Choice{Name: "leave", Title: "Leave it as it is, and decide later"})
		if err != nil {
			return err
		}
		switch choice {
		case "accept":
			return console.Do(w.app, w.c, planning.Accept, planning.SelectInput{ID: r.Plan}, renderPlan)
		case "discard":
			_, err := planning.Drop(ctx, w.p, planning.SelectInput{ID: r.Plan})
			return err
		case "leave":
			return nil
		}
		changed, err := w.apply(ctx, r, choice)
		refused, known := errors.AsType[*engine.Error](err)
		switch {
		case err == nil:
			r = changed
		// A mistake in an answer does not end the walk.
		case known && refused.Code != engine.Canceled && ctx.Err() == nil:
			fmt.Fprintf(w.asks.Out, "%s\n", refused.Message)
		case ctx.Err() != nil || !known:
			return err
		}
	}
}

// apply asks what a decision needs, and applies it.
func (w *planWalk) apply(ctx context.Context, r planning.PlanResult, choice string) (planning.PlanResult, error) {
	in := planning.ChangeInput{ID: r.Plan}
	if choice == "revise" {
		request, err := wizard.Line(ctx, w.asks, "What is to be different?", "in your own words")
		if err != nil || request == "" {
			return r, err
		}
		return planning.Revise(ctx, w.p, planning.ReviseInput{ID: r.Plan, Request: request, Decide: askQuestions(w.asks)})
	}
	question := "Which spec?"
	if choice == "merge" {
		question = "Which specs become one?"
	}
	numbers, err := wizard.Line(ctx, w.asks, question, "by number, such as 1; several with blanks between them")
	if err != nil || numbers == "" {
		return r, err
	}
	named := strings.Fields(strings.ReplaceAll(numbers, ",", " "))
	switch in.Of = named[0]; choice {
	case "drop":
		in.Drop = named[0]
	case "merge":
		in.Merge = named
	case "edit":
		if in.Text, err = w.edit(ctx, r.Plan, named[0]); err != nil || in.Text == nil {
			return r, err
		}
	case "criterion":
		if in.Criterion, err = wizard.Line(ctx, w.asks, "Which criterion?", "what is so when it is done, and a command such as `$ go test ./...`"); err != nil || in.Criterion == "" {
			return r, err
		}
	case "split":
		said, err := wizard.Line(ctx, w.asks, "Which of its criteria become a spec of their own?", "by number, such as 2 3")
		if err != nil {
			return r, err
		}
		in.Split, in.Criteria = named[0], numbersIn(said)
	case "move":
		said, err := wizard.Line(ctx, w.asks, "To which place?", "a number from 1")
		if err != nil {
			return r, err
		}
		if in.Move = named[0]; len(numbersIn(said)) > 0 {
			in.To = numbersIn(said)[0]
		}
	}
	return planning.Edit(ctx, w.p, in)
}

func numbersIn(text string) []int {
	var out []int
	for _, word := range strings.Fields(strings.ReplaceAll(text, ",", " ")) {
		if n, err := strconv.Atoi(word); err == nil {
			out = append(out, n)
		}
	}
	return out
}

// edit opens the editor on the text of a planned spec; nil if it was not changed.
func (w *planWalk) edit(ctx context.Context, plan, name string) ([]byte, error) {
	text, err := planning.Text(ctx, w.p, plan, name)
	if err != nil {
		return nil, err
	}
	words, err := editor(w.app, name, "the spec")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "chant-edit-")
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "spec.md")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if err := openEditor(w.app, w.c, words, file); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	got, err := os.ReadFile(file)
	if err == nil && bytes.Equal(got, []byte(text)) {
		got = nil
	}
	return got, errors.Join(err, os.RemoveAll(dir))
}
