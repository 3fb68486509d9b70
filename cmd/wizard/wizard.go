package wizard

import (
	"context"
	"errors"
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/spec/next"
	"chant/providers"

	"charm.land/huh/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// errLeft returns the error for a person who leaves without an answer.
func errLeft() error {
	return engine.Fail(engine.Canceled, next.Step{}, "left without an answer; nothing was done")
}

// Screen is the terminal on which a wizard asks.
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

// Begun reports whether a command line has a flag of the command itself: then a person knows it, and is not asked.
func Begun(c *cobra.Command) bool {
	begun := false
	c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) { begun = begun || f.Changed })
	return begun
}

// page is a part of a form that is shown at once, unless earlier answers make it superfluous.
type page struct {
	group *huh.Group
	skip  func() bool // nil: never
}

// askPages shows the pages of a form, between which a person can go back and forth.
func (s Screen) askPages(ctx context.Context, pages ...page) error {
	var groups []*huh.Group
	for _, p := range pages {
		skip := p.skip
		if skip == nil {
			skip = func() bool { return false }
		}
		// In plain lines a form also asks for what it hides, so each page is a form of its own there.
		if !s.Plain {
			groups = append(groups, p.group.WithHideFunc(skip))
		} else if !skip() {
			if err := s.ask(ctx, p.group); err != nil {
				return err
			}
		}
	}
	if s.Plain {
		return nil
	}
	return s.ask(ctx, groups...)
}

// binding is a key of huh that keys changes.
type binding interface {
	SetKeys(keys ...string)
	SetHelp(key, description string)
}

// keys are those of huh, except that Esc leaves, like Ctrl-C. Enter ends typing a filter, and backspace removes it.
func keys() *huh.KeyMap {
	k := huh.NewDefaultKeyMap()
	k.Quit.SetKeys("ctrl+c", "esc")
	for _, set := range []binding{&k.Select.SetFilter, &k.MultiSelect.SetFilter} {
		set.SetKeys("enter")
		set.SetHelp("enter", "set filter")
	}
	for _, clear := range []binding{&k.Select.ClearFilter, &k.MultiSelect.ClearFilter} {
		clear.SetKeys("backspace")
		clear.SetHelp("backspace", "clear filter")
	}
	// As the descriptions say; x does the same.
	k.MultiSelect.Toggle.SetHelp("space", "select")
	return k
}

// ask shows the groups of a form. A person who leaves gets an error with the code Canceled.
func (s Screen) ask(ctx context.Context, groups ...*huh.Group) error {
	form := huh.NewForm(groups...).WithInput(s.In).WithOutput(s.Out).WithAccessible(s.Plain).WithKeyMap(keys())
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
