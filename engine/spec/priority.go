package spec

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Priority is the priority of a spec as its front matter has it: a word or a whole number, 0 for the most urgent. The
// words are those of lotar, the numbers those of beads.
type Priority string

// UnmarshalYAML accepts any value. Lint reports an invalid priority; the spec remains readable.
func (p *Priority) UnmarshalYAML(node *yaml.Node) error {
	switch {
	case node.Kind != yaml.ScalarNode:
		*p = "a list or a map"
	case node.ShortTag() != "!!null":
		*p = Priority(strings.TrimSpace(node.Value))
	}
	return nil
}

// normal is the level of medium, between high and low, and of a spec without a priority.
const normal = 2

// Level returns the priority as a number, where lower numbers come first, and whether the text is a valid priority. The
// level of an invalid priority is that of medium.
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
