package shape

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// refuse reports why a node cannot be decoded.
func (r *reader) refuse(node *yaml.Node, key string, texts []string) {
	for _, text := range texts {
		line, msg := splitLine(text, node.Line)
		r.report(key)(line, "%s", markdown.Reword(msg))
	}
}

// report returns the function that reports faults of a key.
func (r *reader) report(key string) Report {
	return func(line int, format string, args ...any) {
		r.wrong++
		r.faults = append(r.faults, Fault{Line: line, Key: key, Msg: fmt.Sprintf(format, args...)})
	}
}

// messagesOf lists the messages of an error of the YAML package, none for nil.
func messagesOf(err error) []string {
	if several, ok := errors.AsType[*yaml.TypeError](err); ok {
		return several.Errors
	}
	if err != nil {
		return []string{err.Error()}
	}
	return nil
}

var numbered = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:yaml: )?line (\d+): (?s:(.*))$`)
})

// splitLine splits a message into its line and the rest; without a line it returns the usual one.
func splitLine(text string, usual int) (int, string) {
	found := numbered().FindStringSubmatch(text)
	if found == nil {
		return usual, strings.TrimPrefix(text, "yaml: ")
	}
	line, err := strconv.Atoi(found[1])
	if err != nil {
		return usual, found[2]
	}
	return line, found[2]
}
