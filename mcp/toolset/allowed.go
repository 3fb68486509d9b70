package toolset

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// allowedText describes in words which values a schema takes.
func allowedText(s *jsonschema.Schema) string {
	if s.Enum != nil {
		values := make([]string, len(s.Enum))
		for i, each := range s.Enum {
			values[i] = strings.Trim(echo(each), `"`)
		}
		return "one of " + strings.Join(values, ", ")
	}
	var kinds []string
	for _, name := range typesOf(s) {
		kinds = append(kinds, kind(s, name))
	}
	if len(kinds) == 0 {
		return "a value"
	}
	return strings.Join(kinds, " or ")
}

// kind describes which values of one type a schema takes.
func kind(s *jsonschema.Schema, name string) string {
	switch name {
	case "integer":
		return "an integer" + numbers(s)
	case "number":
		return "a number" + numbers(s)
	case "string":
		text := "a string" + sizeText(s.MinLength, s.MaxLength, "character")
		if s.Pattern != "" {
			text += " that matches " + s.Pattern
		}
		return text
	case "array":
		return "a list" + items(s) + sizeText(s.MinItems, s.MaxItems, "item")
	case "object":
		return "an object"
	}
	return "a " + name
}

// items names what a list contains.
func items(s *jsonschema.Schema) string {
	if s.Items == nil || s.Items.Type == "" {
		return ""
	}
	if s.Items.Type == "array" {
		return " of lists"
	}
	return " of " + s.Items.Type + "s"
}

func numbers(s *jsonschema.Schema) string {
	write := func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
	switch {
	case s.Minimum != nil && s.Maximum != nil:
		return " from " + write(*s.Minimum) + " to " + write(*s.Maximum)
	case s.Minimum != nil:
		return " of at least " + write(*s.Minimum)
	case s.Maximum != nil:
		return " of at most " + write(*s.Maximum)
	}
	return ""
}

func sizeText(least, most *int, what string) string {
	switch {
	case least != nil && most != nil:
		return fmt.Sprintf(" of %d to %s", *least, count(*most, what))
	case least != nil:
		return " of at least " + count(*least, what)
	case most != nil:
		return " of at most " + count(*most, what)
	}
	return ""
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
