package prompt

import (
	"slices"
	"strings"
)

// uvPrefix begins the names of a command's own variables.
const uvPrefix = "uv-"

// SpecName is a name that the prompt of a command may use for a field of the spec that it is rendered for.
type SpecName struct {
	Name     string // without braces
	Variable string // the variable of Variables with the same value
}

// SpecNames lists the names of climpt that a spec supplies.
func SpecNames() []SpecName {
	return []SpecName{
		{"input_text", "spec.description"},
		{"input_text_file", "spec.path"},
		{"destination_path", "worktree.path"},
		{"uv-spec_id", "spec.id"},
		{"uv-spec_title", "spec.title"},
		{"uv-spec_type", "spec.type"},
		{"uv-spec_body", "spec.description"},
		{"uv-spec_quoted", "spec.quoted"},
		{"uv-spec_path", "spec.path"},
		{"uv-spec_target_files", "spec.target_files"},
		{"uv-spec_criteria", "spec.criteria"},
		{"uv-spec_checks", "spec.checks"},
		{"uv-spec_context", "spec.context"},
	}
}

// AddSpecNames adds the names of SpecNames to the values of the variables that they equal.
func AddSpecNames(values map[string]string) {
	for _, n := range SpecNames() {
		if value, ok := values[n.Variable]; ok {
			values[n.Name] = value
		}
	}
}

// isCallName reports whether a name is one that each call of a command may set.
func isCallName(name string) bool {
	return slices.Contains([]string{"input_text", "input_text_file", "destination_path"}, name)
}

// meansSpec reports whether a name is for a field of a spec, also with another separator than the right one.
func meansSpec(name string) bool {
	after, ok := strings.CutPrefix(name, uvPrefix+"spec")
	return ok && after != "" && strings.ContainsRune("_-.", rune(after[0]))
}
