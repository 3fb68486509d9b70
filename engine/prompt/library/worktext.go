package library

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/format/climpt"
	"chant/engine/prompt"

	"chant/engine/spec"
	"chant/engine/spec/next"
)

// WorkText is the prompt of an agent that works a spec.
type WorkText struct {
	Text   string            // with its variables
	Values map[string]string // of variables that do not come from the spec
}

// ForWork returns a prompt, or a command c1/c2/c3 or AGENT:c1/c2/c3 with its options as JSON, as the prompt of a spec.
// The text of a command that uses nothing of the spec is followed by the standard prompt. Errors: NotFound, Invalid;
// Usage for options of a prompt that takes none.
func ForWork(ctx context.Context, p *engine.Project, id, options string) (WorkText, error) {
	if !climpt.IsName(id) {
		if options != "" {
			return WorkText{}, engine.Fail(engine.Usage, next.CommandList.On(), "prompt %q takes no options; commands do", spec.Echo(id))
		}
		text, err := prompt.Text(p, id)
		return WorkText{Text: text}, err
	}
	agent, words, named := strings.Cut(id, ":")
	if !named {
		agent, words = DefaultAgent, id
	}
	name, err := climpt.ParseName(words)
	if err != nil {
		return WorkText{}, engine.Fail(engine.NotFound, next.PromptList.On(), "no prompt %q: %s", spec.Echo(id), err)
	}
	l, err := Open(ctx, p, agent)
	if err != nil {
		return WorkText{}, err
	}
	w, err := l.forWork(p, name, options)
	return w, refuseCommand(name, err)
}

func (l *Library) forWork(p *engine.Project, name climpt.Name, options string) (WorkText, error) {
	given, err := climpt.ParseOptions(json.RawMessage(options))
	if err != nil {
		return WorkText{}, l.Refuse(name, err)
	}
	t, err := l.Text(p, name, given)
	if err != nil {
		return WorkText{}, err
	}
	if t.Template != nil {
		return WorkText{}, engine.Fail(engine.Invalid, next.TemplateList.On(), "command %q is a template, from which specs are added; it is not a prompt", name)
	}
	if strings.TrimSpace(t.Body) == "" {
		return WorkText{}, engine.Fail(engine.Invalid, next.Guide.On("commands"), "%s is empty: an agent would get no instructions", t.File)
	}
	w := WorkText{Text: t.Body}
	if options != "" {
		if w.Values, err = t.Values(p, given, Files{Anywhere: true}); err != nil {
			return WorkText{}, l.Refuse(name, err)
		}
	}
	// Without the standard prompt behind it, its agent would know neither the spec nor its worktree and criteria.
	if records := l.records(name); len(records) > 0 && records[0].Source == FromChant || usesSpec(t.Body) {
		return w, nil
	}
	standard, err := prompt.Text(p, prompt.Standard)
	w.Text = strings.TrimRight(t.Body, "\r\n") + "\n\n" + standard
	return w, err
}

// PromptText returns a prompt including the prompts that it extends, without the values of variables. A name such as
// git/group-commit/unstaged-changes is that of a command. It is for rules of lint, which have no context. Errors:
// NotFound, Invalid.
func PromptText(p *engine.Project, name string) (string, error) {
	w, err := ForWork(context.Background(), p, name, "")
	return w.Text, err
}

// refuseCommand makes an error of the engine of one about a command that a spec names.
func refuseCommand(name climpt.Name, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*NotFoundError](err); ok {
		return engine.Fail(engine.NotFound, next.CommandFind.On(name.C1+" "+name.C2+" "+name.C3), "no command %q", name)
	}
	if failed, ok := errors.AsType[*ExecutionError](err); ok {
		return engine.Fail(engine.Invalid, next.Guide.On("commands"), "command %q: %s", name, failed.Stderr)
	}
	return engine.Wrap(err, "")
}

// UsesSpec reports whether the text was written for specs.
func (t Text) UsesSpec() bool { return usesSpec(t.Body) }

// usesSpec reports whether a text was written for specs: it uses a variable of the spec, by either of its names.
func usesSpec(text string) bool {
	return slices.ContainsFunc(prompt.Names(text), func(name string) bool {
		for _, n := range prompt.SpecNames() {
			if n.Name == name && strings.HasPrefix(name, "uv-") {
				name = n.Variable
			}
		}
		known := slices.ContainsFunc(prompt.Variables(), func(v prompt.Variable) bool { return v.Name == name })
		// Names that each call of a command may set, such as {input_text}, also occur in commands that were written without
		// specs in mind.
		return known && (name == "spec" || strings.HasPrefix(name, "spec."))
	})
}
