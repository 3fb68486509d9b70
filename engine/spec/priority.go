package spec

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Priority is how urgent a spec says it is: a word or a whole number, 0 for the
// most urgent, as the front matter has it. The words are those of lotar, the
// numbers those of beads.
type Priority string

// UnmarshalYAML takes any value: what is no priority is a finding of Lint, and no
// reason to lose the spec.
func (p *Priority) UnmarshalYAML(node *yaml.Node) error {
	switch {
	case node.Kind != yaml.ScalarNode:
		*p = "a list or a map"
	case node.ShortTag() != "!!null":
		*p = Priority(strings.TrimSpace(node.Value))
	}
	return nil
}

// normal is the level of a spec that names none: between high and low.
const normal = 2

// Level is the priority as a number, lower first, and whether the text is one.
// Without a priority, and where it says nothing, a spec is as urgent as a medium one.
func (p Priority) Level() (level int, ok bool) {
	switch strings.ToLower(string(p)) {
	case "", "medium", "normal":
		return normal, true
	case "critical", "urgent", "highest":
		return 0, true
	case "high":
		return 1, true
	case "low":
		return 3, true
	case "lowest":
		return 4, true
	}
	digits := strings.TrimPrefix(strings.ToLower(string(p)), "p")
	if level, err := strconv.Atoi(digits); err == nil && level >= 0 {
		return level, true
	}
	return normal, false
}
