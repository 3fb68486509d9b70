package reviews

import (
	"context"
	"errors"
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/cmd/console/screen"
	"chant/cmd/wizard"
	"chant/engine"
	"chant/engine/author/review"
	"chant/engine/spec/next"
	"chant/engine/view"
)

// walker leads a person through the steps.
type walker struct {
	app   *console.App
	on    console.Canvas
	asks  wizard.Screen
	r     view.WalkResult
	steps []step
	in    review.ReviewInput
}

// The choices at a step.
const (
	goNext    = "next"
	goBack    = "back"
	comment   = "comment"
	decide    = "decide"
	leave     = "leave"
	justKeep  = "keep"
	lookAgain = "again"
)

// walk shows one step after the other, and returns the comments and the decision. Errors: Canceled for a person who
// leaves.
func (w *walker) walk(ctx context.Context) (review.ReviewInput, error) {
	for at, shown := 0, -1; ; {
		if shown != at {
			if err := w.show(at); err != nil {
				return w.in, err
			}
			shown = at
		}
		choice, err := wizard.Choose(ctx, w.asks, fmt.Sprintf("Step %d of %d: %s", at+1, len(w.steps), w.steps[at].title), w.choices(at)...)
		if err != nil {
			return w.in, w.left(err)
		}
		switch choice {
		case goNext:
			at++
		case goBack:
			at--
		case comment:
			if err := w.comment(ctx, at); err != nil {
				return w.in, err
			}
		case decide:
			done, err := w.decide(ctx)
			if err != nil || done {
				return w.in, err
			}
			// The dialog has moved the step off the screen.
			shown = -1
		case leave:
			return review.ReviewInput{ID: w.in.ID}, nil
		}
	}
}

// show prints a step.
func (w *walker) show(at int) error {
	s := w.steps[at]
	out, end := w.app.Results(w.on)
	return errors.Join(console.AsText(func(out io.Writer, _ struct{}) {
		fmt.Fprintf(out, "\n%s\n", w.on.Paint(screen.Bold, "== "+s.title+" =="))
		s.print(out, w.on)
		fmt.Fprintln(out)
	})(out, struct{}{}), end())
}

// choices lists the choices of a person at a step.
func (w *walker) choices(at int) []wizard.Choice {
	var out []wizard.Choice
	if at < len(w.steps)-1 {
		out = append(out, wizard.Choice{Name: goNext, Title: "Next: " + w.steps[at+1].title})
	}
	say := "Comment on the spec or the work"
	if about := w.steps[at].about; about != "" {
		say = "Comment on this file"
	}
	ends := wizard.Choice{Name: decide, Title: "End: approve, reject or keep the comments" + w.counted()}
	if at == len(w.steps)-1 {
		out = append(out, ends, wizard.Choice{Name: comment, Title: say})
	} else {
		out = append(out, wizard.Choice{Name: comment, Title: say}, ends)
	}
	if at > 0 {
		out = append(out, wizard.Choice{Name: goBack, Title: "Back: " + w.steps[at-1].title})
	}
	return append(out, wizard.Choice{Name: leave, Title: "Leave, and keep nothing"})
}

func (w *walker) counted() string {
	if len(w.in.Comments) == 0 {
		return ""
	}
	return " (" + console.Plural(len(w.in.Comments), "comment") + " so far)"
}

// comment takes a comment.
func (w *walker) comment(ctx context.Context, at int) error {
	said, err := wizard.Comment(ctx, w.asks, w.steps[at].about)
	// A person who leaves the question has made no comment, but continues the review.
	if isLeft(err) {
		return nil
	}
	if err == nil && said.Text != "" {
		w.in.Comments = append(w.in.Comments, said)
	}
	return err
}

// decide asks for the decision; done is false for a person who wants to look again.
func (w *walker) decide(ctx context.Context) (done bool, err error) {
	choice, err := wizard.Choose(ctx, w.asks, "Decision"+w.counted(), w.decisions()...)
	if isLeft(err) {
		return false, nil
	}
	switch {
	case err != nil || choice == lookAgain:
		return false, err
	case choice == leave:
		w.in = review.ReviewInput{ID: w.in.ID}
		return true, nil
	// The next attempt gets nothing but the comments, so a rejection without one says nothing.
	case choice == string(review.ToReject) && len(w.in.Comments) == 0:
		said, err := wizard.Comment(ctx, w.asks, "")
		if isLeft(err) || err == nil && said.Text == "" {
			fmt.Fprintln(w.asks.Out, "a rejection needs a comment that says why")
			return false, nil
		}
		if err != nil {
			return false, err
		}
		w.in.Comments = append(w.in.Comments, said)
	}
	if choice != justKeep {
		w.in.Decision = review.Decision(choice)
	}
	return true, nil
}

// decisions are the choices at the end, by what is to be decided.
func (w *walker) decisions() []wizard.Choice {
	keep := wizard.Choice{Name: justKeep, Title: "Keep the comments, and decide nothing"}
	yes := wizard.Choice{Name: string(review.ToApprove), Title: "Approve the spec: it may be worked"}
	no := wizard.Choice{Name: string(review.ToReject), Title: "Reject the spec: it is not worked until a person approves it"}
	again, out := wizard.Choice{Name: lookAgain, Title: "Look again"}, wizard.Choice{Name: leave, Title: "Leave, and keep nothing"}
	switch {
	case isOpenWork(w.r):
		yes.Title, no.Title = "Approve the work: it may land", "Send the work back: the next attempt gets the comments"
	// There is nothing to decide any more.
	case w.r.Status == "completed" || w.r.Status == "cancelled" || w.r.Archived:
		return []wizard.Choice{keep, again, out}
	}
	if len(w.in.Comments) == 0 {
		return []wizard.Choice{yes, no, again, out}
	}
	return []wizard.Choice{keep, yes, no, again, out}
}

// left is the end of a walk by a person who leaves; what was typed is printed, so that it is not lost.
func (w *walker) left(err error) error {
	if !isLeft(err) || len(w.in.Comments) == 0 {
		return err
	}
	return errors.Join(err, w.keepComments(w.in))
}

// keepComments prints the command that keeps comments that were not kept.
func (w *walker) keepComments(in review.ReviewInput) error {
	in.Decision = review.Leave
	if len(in.Comments) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w.app.Err, "your comments were not kept; this keeps them: %s\n", sameStep(in))
	return err
}

func isLeft(err error) bool {
	failure, ok := errors.AsType[*engine.Error](err)
	return ok && failure.Code == engine.Canceled && failure.Next.Equal(next.Step{})
}
