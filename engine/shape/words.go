package shape

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// refuse tells why a node cannot be decoded.
func (c *checker) refuse(node *yaml.Node, key string, texts []string) {
	for _, text := range texts {
		line, msg := placed(text, node.Line)
		c.wrong++
		c.faults = append(c.faults, Fault{Line: line, Key: key, Msg: markdown.Reword(msg)})
	}
}

// said is all that an error of the YAML package says, none for nil.
func said(err error) []string {
	if several, ok := errors.AsType[*yaml.TypeError](err); ok {
		return several.Errors
	}
	if err != nil {
		return []string{err.Error()}
	}
	return nil
}

var numbered = regexp.MustCompile(`^(?:yaml: )?line (\d+): (?s:(.*))$`)

// placed splits a message into its line and the rest.
func placed(text string, usual int) (int, string) {
	found := numbered.FindStringSubmatch(text)
	if found == nil {
		return usual, strings.TrimPrefix(text, "yaml: ")
	}
	line, err := strconv.Atoi(found[1])
	if err != nil {
		return usual, found[2]
	}
	return line, found[2]
}
