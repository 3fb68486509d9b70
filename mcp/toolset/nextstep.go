package toolset

import (
	"strings"

	"chant/engine/next"
)

// Taking returns the arguments with which a call of the tool takes a next step; false where the tool does not offer the
// step's operation, or does not take all that the step says.
func (t Tool) Taking(step next.Step) (Arguments, bool) {
	if t.Does == "" || t.Does != step.Op || step.Shell != "" || step.ByHand != "" {
		return nil, false
	}
	given, ok := step.NamedArgs()
	if !ok {
		return nil, false
	}
	args := Arguments{}
	for _, g := range given {
		args[strings.ReplaceAll(g.Name, "-", "_")] = g.Value
	}
	_, err := t.Decode(args)
	return args, err == nil
}
