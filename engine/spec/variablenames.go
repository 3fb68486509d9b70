package spec

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// VariableNames are names of environment variables that are passed on. A * at the end of a name matches any rest.
type VariableNames []string

// passedName is the form of such a name. It allows more than VariableName, as operating systems do.
var passedName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[^=*\s\x00]*\*?$`)
})

// VariableName reports whether a shell can set a variable of this name.
func VariableName(name string) bool {
	digit := func(r rune) bool { return r >= '0' && r <= '9' }
	other := func(r rune) bool { return !digit(r) && r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') }
	return name != "" && !digit(rune(name[0])) && !strings.ContainsFunc(name, other)
}

// UnmarshalYAML reads the same forms as StringList. Its error lists each invalid name with its line.
func (v *VariableNames) UnmarshalYAML(node *yaml.Node) error {
	var names StringList
	if err := names.UnmarshalYAML(node); err != nil {
		return err
	}
	var wrong faults
	for i, name := range names {
		if name == "" || !passedName().MatchString(name) {
			wrong = append(wrong, fmt.Sprintf("line %d: pass: invalid environment variable name %q (a * may end it)", lineOfItem(node, i), name))
		}
	}
	if err := wrong.err(); err != nil {
		return err
	}
	*v = VariableNames(names)
	return nil
}

// isChantVariable reports whether chant itself sets variables with this prefix for runs.
func isChantVariable(name string) bool { return strings.HasPrefix(strings.ToUpper(name), "CHANT_") }
