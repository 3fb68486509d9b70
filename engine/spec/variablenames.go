package spec

import (
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// VariableNames are names of variables of the environment that are passed on; a * at the
// end stands for any rest.
type VariableNames []string

// variableName is what such a name looks like.
var variableName = regexp.MustCompile(`^[^=*\s\x00]*\*?$`)

// UnmarshalYAML reads what a StringList does; its error names each name that no variable can
// have, with its line.
func (v *VariableNames) UnmarshalYAML(node *yaml.Node) error {
	var names StringList
	if err := names.UnmarshalYAML(node); err != nil {
		return err
	}
	var wrong faults
	for i, name := range names {
		if name == "" || !variableName.MatchString(name) {
			wrong = append(wrong, fmt.Sprintf("line %d: pass: %q is the name of no variable (a * may stand at its end)", lineOfItem(node, i), name))
		}
	}
	if err := wrong.err(); err != nil {
		return err
	}
	*v = VariableNames(names)
	return nil
}

// ofChant reports whether variables of a name tell of a run, which nobody else sets.
func ofChant(name string) bool { return strings.HasPrefix(strings.ToUpper(name), "CHANT_") }

func lineOfItem(node *yaml.Node, i int) int {
	if i < len(node.Content) {
		return node.Content[i].Line
	}
	return node.Line
}
