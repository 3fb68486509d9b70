package catalog

import (
	"errors"

	"chant/engine"
	"chant/mcp/toolset"
	"chant/text"
)

// Refusal is the text of an error that a model can do something about: bad arguments and the refusals of the engine;
// false for a bug of ours. tools are those that are offered.
func Refusal(err error, tools []toolset.Tool) (string, bool) {
	if bad, ok := errors.AsType[*toolset.ArgumentError](err); ok {
		return bad.Error(), true
	}
	var e *engine.Error
	if !errors.As(err, &e) {
		return "", false
	}
	switch e.Code {
	case engine.Usage, engine.NotFound, engine.Invalid, engine.State, engine.Blocked, engine.Conflict,
		engine.Agent, engine.Unverified, engine.Canceled:
		return e.Message + NextLine(e, tools), true
	case engine.Internal:
	}
	return "", false
}

// NextLine is the line that names the next step: the call of one of these tools, else a command. Help about flags is of
// no use here, and the contract's text for a folder without a project names its own step.
func NextLine(e *engine.Error, tools []toolset.Tool) string {
	if e.Next.IsZero() || errors.Is(e, engine.ErrNotInitialized) || e.Next.AsksHelp() {
		return ""
	}
	for _, t := range tools {
		if args, ok := t.Taking(e.Next); ok {
			return "\nnext: call " + t.Name + with(args)
		}
	}
	return "\nhint: " + e.Next.String()
}

// with is how a text names the arguments of a call.
func with(args toolset.Arguments) string {
	out, err := text.JSON(args, "")
	if err != nil || len(args) == 0 {
		return ""
	}
	return " with " + string(out)
}
