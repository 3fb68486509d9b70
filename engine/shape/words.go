package shape

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// refuse tells why a node cannot be decoded.
func (c *checker) refuse(node *yaml.Node, key string, texts []string) {
	for _, text := range texts {
		line, msg := placed(text, node.Line)
		c.wrong++
		c.faults = append(c.faults, Fault{Line: line, Key: key, Msg: plain(msg)})
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

var mismatch = regexp.MustCompile("^cannot unmarshal !!(\\w+)(?: `(?s:(.*))`)? into (.+)$")

// plain says a mismatch in the words of people who write settings.
func plain(msg string) string {
	found := mismatch.FindStringSubmatch(msg)
	if found == nil {
		return msg
	}
	what := map[string]string{"map": "a mapping", "seq": "a list"}[found[1]]
	if what == "" {
		what = strconv.Quote(found[2])
	}
	return fmt.Sprintf("%s is not %s", what, wanted(found[3]))
}

// wanted names a Go type.
func wanted(goType string) string {
	switch {
	case goType == "bool":
		return "true or false"
	case strings.HasPrefix(goType, "int"), strings.HasPrefix(goType, "uint"):
		return "a whole number"
	case strings.HasPrefix(goType, "float"):
		return "a number"
	case goType == "string":
		return "a text"
	case strings.HasPrefix(goType, "[]"):
		return "a list"
	}
	return "a mapping of keys to values"
}
