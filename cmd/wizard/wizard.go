package wizard

import (
	"context"
	"errors"
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/next"
	"chant/providers"

	"charm.land/huh/v2"
)

// errLeft is what a person gets who leaves without an answer.
func errLeft() error {
	return engine.Fail(engine.Canceled, next.Step{}, "left without an answer; nothing was done")
}

// Screen is where a wizard asks.
type Screen struct {
	In    io.Reader
	Out   io.Writer
	Plain bool // questions in plain lines
}

// On returns the screen of a command; ok is false where no person can be asked.
func On(a *console.App) (s Screen, ok bool) {
	if a.JSON || a.Quiet || !console.Terminal(a.In) || !console.Terminal(a.Screen.Err) {
		return Screen{}, false
	}
	plain := providers.Variable(a.Environ, "TERM") == "dumb" || providers.Variable(a.Environ, "ACCESSIBLE") != ""
	return Screen{In: a.In, Out: a.Screen.Err, Plain: plain}, true
}

// ask shows the groups of a form. A person who leaves gets an error with the code Canceled.
func (s Screen) ask(ctx context.Context, groups ...*huh.Group) error {
	form := huh.NewForm(groups...).WithInput(s.In).WithOutput(s.Out).WithAccessible(s.Plain)
	err := form.RunWithContext(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, huh.ErrUserAborted):
		return errLeft()
	}
	return err
}

// Same says which command does the same without questions.
func (s Screen) Same(step next.Step) {
	fmt.Fprintf(s.Out, "the same without questions: %s\n", step)
}
