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

// passedName is what such a name looks like. Systems allow more than a shell can set.
var passedName = regexp.MustCompile(`^[^=*\s\x00]*\*?$`)

// VariableName reports whether a shell can set a variable of this name.
func VariableName(name string) bool {
	digit := func(r rune) bool { return r >= '0' && r <= '9' }
	other := func(r rune) bool { return !digit(r) && r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') }
	return name != "" && !digit(rune(name[0])) && !strings.ContainsFunc(name, other)
}

// UnmarshalYAML reads what a StringList does; its error names each name that no variable can
// have, with its line.
func (v *VariableNames) UnmarshalYAML(node *yaml.Node) error {
	var names StringList
	if err := names.UnmarshalYAML(node); err != nil {
		return err
	}
	var wrong faults
	for i, name := range names {
		if name == "" || !passedName.MatchString(name) {
			wrong = append(wrong, fmt.Sprintf("line %d: pass: invalid environment variable name %q (a * may end it)", lineOfItem(node, i), name))
		}
	}
	if err := wrong.err(); err != nil {
		return err
	}
	*v = VariableNames(names)
	return nil
}

// ofChant reports whether variables of a name tell of a run, which no one else sets.
func ofChant(name string) bool { return strings.HasPrefix(strings.ToUpper(name), "CHANT_") }

func lineOfItem(node *yaml.Node, i int) int {
	if i < len(node.Content) {
		return node.Content[i].Line
	}
	return node.Line
}
