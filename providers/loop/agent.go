package loop

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"chant/providers"
)

// Agent is one session with a model.
type Agent struct {
	Config  Config
	Environ []string // K=V; where the key is looked up, and what commands start from
	Tools   []Tool   // beside the loop's own
	Out     io.Writer
	// Hide removes secrets from the transcript; nil = none. The model
	// sees it: what it writes back must be what it has read.
	Hide func([]byte) []byte

	sleep  func(context.Context, time.Duration) error // nil = on the clock
	random func() float64                             // from 0 to 1, for jitter; nil = rand
}

// FailedError says why the model did not come to its end: a limit, or what its server
// said last. The line "finished" has reported it already.
type FailedError struct{ Reason string }

// Error is the reason.
func (e *FailedError) Error() string { return e.Reason }

// Run gives the model a prompt and carries out what it calls until it calls nothing
// more. It returns nil only then. Errors: *FailedError, or ctx's own.
func (a Agent) Run(ctx context.Context, prompt string) error {
	r, err := a.begin()
	if err != nil {
		return err
	}
	err = errors.Join(r.work(ctx, prompt), r.close())
	return r.finish(ctx, err)
}

// begin opens everything a run needs.
func (a Agent) begin() (_ *running, err error) {
	if err := a.Config.Check(); err != nil {
		return nil, err
	}
	c := a.Config.withDefaults()
	key, err := c.key(a.Environ)
	if err != nil {
		return nil, err
	}
	tree, err := openTree(c.Worktree)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tree.close())
		}
	}()
	session, past, err := openSession(c, a.Hide)
	if err != nil {
		return nil, err
	}
	web := newClient(c.Endpoint, key)
	r := &running{
		Config: c, tree: tree, session: session, web: web,
		model:   apis()[c.API].open(c, web),
		out:     printer{a.Out, key},
		history: history{messages: past, limit: c.Context - c.answerRoom()},
		left:    c.MaxOutput,
		sleep:   a.sleep, random: a.random,
	}
	if r.sleep == nil {
		r.sleep = pause
	}
	if r.random == nil {
		r.random = rand.Float64
	}
	web.beat = r.beat
	// Commands that the model runs must not read its key.
	r.box = newToolbox(c, tree, withoutVariable(a.Environ, c.KeyEnv), a.Tools)
	return r, nil
}

// key looks the key up by its name.
func (c Config) key(environ []string) (string, error) {
	if c.KeyEnv == "" {
		return "", nil
	}
	if value := providers.Variable(environ, c.KeyEnv); value != "" {
		return value, nil
	}
	return "", fmt.Errorf("key_env: variable %q is not set", c.KeyEnv)
}

// withoutVariable returns an environment less one variable. It is never nil, which would mean
// this process's own.
func withoutVariable(environ []string, name string) []string {
	// A nil environment would mean this process's own.
	return slices.DeleteFunc(append([]string{}, environ...), func(pair string) bool {
		key, _, _ := strings.Cut(pair, "=")
		return name != "" && key == name
	})
}

// running is a session under way.
type running struct {
	Config
	tree    *tree
	session *session
	web     *client
	model   asker
	box     toolbox
	out     printer
	history history
	left    int64 // bytes that may still be said

	turns   int
	usage   providers.Usage
	name    string // of the model that answered
	last    string // what it said last
	urged   bool   // it was asked to go on after saying nothing
	working int    // bytes that came since the last line

	sleep  func(context.Context, time.Duration) error
	random func() float64
}

// close lets go of everything that was opened.
func (r *running) close() error {
	r.web.close()
	return errors.Join(r.session.close(), r.tree.close())
}

// finish reports how the session ended.
func (r *running) finish(ctx context.Context, err error) error {
	end := finishedLine{Type: sayFinished, OK: err == nil, Text: r.last, Model: cmp.Or(r.name, r.Model), Turns: r.turns, Usage: r.usage}
	switch {
	// Whatever failed meanwhile did so because it was stopped.
	case ctx.Err() != nil:
		end.OK, end.Reason = false, "stopped"
		err = ctx.Err()
	case err != nil:
		// A server may repeat the key in its error.
		end.Reason = string(redactKey([]byte(err.Error()), r.out.key))
		err = &FailedError{end.Reason}
	}
	return errors.Join(err, r.out.say(end))
}
